#include "method/sharding/fleet.hpp"

namespace plimsoll {

std::int64_t replicas_on(std::int64_t gpus, const Strategy& strategy) noexcept {
  const std::int64_t of_one = strategy.tensor_parallel * strategy.pipeline_parallel * strategy.context_parallel;
  return gpus % of_one == 0 ? gpus / of_one : 0;
}

std::int64_t replicas_in_node(std::int64_t per_node, const Strategy& strategy) noexcept {
  const std::int64_t all = strategy.data_parallel * strategy.context_parallel, group = per_node / strategy.tensor_parallel;
  return group > 1 && group < all && all % group == 0 ? group : 0;
}

std::int64_t micro_batches_for(std::int64_t sequences, const Workload& workload, const Strategy& strategy) noexcept {
  const std::int64_t at_once = workload.batch * strategy.data_parallel;
  return sequences % at_once == 0 ? sequences / at_once : 0;
}

StageEnds uneven_ends(std::int64_t layers, const Strategy& strategy) noexcept {
  const std::int64_t stages = strategy.pipeline_parallel;
  const std::int64_t left = layers - (stages - 2) * layers_of_stage(layers, strategy);
  if (stages < 2 || layers % stages == 0 || left < 2) return {};
  return {left - left / 2, left / 2};
}

RingShape secondary_ring(const Strategy& strategy) noexcept {
  const Count members{strategy.secondary_group > 0 ? strategy.secondary_group : 1};
  return {members, Count{strategy.tensor_parallel} * members};
}

RingShape expert_shards_ring(const Strategy& strategy) noexcept {
  return {shard_count(TensorKind::experts, strategy), ring_of(Ring::shards, strategy).span};
}

Count holders_of_model(const Strategy& strategy) noexcept {
  return max(gpus_of_a_replica(strategy), Count{strategy.pipeline_parallel} * ring_of(Ring::experts, strategy).span);
}

Count expert_parameters_per_gpu(const Model& model, const Strategy& strategy, const Stage& stage) noexcept {
  Count total;
  for (const ModelTensor& part : model.tensors) {
    const LayerGroup* const group = model.group_of(part);
    if (group != nullptr && is_routed(part.tensor.kind) && in_language_model(part.tensor.kind)) total += stage.held(*group) * elements_per_gpu(part.tensor, strategy);
  }
  return total;
}

Count largest_stage(Count layers, const Strategy& strategy) noexcept {
  const Count first{strategy.first_stage_layers}, last{strategy.last_stage_layers};
  if ((first == Count{0} && last == Count{0}) || !strategy.chunk_layers.empty()) return Count{0};
  const Count others{strategy.pipeline_parallel - (first > Count{0} ? 1 : 0) - (last > Count{0} ? 1 : 0)};
  const Count most = max(first, last);
  return others > Count{0} ? max(most, ceil_div(max(layers - first - last, Count{0}), others)) : most;
}

std::int64_t layers_of_stage(std::int64_t layers, const Strategy& strategy) noexcept {
  return (layers + strategy.pipeline_parallel - 1) / strategy.pipeline_parallel;
}

} // namespace plimsoll
