// A prompt is read in passes of prefill_tokens. Each pass multiplies its tokens with all weights, which takes longer than reading them
// unless it is short; attention's core grows with what stands before. Agrawal et al., Sarathi-Serve, 2024 (arXiv 2403.02310), section 3.
#include "method/memory/layers.hpp"
#include "method/time/reads.hpp"
#include "method/time/reductions.hpp"
#include "method/time/terms.hpp"
#include "method/time/visit.hpp"
#include "method/time/work.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::timing {

namespace {

constexpr SymbolText kTokens{"tokens", "tokens", "of the prompt, without whole pages that the engine has of its beginning", "shared_tokens"};
constexpr SymbolText kFlops{"rate", "FLOP/s", "of the device's matrix units, by its data sheet", "device"};

constexpr Formula kWork{.id = "time.prefill.work", .label = "Multiplying", .unit = "ns",
                        .text = "floor_div(2000000000000 * (tokens * work + head) + rate * share, 2 * rate * share)", .citation = "sarathi", .basis = Basis::assumed,
                        .symbols = {{kTokens,
                                     {"work", "FLOP", "of one token in the layers on one GPU, attention to the tokens before it among them", ""},
                                     {"head", "FLOP", "of the output head for the last token", ""},
                                     kFlops, kShare}}};

constexpr Formula kReads{.id = "time.prefill.weights", .label = "Reading weights", .unit = "ns",
                         .text = "floor_div(2000000000000 * (passes * bytes) + rate * share, 2 * rate * share)", .citation = "sarathi", .basis = Basis::measured,
                         .symbols = {{{"passes", "passes", "over the prompt", "prefill_tokens"}, kBytes, kRate, kShare}}};

constexpr Formula kHost{.id = "time.prefill.host", .label = "The host reads its layers", .unit = "ns",
                        .text = "floor_div(2000000000 * (passes * bytes) + rate, 2 * rate)", .citation = "sarathi", .basis = Basis::assumed,
                        .symbols = {{{"passes", "passes", "over the prompt", "prefill_tokens"},
                                     {"bytes", "bytes", "of weights that the host keeps", "gpu_layers"},
                                     {"rate", "bytes/s", "at which a host reads its memory", "profile"}}}};

/// Weights that a pass of so many tokens meets.
Bytes read_by(const Scenario& scenario, const Stage& stage, Count tokens) noexcept {
  constexpr Count kMillion{1'000'000};
  Bytes bytes = dense_weights(scenario, stage);
  for (const LayerGroup& group : scenario.model.groups)
    if (memory::has_experts(group))
      bytes += Bytes{ceil_div(met_experts(group.moe, sequences_at_experts(tokens, scenario.strategy)) * Count{expert_weights(scenario, stage, group).value}, kMillion).value};
  return bytes;
}

} // namespace

Term prompt_work(const Scenario& scenario, const Efficiency& efficiency) noexcept {
  const Strategy passed = without_stages(scenario.strategy);
  const Stage stage{scenario.model, passed, scenario.workload, 0};
  const Count all{scenario.workload.context_tokens}, cached = cached_prompt_tokens(scenario), tokens = all - cached, head = head_work(scenario, stage);
  // What is cached is looked at, and looks at nothing itself.
  const Count looks = all * context_work(scenario, stage) - (cached > Count{0} ? cached * context_work(scenario, stage, cached) : Count{0});
  const Count work = layer_work(scenario, stage) + Count{looks.value / max(tokens, Count{1}).value};
  const std::int64_t rate = scenario.hardware.rates.of(arithmetic_of(scenario, efficiency));
  const Constant& share = efficiency.compute_share;
  return timed(kWork, (tokens * work + head).value, rate, share, {tokens.value, work.value, head.value, rate, share.value});
}

void visit_prefill(const Scenario& scenario, const Efficiency& efficiency, TermSink sink, void* into) noexcept {
  const auto some = [&](const Term& term) {
    if (term.amount != 0) sink(into, term);
  };
  const Strategy passed = without_stages(scenario.strategy);
  const Stage stage{scenario.model, passed, scenario.workload, 0};
  const Count tokens = Count{scenario.workload.context_tokens} - cached_prompt_tokens(scenario), pass = min(tokens, max(Count{scenario.workload.prefill_tokens}, Count{1}));
  const Count passes = ceil_div(tokens, pass);
  const std::int64_t memory = scenario.hardware.rates.memory;
  const Term multiplied = prompt_work(scenario, efficiency);
  const Constant& reached = is_quantised(scenario.weights) ? efficiency.quantised_share : efficiency.plain_share;
  const Bytes bytes = read_by(scenario, stage, pass);
  const Term read = timed(kReads, (passes * bytes).value, memory, reached, {passes.value, bytes.value, memory, reached.value});
  some(multiplied.amount > read.amount ? multiplied : read);
  if (uses_host(scenario.strategy)) {
    const Strategy everything = without_host(scenario.strategy);
    const Stage whole{scenario.model, everything, scenario.workload, 0};
    const Bytes left = read_by(scenario, whole, pass) - bytes;
    some(at_rate(kHost, (passes * left), {passes.value, left.value, efficiency.host_rate.value}, efficiency.host_rate));
  }
  const Count layers = layers_of(scenario, stage);
  some(launches(passes, layers, efficiency.layer_ns));
  visit_waits(scenario, stage, efficiency, passes, tokens, some);
}

} // namespace plimsoll::timing
