#pragma once
// What replicas make to share, or to divide, what they train: gathered weights, buckets of gradients.

#include "method/memory/buffers/buffers.hpp"
#include "method/memory/states.hpp"
#include "method/moments/blocks.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::moments {

/// Parameters of the largest layer on the stage, this GPU's part; 0 without layers.
Count largest_layer(const Scenario& scenario, const Stage& stage) noexcept;
/// Numbers of the stage's largest tensor, and of all those that DeepSpeed's stage 3 does not divide.
memory::TensorSizes tensor_sizes(const Scenario& scenario, const Stage& stage) noexcept;

/// What dividing weights among GPUs makes in the passes. `outside` parameters belong to no layer, `head` of them to the head.
template <class Sink>
void visit_gathered(const Scenario& scenario, const Stage& stage, const memory::StatePlan& plan, Count held, Count outside, Count head,
                    Sink&& sink) {
  if (plan.by_unit) {
    const Count unit = largest_layer(scenario, stage);
    const bool whole = memory::keeps_stage_whole(scenario);
    if (whole) {
      sink(Block::whole_stage, Part::buffers, memory::kept_units(scenario, max(held - outside, Count{0})));
      sink(Block::whole_stage, Part::buffers, memory::whole_gradients(scenario, held));
    } else {
      sink(Block::gathered_forward, Part::buffers, memory::gathered_forward(scenario, unit));
      sink(Block::gathered_waiting, Part::buffers, memory::gathered_waiting(scenario, unit));
    }
    sink(Block::gathered_backward, Part::buffers, memory::gathered_backward(scenario, unit));
    sink(Block::gathered_root, Part::buffers, memory::gathered_root(scenario, outside));
    sink(Block::root_gradients, Part::gradients, memory::root_gradients(scenario, head));
    sink(Block::reduced_root, Part::buffers, memory::reduced_root(scenario, outside));
    const bool stay = !scenario.strategy.reshard_after_forward && !whole, last_stays = scenario.profile.training.states.sharding.last_unit_stays && !whole;
    if (stay) sink(Block::kept_units, Part::buffers, memory::kept_units(scenario, max(held - outside - unit, Count{0})));
    if (stay || (last_stays && stage.has_head()))
      sink(Block::last_unit, Part::buffers, memory::last_unit(scenario, unit));
  }
  if (plan.by_matrix) {
    const memory::TensorSizes sizes = tensor_sizes(scenario, stage);
    for (Block block : {Block::gathered_waiting, Block::gathered_backward}) // from the forward pass on
      sink(block, Part::buffers, memory::fetched_weights(scenario, sizes.largest, held));
    sink(Block::resident, Part::weights, memory::persistent_weights(scenario, sizes.small));
  }
  if (scenario.strategy.sharding == Sharding::parameters && scenario.strategy.secondary_group > 0)
    sink(Block::resident, Part::weights, memory::secondary_weights(scenario, held));
}

/// What DeepSpeed's gradients pass through.
template <class Sink>
void visit_buckets(const Scenario& scenario, const Stage& stage, const memory::StatePlan& plan, Count stepped, Sink&& sink) {
  if (!plan.buckets) return;
  sink(plan.by_matrix ? Block::resident : Block::buckets, Part::buffers, memory::reduction_bucket(scenario)); // stage 3: made at the start
  if (memory::regime_bytes(scenario.strategy.regime).master > Bytes{0} && !plan.host_gradients)
    sink(Block::step_copies, Part::optimizer, memory::step_gradients(scenario, stepped));
  if (!plan.host_gradients) return;
  sink(Block::buckets, Part::buffers, memory::offload_buffer(scenario, tensor_sizes(scenario, stage).largest));
  sink(Block::host, Part::optimizer, memory::host_staging(stepped));
}

/// What DistributedDataParallel's gradients pass through.
template <class Sink> void visit_replica_buckets(const Scenario& scenario, Count held, Sink&& sink) {
  sink(Block::resident, Part::buffers, memory::gradient_buckets(held, scenario));
  if (scenario.profile.training.states.rebuilt_copies.value > 0) sink(Block::former_buckets, Part::buffers, memory::former_buckets(held, scenario));
}

} // namespace plimsoll::moments
