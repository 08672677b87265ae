#pragma once
// What a training step keeps for its backward pass, layer by layer: bytes for the tokens of one micro-batch on one GPU.

#include "method/memory/activations/layer_tensors.hpp"
#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/scenario.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::memory {

inline Count tokens_inside(const Scenario& scenario) noexcept { return token_share(scenario.workload, scenario.strategy).inside; }
inline Count tokens_between(const Scenario& scenario) noexcept { return token_share(scenario.workload, scenario.strategy).between; }

/// The same of the sequences that a group gets: an encoder's may have a length of their own.
inline TokenShare tokens_of(const Scenario& scenario, const LayerGroup& group) noexcept {
  return token_share(scenario.workload, scenario.model.sequence_of(group, Count{scenario.workload.context_tokens}), scenario.strategy);
}
inline Count tokens_inside(const Scenario& scenario, const LayerGroup& group) noexcept { return tokens_of(scenario, group).inside; }
inline Count tokens_between(const Scenario& scenario, const LayerGroup& group) noexcept { return tokens_of(scenario, group).between; }

/// Saved by `layers` layers of one group; a layer counts once for every micro-batch in flight. Where only some of a term's tensors may be
/// asked for, of those that are `counted`.
Term saved_norms(const Scenario& scenario, const LayerGroup& group, Count layers, LayerTensors counted = kAllTensors) noexcept;
Term saved_attention(const Scenario& scenario, const LayerGroup& group, Count layers, LayerTensors counted = kAllTensors) noexcept;
/// A decoder's attention to the encoder.
Term saved_cross_attention(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept;
/// What latent attention keeps besides: nothing where the layer has none.
Term saved_vectors(const Scenario& scenario, const LayerGroup& group, Count layers, LayerTensors counted = kAllTensors) noexcept;
Term saved_qk_norms(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept;
/// Masks of the dropout after attention and MLP, or after the embedding.
Term saved_dropout(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept;
Term saved_embedding_dropout(const Scenario& scenario, Count micro_batches) noexcept;
Term saved_mlp(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept;
Term saved_experts(const Scenario& scenario, const LayerGroup& group, Count layers, LayerTensors counted = kAllTensors) noexcept;
Term saved_router(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept;
/// What the all-gather dispatcher keeps of `layers` layers from one step to the next.
Term dispatcher_leftovers(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept;
Term saved_shared_experts(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept;
Term saved_recurrence(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept;
/// The layer inputs that full recomputation keeps instead.
Term checkpoints(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept;
/// Whether column-parallel maps keep their input as gathered from the tensor-parallel group.
bool keeps_gathered_inputs(const Scenario& scenario) noexcept;
/// What of those inputs comes from the other GPUs of the group: of a layer's maps, and of the head.
Term gathered_inputs(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept;
Term gathered_head_inputs(const Scenario& scenario, Count micro_batches) noexcept;
/// Whether maps that train keep their inputs in 8 or 4 bits, and those inputs.
bool quantises_inputs(const Scenario& scenario) noexcept;
Term quantised_inputs(const Scenario& scenario, const LayerGroup& group, Count layers, LayerTensors counted = kAllTensors) noexcept;
/// Casts of the operands of one 8-bit multiplication.
Term fp8_casts(const Scenario& scenario, const LayerGroup& group) noexcept;
/// Outputs of single operations that recomputation by operation keeps beside the layer inputs.
Term kept_operations(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept;
/// Norms and joined inputs of multi-token prediction, beside its layers.
Term saved_prediction(const Scenario& scenario, Count micro_batches) noexcept;
/// Whether packed rows need a mask that keeps documents apart: without a kernel that is told where each begins.
bool masks_documents(const Scenario& scenario) noexcept;
/// The mask that comes with a micro-batch, or is made for it: an entry for each pair of tokens.
Term attention_mask(const Scenario& scenario) noexcept;
/// What a stage still holds of what it received and sent on.
Term pipeline_buffers(const Scenario& scenario) noexcept;
/// What stages of torch.distributed.pipelining hold of that, whose layers keep the rest.
Term stage_buffers(const Scenario& scenario, const Stage& stage) noexcept;
/// The final norm and the input of the output head.
Term saved_head(const Scenario& scenario, Count micro_batches) noexcept;
/// The gradient that flows from the output head into the final norm.
Term head_gradient(const Scenario& scenario) noexcept;
/// Whether a layer's first norm keeps the layer's input itself, so that a checkpoint of it costs nothing more.
bool norm_keeps_its_input(const Scenario& scenario) noexcept;

/// Whether inputs of 4-bit multiplications outlive their backward pass, because the loop holds the loss that leads to them.
bool keeps_former_inputs(const Scenario& scenario) noexcept;
/// Those of one layer group and of a quantised head, of the micro-batch before.
Term former_inputs(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept;
Term former_head_input(const Scenario& scenario) noexcept;
/// Temporaries of one layer's backward, on top of what it saved.
Term backward_temporaries(const Scenario& scenario, const LayerGroup& group) noexcept;

} // namespace plimsoll::memory
