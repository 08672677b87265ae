// Passes over few tokens are captured once for each of a list of sizes. vLLM measures the first graph of a kind and a second one, and
// takes all others to be as large as the second: vllm-project/vllm, vllm/v1/worker/gpu_model_runner.py, profile_cudagraph_memory. Sizes:
// vllm/config/vllm.py, _set_cudagraph_sizes: 1, 2, 4, then steps of 8 up to 256 and of 16 from there. Passes that only decode are captured
// whole as well as piece by piece (FULL_AND_PIECEWISE), up to as many sequences as one pass may take.
#include "method/memory/serving.hpp"
#include "method/term.hpp"

#include <algorithm>

namespace plimsoll::memory {

namespace {

constexpr Formula kGraphs{[] { return FormulaText{.id = "memory.runtime.graphs",
                          .label = "CUDA graphs",
                          .unit = "bytes",
                          .text = "first + each * (sizes + decodes - 1)",
                          .citation = "vllm_graphs",
                          .basis = Basis::measured,
                          .symbols = {{{"first", "bytes", "of the first graph, with the pool that all share", "profile"},
                                       {"each", "bytes", "of every further one", "profile"},
                                       {"sizes", "graphs", "one for each size up to the largest", "largest_graph"},
                                       {"decodes", "graphs", "of passes that only decode", "max_sequences"}}}}; }};

/// Sizes up to `largest` tokens: powers of two below the first step, then steps.
Count sizes_up_to(std::int64_t largest, const GraphProfile& graphs) noexcept {
  const std::int64_t fine = graphs.fine.value, from = graphs.coarse_from.value;
  Count sizes;
  for (std::int64_t size = 1; size < fine && size <= largest; size *= 2) sizes += Count{1};
  sizes += Count{std::min(largest, from) / fine};
  if (largest > from) sizes += Count{(largest - from) / graphs.coarse.value};
  return sizes;
}

} // namespace

std::optional<Term> cuda_graphs(const Scenario& scenario) noexcept {
  const GraphProfile& graphs = scenario.profile.inference.graphs;
  if (scenario.serving.cuda_graphs != Switch::on || scenario.serving.largest_graph <= 0) return std::nullopt;
  const std::int64_t largest = scenario.serving.largest_graph;
  const Count sizes = sizes_up_to(largest, graphs);
  const Count decodes = graphs.decodes_apart ? sizes_up_to(std::min(largest, scenario.serving.max_sequences), graphs) : Count{0};
  const auto with = [&](std::int64_t first, std::int64_t each) { return Bytes{first} + (sizes + decodes - Count{1}) * Bytes{each}; };
  Term term = make_term(kGraphs, with(graphs.first.value, graphs.each.value), {graphs.first.value, graphs.each.value, sizes.value, decodes.value}, {.provenance = &graphs.each});
  term.low = with(graphs.first.low, graphs.each.low).value;
  term.high = with(graphs.first.high, graphs.each.high).value;
  return term;
}

} // namespace plimsoll::memory
