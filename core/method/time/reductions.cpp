// Attention and MLP of each layer end in an all-reduce: Shoeybi et al., Megatron-LM, 2019 (arXiv 1909.08053), section 3.
#include "method/time/reductions.hpp"

#include "method/memory/layers.hpp"
#include "method/time/reads.hpp"
#include "method/time/terms.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::timing {

namespace {

constexpr SymbolText kPasses{"passes", "passes", "1 for a decode step", "prefill_tokens"};

constexpr Formula kLaunch{[] { return FormulaText{.id = "time.layers", .label = "Launches and short kernels", .unit = "ns", .text = "passes * layers * each", .citation = "decode_fit",
                          .basis = Basis::measured,
                          .symbols = {{kPasses, kLayers, {"each", "ns", "of a layer, whatever it reads", "profile"}}}}; }};

constexpr Formula kApart{[] { return FormulaText{.id = "time.sequences", .label = "Scheduling and sampling", .unit = "ns", .text = "sequences * each", .citation = "decode_fit",
                             .basis = Basis::measured,
                             .symbols = {{kSequences, {"each", "ns", "of a sequence in a step", "profile"}}}}; }};

constexpr SymbolText kStart{"each", "ns", "of one of them, before the first byte", "profile"};
constexpr SymbolText kLink{"rate", "bytes/s", "to the other GPUs of the node", "device"};
constexpr SymbolText kReached{"share", "thousandths", "of that rate which messages of this kind reach", "profile"};

constexpr FormulaText waiting(std::string_view id, std::string_view label, SymbolText times) {
  return {.id = id, .label = label, .unit = "ns", .text = "passes * times * each", .citation = "efficient_inference", .basis = Basis::assumed,
          .symbols = {{kPasses, times, kStart}}};
}

constexpr FormulaText sending(std::string_view id, std::string_view label, SymbolText bytes) {
  return {.id = id, .label = label, .unit = "ns", .text = "floor_div(2000000000000 * bytes + rate * share, 2 * rate * share)",
          .citation = "efficient_inference", .basis = Basis::assumed, .symbols = {{bytes, kLink, kReached}}};
}

constexpr Formula kReductions{[] { return waiting("time.reductions", "All-reduces begin", {"times", "", "all-reduces of a pass: two for each layer, one where tokens go to the experts of other replicas", "tensor_parallel"}); }};
constexpr Formula kSent{[] { return sending("time.sent", "All-reduces send", {"bytes", "bytes", "that each GPU sends: 2 (n - 1) / n of the hidden states in each all-reduce", "tensor_parallel"}); }};
// A token goes to the GPUs of its experts, and what they make of it comes back: Lepikhin et al., GShard, 2020 (arXiv 2006.16668), section 3.
constexpr Formula kExchanges{[] { return waiting("time.exchanges", "Exchanges with experts begin", {"times", "", "of a pass: there and back in each layer with experts", "expert_parallel"}); }};
constexpr Formula kExchanged{[] { return sending("time.exchanged", "Exchanges with experts send", {"bytes", "bytes", "that each GPU sends: (n - 1) / n of a hidden state for each token and expert, there and back", "expert_parallel"}); }};
// Hidden state and residual stream: vllm-project/vllm, vllm/model_executor/models/llama.py, make_empty_intermediate_tensors.
constexpr Formula kHops{[] { return waiting("time.hops", "Stages hand over", {"times", "", "from one stage to the next", "pipeline_parallel"}); }};
constexpr Formula kHanded{[] { return sending("time.handed_on", "Stages send", {"bytes", "bytes", "of hidden state and residual stream, from stage to stage", "pipeline_parallel"}); }};

Count layers_with_experts(const Scenario& scenario, const Stage& stage) noexcept {
  Count layers;
  for (const LayerGroup& group : scenario.model.groups)
    if (memory::has_experts(group)) layers += stage.held(group);
  return layers;
}

Count all_reduces(const Scenario& scenario, const Stage& stage) noexcept {
  if (scenario.strategy.tensor_parallel <= 1) return Count{0};
  const Count all = Count{2} * layers_of(scenario, stage);
  return replicas_share_experts(scenario.strategy) ? all - layers_with_experts(scenario, stage) : all;
}

Bytes hidden_bytes(const Scenario& scenario, Count tokens) noexcept { return tokens * (scenario.model.hidden_size * scenario.weights.compute_bytes); }

Term wait(const Formula& formula, Count passes, Count times, const Constant& each) noexcept {
  if (times == Count{0}) return {};
  return repeated(formula, passes * times, each, {passes.value, times.value, each.value});
}

/// Among so many GPUs.
Term send(const Formula& formula, const Scenario& scenario, std::int64_t gpus, Bytes bytes, const Constant& share) noexcept {
  const std::int64_t rate = between_gpus(scenario.hardware, gpus);
  if (bytes == Bytes{0} || rate <= 0) return {};
  return timed(formula, bytes.value, rate, share, {bytes.value, rate, share.value});
}

} // namespace

Term launches(Count passes, Count layers, const Constant& each) noexcept {
  return repeated(kLaunch, passes * layers, each, {passes.value, layers.value, each.value});
}

Term sequences_apart(Count sequences, const Constant& each) noexcept { return repeated(kApart, sequences, each, {sequences.value, each.value}); }

Term reductions(const Scenario& scenario, const Stage& stage, const Efficiency& efficiency, Count passes) noexcept {
  return wait(kReductions, passes, all_reduces(scenario, stage), efficiency.reduction_ns);
}

Term sent(const Scenario& scenario, const Stage& stage, const Efficiency& efficiency, Count tokens) noexcept {
  const Bytes one = sent_in_all_reduce(hidden_bytes(scenario, tokens), scenario.strategy);
  return send(kSent, scenario, scenario.strategy.tensor_parallel, all_reduces(scenario, stage) * one, efficiency.link_share);
}

Term exchanges(const Scenario& scenario, const Stage& stage, const Efficiency& efficiency, Count passes) noexcept {
  if (!replicas_share_experts(scenario.strategy)) return {};
  return wait(kExchanges, passes, Count{2} * layers_with_experts(scenario, stage), efficiency.reduction_ns);
}

Term exchanged(const Scenario& scenario, const Stage& stage, const Efficiency& efficiency, Count tokens) noexcept {
  Bytes all;
  for (const LayerGroup& group : scenario.model.groups)
    if (memory::has_experts(group)) all += (Count{2} * stage.held(group)) * sent_to_experts(hidden_bytes(scenario, tokens * group.moe.per_token), scenario.strategy);
  return send(kExchanged, scenario, sequences_at_experts(Count{1}, scenario.strategy).value, all, efficiency.link_share);
}

Term hops(const Scenario& scenario, const Efficiency& efficiency, Count passes) noexcept {
  return wait(kHops, passes, hops_of(scenario.strategy), efficiency.reduction_ns);
}

Term handed_on(const Scenario& scenario, const Efficiency& efficiency, Count tokens) noexcept {
  return send(kHanded, scenario, 2, hops_of(scenario.strategy) * (Count{2} * hidden_bytes(scenario, tokens)), efficiency.link_share);
}

} // namespace plimsoll::timing
