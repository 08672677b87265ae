#include "method/time/work.hpp"

#include "method/compute/visit.hpp"
#include "plimsoll/method/kernels.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>

namespace plimsoll::timing {

namespace {

/// Tokens of all replicas that divide a map among them meet each one's part of it.
bool meets_other_replicas(TensorKind kind, const Strategy& strategy) noexcept {
  const bool dense = kind == TensorKind::mlp || kind == TensorKind::shared_experts;
  return is_routed(kind) || (dense && strategy.dense_tensor_parallel > 0);
}

} // namespace

Count layer_work(const Scenario& scenario, const Stage& stage, Phase phase) noexcept {
  Count parameters;
  const Count context{scenario.workload.context_tokens};
  for (const ModelTensor& part : scenario.model.tensors) {
    const Tensor& tensor = part.tensor;
    const LayerGroup* const group = scenario.model.group_of(part);
    if (group == nullptr || !in_language_model(tensor.kind) || compute::multiplied(part) == Count{0}) continue;
    if (phase == Phase::step && group->encoder) continue;
    const Count met = elements_per_gpu(tensor, scenario.strategy) * tensor.active; // of all copies; a token meets some
    const Count tokens = meets_other_replicas(tensor.kind, scenario.strategy) ? sequences_at_experts(Count{1}, scenario.strategy) : Count{1};
    parameters += stage.held(*group, tensor.kind) * compute::per_token(scenario.model, group, tokens * ceil_div(met, max(tensor.copies, Count{1})), context);
  }
  return compute::matrices({}, parameters, Count{1}).count();
}

Count head_work(const Scenario& scenario, const Stage& stage) noexcept {
  const Model& model = scenario.model;
  if (!stage.has_head() || !model.has_head) return Count{0};
  return compute::matrices({}, vocab_share(model, scenario.strategy) * model.hidden_size, Count{1}).count();
}

Count context_work(const Scenario& scenario, const Stage& stage) noexcept { return context_work(scenario, stage, Count{scenario.workload.context_tokens}); }

Count found_again(const Scenario& scenario, Count tokens) noexcept {
  const InferenceProfile& engine = scenario.profile.inference;
  const bool slots = engine.times != nullptr && engine.times->scheduling.slots;
  const bool recurrent = std::ranges::any_of(scenario.model.groups, [](const LayerGroup& group) { return group.recurrence_shape.inner > Count{0}; });
  if (recurrent || !(slots || engine.shares_prefixes)) return Count{0};
  const std::int64_t page = slots ? 1 : std::max<std::int64_t>(scenario.serving.block_tokens, 1); // slots compare token by token
  return Count{tokens.value / page * page};
}

Count cached_prompt_tokens(const Scenario& scenario) noexcept {
  const Serving& serving = scenario.serving;
  const std::int64_t alike = std::min(serving.shared_tokens, scenario.workload.context_tokens - 1);
  return serving.shared_by == 1 ? Count{0} : found_again(scenario, Count{alike}); // shared by the beams of one prompt, which is read once anyhow
}

Count context_work(const Scenario& scenario, const Stage& stage, Count context) noexcept {
  Count total;
  for (const LayerGroup& group : scenario.model.groups) {
    if (group.layers == Count{0}) continue;
    Count passes; // of all layers of the group, forward and backward
    if (group.attends()) passes += compute::attention(scenario.model, group, context).count();
    if (group.cross.query_heads > Count{0}) passes += compute::cross_attention(group, scenario.model.encoder_sequence(context)).count();
    if (group.recurrence_shape.inner > Count{0}) passes += compute::recurrence(group).count();
    const Count layer{passes.value / compute::kPasses.value / group.layers.value};
    total += stage.held(group) * work_share(layer, group, scenario.strategy);
  }
  return total;
}

Arithmetic arithmetic_of(const Scenario& scenario, const Efficiency& efficiency) noexcept {
  const Rates& rates = scenario.hardware.rates;
  for (const auto& [scheme, arithmetic] : efficiency.multiplies)
    if (scenario.weights.scheme.starts_with(scheme) && rates.of(arithmetic) > 0) return arithmetic;
  // Engines whose kernels are measured spread packed numbers out to 16 bits.
  const ServingTimes* const times = scenario.profile.inference.times;
  const bool spreads = times != nullptr && times->kernels != nullptr && is_quantised(scenario.weights);
  if (scenario.weights.compute_bytes > Bytes{2} && !spreads) return Arithmetic::fp32;
  return rates.of(Arithmetic::bf16) > 0 ? Arithmetic::bf16 : Arithmetic::fp16;
}

std::int64_t multiply_rate(const Scenario& scenario, const Efficiency& efficiency) noexcept {
  const Rates& rates = scenario.hardware.rates;
  const auto real = [&](Arithmetic arithmetic) { return static_cast<double>(rates.of(arithmetic)); };
  const bool packed = efficiency.packed_in_int8 && is_quantised(scenario.weights) && rates.of(Arithmetic::int8) > 0 && rates.of(Arithmetic::fp32) > 0;
  if (!packed) return rates.of(arithmetic_of(scenario, efficiency));
  // An instruction multiplies 16 x 32 by 32 x 8 numbers, 8,192 operations; each of its 128 sums is turned into fp32, at a quarter of the rate of
  // fp32 units, scaled and added: six of their turns, which count two operations each. ggml-org/llama.cpp, ggml/src/ggml-cuda/mmq.cuh,
  // vec_dot_q8_0_q8_1_mma; NVIDIA, CUDA C++ Programming Guide, arithmetic instructions.
  constexpr double kOperations = 8192, kTurns = 128 * 6, kCounted = 2;
  const double each = 1 / real(Arithmetic::int8) + kTurns * kCounted / kOperations / real(Arithmetic::fp32);
  return static_cast<std::int64_t>(1 / each);
}

} // namespace plimsoll::timing
