#pragma once
// What replicas make to share, or to divide, what they train: gathered weights, buckets of gradients.

#include "method/memory/buffers/buffers.hpp"
#include "method/memory/states.hpp"
#include "method/moments/lifetimes.hpp"
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
      sink(Lifetime::whole_stage, Part::buffers, memory::kept_units(scenario, max(held - outside, Count{0})));
      sink(Lifetime::whole_stage, Part::buffers, memory::whole_gradients(scenario, held));
    } else {
      sink(Lifetime::gathered_forward, Part::buffers, memory::gathered_forward(scenario, unit));
      sink(Lifetime::gathered_waiting, Part::buffers, memory::gathered_waiting(scenario, unit));
    }
    sink(Lifetime::gathered_backward, Part::buffers, memory::gathered_backward(scenario, unit));
    sink(Lifetime::gathered_root, Part::buffers, memory::gathered_root(scenario, outside));
    sink(Lifetime::root_gradients, Part::gradients, memory::root_gradients(scenario, head));
    sink(Lifetime::reduced_root, Part::buffers, memory::reduced_root(scenario, outside));
    const bool stay = !scenario.strategy.reshard_after_forward && !whole, last_stays = scenario.profile.training.states.sharding.last_unit_stays && !whole;
    if (stay) sink(Lifetime::kept_units, Part::buffers, memory::kept_units(scenario, max(held - outside - unit, Count{0})));
    if (stay || (last_stays && stage.has_head()))
      sink(Lifetime::last_unit, Part::buffers, memory::last_unit(scenario, unit));
  }
  if (plan.by_matrix) {
    const memory::TensorSizes sizes = tensor_sizes(scenario, stage);
    for (Lifetime block : {Lifetime::gathered_waiting, Lifetime::gathered_backward}) // from the forward pass on
      sink(block, Part::buffers, memory::fetched_weights(scenario, sizes.largest, held));
    sink(Lifetime::resident, Part::weights, memory::persistent_weights(scenario, sizes.small));
  }
  if (scenario.strategy.sharding == Sharding::parameters && scenario.strategy.secondary_group > 0)
    sink(Lifetime::resident, Part::weights, memory::secondary_weights(scenario, held));
}

/// What DeepSpeed's gradients pass through.
template <class Sink>
void visit_buckets(const Scenario& scenario, const Stage& stage, const memory::StatePlan& plan, Count stepped, Sink&& sink) {
  if (!plan.buckets) return;
  sink(plan.by_matrix ? Lifetime::resident : Lifetime::buckets, Part::buffers, memory::reduction_bucket(scenario)); // stage 3: made at the start
  if (memory::precision_bytes(scenario.strategy.precision).master > Bytes{0} && !plan.host_gradients)
    sink(Lifetime::step_copies, Part::optimizer, memory::step_gradients(scenario, stepped));
  if (!plan.host_gradients) return;
  sink(Lifetime::buckets, Part::buffers, memory::offload_buffer(scenario, tensor_sizes(scenario, stage).largest));
  sink(Lifetime::host, Part::optimizer, memory::host_staging(stepped));
}

/// Weights on NVMe drives, `kept` of them, and what the host's memory has for these and for the `stepped` numbers whose states are there.
template <class Sink> void visit_nvme(const Scenario& scenario, const memory::StatePlan& plan, Count kept, Count stepped, Sink&& sink) {
  if (plan.nvme_states) sink(Lifetime::host, Part::optimizer, memory::nvme_state_buffers(scenario, stepped));
  if (!plan.nvme_weights) return;
  sink(Lifetime::nvme, Part::weights, memory::nvme_weights(scenario, kept));
  sink(Lifetime::host, Part::weights, memory::nvme_host_weights(scenario, kept));
  sink(Lifetime::host, Part::weights, memory::nvme_weight_buffers(scenario));
}

/// What DistributedDataParallel's gradients pass through.
template <class Sink> void visit_replica_buckets(const Scenario& scenario, Count held, Sink&& sink) {
  sink(Lifetime::resident, Part::buffers, memory::gradient_buckets(held, scenario));
  if (scenario.profile.training.states.rebuilt_copies.value > 0) sink(Lifetime::former_buckets, Part::buffers, memory::former_buckets(held, scenario));
}

} // namespace plimsoll::moments
