#pragma once
// How a number of GPUs, or of sequences, comes apart into replicas, groups and micro-batches.

#include "plimsoll/method/sharding.hpp"
#include "plimsoll/method/strategy.hpp"
#include "plimsoll/method/workload.hpp"

#include <cstdint>

namespace plimsoll {

/// Replicas that `gpus` GPUs hold when the strategy's other degrees have theirs; 0 where some GPUs would be left over.
std::int64_t replicas_on(std::int64_t gpus, const Strategy& strategy) noexcept;

/// Data- and context-parallel GPUs of one node, when each node has `per_node` GPUs and tensor groups stay within it: a group of shards
/// whose gathers need no network. 0 where that is one GPU or no part of all of them.
std::int64_t replicas_in_node(std::int64_t per_node, const Strategy& strategy) noexcept;

/// Micro-batches of each replica that make up `sequences` in a step; 0 where they do not.
std::int64_t micro_batches_for(std::int64_t sequences, const Workload& workload, const Strategy& strategy) noexcept;

/// Layers of a pipeline's first and last stage where the stages between them have as many as evenly divided layers would be, rounded up.
struct StageEnds {
  std::int64_t first = 0, last = 0;
};
/// 0 and 0 where stages divide the layers evenly anyhow, and where none would be left for an end.
StageEnds uneven_ends(std::int64_t layers, const Strategy& strategy) noexcept;

/// Layers of chunks that are written out: of the first, of each between, of the last.
struct WrittenLayers {
  std::int64_t first = 0, each = 0, last = 0;
};
/// Each has as many as evenly divided chunks would have, rounded up, but the last, which has the loss besides and gets what is left; where that is
/// less than nothing, the first has fewer by as many. So Megatron-Bridge's recipes lay out DeepSeek V3, Kimi K2 and Moonlight:
/// src/megatron/bridge/recipes, map_pp_vp_to_layout; scripts/performance/configs, pp_layout. All 0 where stages divide the layers evenly anyhow, or
/// with embedding and loss counted among them, where the first has no such number, and of whole stages where an end would have none or there are two,
/// which are as uneven_ends() has them.
WrittenLayers written_layers(std::int64_t layers, const Strategy& strategy) noexcept;

/// Who gathers from the second set of weight shards; one member where there is none.
RingShape secondary_ring(const Strategy& strategy) noexcept;

/// Who reduces the gradients of experts that `expert_parallel` divides: the GPUs that hold the same ones, which stand further apart than other shards do.
RingShape expert_shards_ring(const Strategy& strategy) noexcept;

/// GPUs that together hold every weight of the model: those of a replica, or of all stages' experts, whose maps other replicas may have.
Count holders_of_model(const Strategy& strategy) noexcept;

/// Layers of the stage that has the most, and of the one that has the output head too; 0 where nobody has the head alone.
struct StageLoads {
  Count largest, with_head;
};
StageLoads stage_loads(const Model& model, const Strategy& strategy) noexcept;

/// The most layers that a stage has when stages divide them as evenly as whole layers can be.
std::int64_t layers_of_stage(std::int64_t layers, const Strategy& strategy) noexcept;

} // namespace plimsoll
