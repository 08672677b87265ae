#include "method/sharding/fleet.hpp"

#include "plimsoll/method/pipeline.hpp"

#include <algorithm>

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

WrittenLayers written_layers(std::int64_t layers, const Strategy& strategy) noexcept {
  const std::int64_t stages = strategy.pipeline_parallel, chunks = stages * strategy.virtual_stages, each = (layers + chunks - 1) / chunks, left = layers - (chunks - 1) * each;
  const WrittenLayers written{each + std::min<std::int64_t>(left, 0), each, std::max<std::int64_t>(left, 0)};
  const bool whole = strategy.virtual_stages == 1;
  const std::int64_t fewest = whole ? 1 : 0;
  const bool even = layers % stages == 0 || (layers + 2) % stages == 0;
  return even || (whole && stages == 2) || written.first < fewest || written.last < fewest ? WrittenLayers{} : written;
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

StageLoads stage_loads(const Model& model, const Strategy& strategy) noexcept {
  const auto layers = static_cast<std::int64_t>(model.pattern.size());
  const std::int64_t stages = strategy.pipeline_parallel, chunks = chunks_per_rank(strategy);
  const std::int64_t before = strategy.embedding_in_split ? 1 : 0, after = strategy.loss_in_split ? 1 : 0;
  if (strategy.pipeline_schedule == PipelineSchedule::dualpipe) return {Count{layers_of_stage(layers, strategy)}, Count{0}};
  const bool even = strategy.chunk_layers.empty() && strategy.first_stage_layers == 0 && strategy.last_stage_layers == 0 && (layers + before + after) % (stages * chunks) == 0;
  if (const std::int64_t each = (layers + before + after) / stages; even && stages > 2) return {Count{each}, Count{each - after}};
  StageLoads loads;
  for (std::int64_t rank = 0; rank < stages; ++rank) {
    std::int64_t own = 0;
    bool has_head = false;
    for (std::int64_t index = 0; index < chunks; ++index) {
      const Chunk chunk = chunk_of(model, strategy, rank, index);
      own += chunk.layers;
      has_head = has_head || chunk.has_head;
    }
    loads.largest = max(loads.largest, Count{own});
    if (has_head) loads.with_head = Count{own};
  }
  return loads;
}

std::int64_t layers_of_stage(std::int64_t layers, const Strategy& strategy) noexcept {
  return (layers + strategy.pipeline_parallel - 1) / strategy.pipeline_parallel;
}

} // namespace plimsoll
