// Attention and MLP of each layer end in an all-reduce: Shoeybi et al., Megatron-LM, 2019 (arXiv 1909.08053), section 3.
#include "time/reductions.hpp"

#include "plimsoll/sharding.hpp"
#include "time/terms.hpp"

namespace plimsoll::timing {

namespace {

constexpr SymbolText kPasses{"passes", "passes", "1 for a decode step", "prefill_tokens"};

constexpr Formula kLaunch{.id = "time.layers", .label = "Launches and short kernels", .unit = "ns", .text = "passes * layers * each", .citation = "decode_fit",
                          .basis = Basis::measured,
                          .symbols = {{kPasses, kLayers, {"each", "ns", "of a layer, whatever it reads", "profile"}}}};

constexpr Formula kApart{.id = "time.sequences", .label = "Scheduling and sampling", .unit = "ns", .text = "sequences * each", .citation = "decode_fit",
                             .basis = Basis::measured,
                             .symbols = {{kSequences, {"each", "ns", "of a sequence in a step", "profile"}}}};

constexpr Formula kReductions{.id = "time.reductions", .label = "All-reduces begin", .unit = "ns", .text = "2 * passes * layers * each",
                              .citation = "efficient_inference", .basis = Basis::assumed,
                              .symbols = {{kPasses, kLayers, {"each", "ns", "of one all-reduce, before the first byte", "profile"}}}};

constexpr Formula kSent{.id = "time.sent", .label = "All-reduces send", .unit = "ns", .text = "floor_div(2000000000 * bytes + rate, 2 * rate)",
                        .citation = "efficient_inference", .basis = Basis::published,
                        .symbols = {{{"bytes", "bytes", "that each GPU sends: 2 (n - 1) / n of the hidden states, twice in a layer", "tensor_parallel"},
                                     {"rate", "bytes/s", "to the other GPUs of the node", "device"}}}};

} // namespace

Term launches(Count passes, Count layers, const Constant& each) noexcept {
  return repeated(kLaunch, passes * layers, each, {passes.value, layers.value, each.value});
}

Term sequences_apart(Count sequences, const Constant& each) noexcept { return repeated(kApart, sequences, each, {sequences.value, each.value}); }

Term reductions(const Scenario& scenario, const Constant& each, Count passes, Count layers) noexcept {
  if (scenario.strategy.tensor_parallel <= 1) return {};
  return repeated(kReductions, Count{2} * (passes * layers), each, {passes.value, layers.value, each.value});
}

Term sent(const Scenario& scenario, Count layers, Count tokens) noexcept {
  const Rates& rates = scenario.hardware.rates;
  const std::int64_t rate = rates.link > 0 ? rates.link : rates.host;
  if (scenario.strategy.tensor_parallel <= 1 || rate <= 0) return {};
  const Bytes one = sent_in_all_reduce(tokens * (scenario.model.hidden_size * scenario.weights.compute_bytes), scenario.strategy);
  const Bytes all = Count{2} * (layers * one);
  constexpr std::int64_t kWhole = 1000;
  return make_term(kSent, time_at(all.value, rate, kWhole), {all.value, rate});
}

} // namespace plimsoll::timing
