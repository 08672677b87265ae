#pragma once
// What data parallelism makes besides the states themselves: buckets, gathered weights, gradients on their way.

#include "method/memory/states.hpp"
#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::memory {

/// How the framework divides states over data-parallel GPUs.
inline const ShardingProfile& profile_of(const Scenario& scenario) noexcept { return scenario.profile.training.states.sharding; }

/// Numbers of tensors on one GPU.
struct TensorSizes {
  Count largest; ///< of the largest one
  Count small;   ///< of all that are not divided, together
};

// buffers/replicated.cpp
/// DistributedDataParallel's second copy of the gradients of `parameters`.
Term gradient_buckets(Count parameters, const Scenario& scenario) noexcept;
/// Those that its first step used, while the second one has new ones.
Term former_buckets(Count parameters, const Scenario& scenario) noexcept;

// buffers/units.cpp: FSDP gathers a layer at a time. `unit` is the number of its parameters on this GPU, whole; >= 0.
/// While a layer runs forward, and until the backward pass begins.
Term gathered_forward(const Scenario& scenario, Count unit) noexcept;
/// What of it is still there while the loss is computed.
Term gathered_waiting(const Scenario& scenario, Count unit) noexcept;
/// While a layer goes backward: its weights, the next one's gather, its gradients, and those that wait to be reduced.
Term gathered_backward(const Scenario& scenario, Count unit) noexcept;
/// Frozen weights are gathered as they are stored and have no gradients: `layer` is the largest one's bytes on this GPU, whole, while it
/// runs in either direction; `outside` those of what belongs to no layer, until the end of the backward pass.
Term gathered_frozen(const Scenario& scenario, Bytes layer) noexcept;
/// What of it is still there while the loss is computed.
Term waiting_frozen(const Scenario& scenario, Bytes layer) noexcept;
/// In the backward pass, without gradients of what is frozen.
Term backward_frozen(const Scenario& scenario, Bytes layer) noexcept;
/// Of a layer that is one parameter, while it is made.
Term flat_gradient(Bytes layer) noexcept;
Term gathered_frozen_root(Bytes outside) noexcept;
/// Whether a stage of a pipeline stays gathered and reduces its gradients once, after its last micro-batch.
bool keeps_stage_whole(const Scenario& scenario) noexcept;
/// Whether torch.distributed.pipelining hands micro-batches from stage to stage.
bool stages_of_torch(const Scenario& scenario) noexcept;
/// Gradients of `parameters`, whole until then.
Term whole_gradients(const Scenario& scenario, Count parameters) noexcept;
/// Layers that stay gathered between the passes, besides the last one.
Term kept_units(const Scenario& scenario, Count parameters) noexcept;
/// One layer that stays gathered until its backward pass.
Term last_unit(const Scenario& scenario, Count unit) noexcept;
/// What belongs to no layer stays gathered from its first use to the end of the backward pass.
Term gathered_root(const Scenario& scenario, Count parameters) noexcept;
/// Gradients of what belongs to no layer, which are reduced when the backward pass ends.
Term root_gradients(const Scenario& scenario, Count parameters) noexcept;
/// The same in the reduction, beside the gradients that it reads.
Term reduced_root(const Scenario& scenario, Count parameters) noexcept;

// buffers/zero.cpp: DeepSpeed.
/// Sizes that follow from the hidden size where the profile leaves them to it.
struct ZeroSizes {
  Count bucket;      ///< gradients
  Count prefetch;    ///< weights
  Count persistence; ///< numbers of the largest tensor that is not divided
};
ZeroSizes zero_sizes(const Scenario& scenario) noexcept;
/// The bucket that gradients are copied to on their way to the reduction, whatever the size of the model.
Term reduction_bucket(const Scenario& scenario) noexcept;
/// Weights of the matrix at work and of those gathered ahead: never more than all.
Term fetched_weights(const Scenario& scenario, Count largest, Count all) noexcept;
/// Tensors too small to be divided.
Term persistent_weights(const Scenario& scenario, Count parameters) noexcept;
/// Gradients made flat and cast for the step of `shard` parameters, besides those kept.
Term step_gradients(const Scenario& scenario, Count shard) noexcept;
/// Where gradients wait for their way to the host: as many as the largest tensor has.
Term offload_buffer(const Scenario& scenario, Count largest) noexcept;
/// Numbers that one step with divided weights takes at once.
Count sub_group(const Scenario& scenario) noexcept;
/// The second set of 16-bit weight shards (ZeRO++ hpZ).
Term secondary_weights(const Scenario& scenario, Count parameters) noexcept;
/// 16-bit copies in the host's memory of what was stepped there.
Term host_staging(Count shard) noexcept;

// buffers/nvme.cpp: ZeRO-Infinity. `weights` are those that this GPU keeps between passes.
Term nvme_weights(const Scenario& scenario, Count weights) noexcept;
/// Those of them that stay in the host's memory.
Term nvme_host_weights(const Scenario& scenario, Count weights) noexcept;
/// Where weights are on their way between drives and device.
Term nvme_weight_buffers(const Scenario& scenario) noexcept;
/// Where the states of `stepped` parameters are stepped, group by group.
Term nvme_state_buffers(const Scenario& scenario, Count stepped) noexcept;

} // namespace plimsoll::memory
