#pragma once
// One formula for each kind of time; visit.cpp says what a step has of them.

#include "method/time/training/rate.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::timing {

/// What tiles of a stage's multiplications take in a micro-batch besides multiplying: as long as so many FLOP.
struct Starts {
  Count dense, experts;
};
Starts starts_of(const Scenario& scenario) noexcept;

/// GEMMs in the layers of one GPU, `work` FLOP of them in each micro-batch, `experts` of which are grouped by expert. The others move `weights`
/// bytes of weights and gradients, those of experts `expert_weights`.
Term layer_matrices(const Scenario& scenario, Count work, Count experts, Bytes weights, Bytes expert_weights) noexcept;
Term head_matrices(const Scenario& scenario, Count work) noexcept;
Term matrices_again(const Scenario& scenario, Count work, Count experts) noexcept;

/// Attention's core: `work` FLOP of the model, and exponentials of `pairs` of a query and a key in one forward pass.
Term attention_core(const Scenario& scenario, Count work, Count pairs) noexcept;
Term attention_again(const Scenario& scenario, Count work, Count pairs) noexcept;
/// Scans of state spaces and linear attention, and convolutions before them.
Term recurrences(const Scenario& scenario, Count work) noexcept;
Term recurrences_again(const Scenario& scenario, Count work) noexcept;

/// What a micro-batch reads and writes between multiplications: `channels` of each token.
enum class Traffic : unsigned char { layers, logits, routed, layers_again, adapters };
Term elementwise(const Scenario& scenario, Traffic traffic, Count channels) noexcept;

/// sink(group, layers) of the stack and of what predicts further tokens.
template <class Sink> void each_group(const Model& model, Sink&& sink) {
  for (const LayerGroup& group : model.groups) sink(group, group.layers);
  for (const LayerGroup& group : model.prediction) sink(group, model.prediction_depths * group.layers);
}

/// Channels of a row on its way to an expert.
constexpr Count width_at_experts(const Model& model, const LayerGroup& group) noexcept { return group.moe.latent_size > Count{0} ? group.moe.latent_size : model.hidden_size; }

/// What rows at the experts of a token read and write, in channels of rows in 8 bits whose experts are gated and as wide as the model.
Count channels_routed(const Scenario& scenario) noexcept;

/// Whether experts leave a sum over the tensor-parallel group: shared ones, or such that GPUs divide.
bool sums_experts(const LayerGroup& group, const Strategy& strategy) noexcept;
/// Layers as many as have all sums over the tensor-parallel group: one behind what mixes tokens and one behind the MLP, or one behind both where they
/// stand side by side. Routed experts that no GPUs divide send their sums to the tokens' own GPUs.
Count layers_summed(const Scenario& scenario) noexcept;
/// Half layers: what mixes tokens and what follows it count as one each, be they in one layer or in two of their own.
Count half_layers(const Model& model) noexcept;
/// Channels in and out of maps with two thin matrices beside them: their input is dropped out and multiplied, what comes of it scaled and added.
Count channels_beside(const Scenario& scenario) noexcept;

/// `by_operation`: layers that run again keep what they reduced, and gather anew.
Term tensor_parallel(const Scenario& scenario, Count layers, Count layers_again, bool by_operation) noexcept;
/// Of a stage's layers those with attention, and in them channels of a token on one GPU.
struct ContextWork {
  Count layers, heads, queries, keys_values, outputs;
};
/// `attention` nanoseconds of one micro-batch hide what goes around in a ring.
Term context_parallel(const Scenario& scenario, const ContextWork& work, Nanoseconds attention) noexcept;
/// What the steps of a ring leave to be joined.
Term context_merge(const Scenario& scenario, const ContextWork& work) noexcept;
/// What attention takes longer in the kernels of a ring's steps than in one.
Term context_starts(const Scenario& scenario, const ContextWork& work) noexcept;
/// `channels` of a token that all layers send to experts; `passes` nanoseconds of another micro-batch may hide them.
Term expert_exchange(const Scenario& scenario, Count channels, Count channels_again, Nanoseconds passes) noexcept;
/// How often a token that chooses so many experts is sent out, its own GPU or node counted too; thousandths.
Count copies_sent(const Scenario& scenario, Count per_token) noexcept;

/// Passes of a micro-batch through layers of one stage, a backward one counted twice; of those the ones with experts; and as many steps of a
/// context ring as the ones with attention have after the first.
struct LayerPasses {
  Count all, routed, ring;
};
/// What the host takes longer to launch the kernels of all passes than the GPU, `busy` in a step, to run them.
Term launches(const Scenario& scenario, const LayerPasses& passes, const Term& busy) noexcept;
/// The same at the end of a step, while the GPU runs `optimizer`.
Term launches_of_step(const Scenario& scenario, const Term& optimizer) noexcept;

/// Stages wait while others fill and drain the pipeline; `busy` is a step's work.
Term pipeline_bubble(const Scenario& scenario, const Term& busy) noexcept;
/// What all wait for in every micro-batch: `waiting` of `busy` is for the host, and `ends` is an average stage's part of output head and loss.
Term slowest_stage(const Scenario& scenario, const Term& busy, const Term& waiting, const Term& ends) noexcept;
Term pipeline_messages(const Scenario& scenario, const Term& busy) noexcept;

/// Gradients of `trained` parameters and weights of all `parameters` of a GPU; `passes` nanoseconds of one micro-batch hide them.
Term data_parallel(const Scenario& scenario, Count parameters, Count trained, Nanoseconds passes) noexcept;
/// The same of `experts`, parameters of experts that GPUs divide among them, after `others`, which take their part of the passes.
Term expert_data_parallel(const Scenario& scenario, Count experts, Nanoseconds passes, const Term& others) noexcept;
/// Weights of all `parameters` of a GPU, gathered from shards that are copied within groups (ZeRO++ hpZ) for the backward pass.
Term second_gather(const Scenario& scenario, Count parameters, Nanoseconds passes) noexcept;
Term replica_copies(const Scenario& scenario, Count trained) noexcept;

Term optimizer_pass(const Scenario& scenario, Count stepped) noexcept;
Term host_step(const Scenario& scenario, Count stepped) noexcept;
Term offload(const Scenario& scenario, Count parameters, Count stepped) noexcept;
/// Activations of one micro-batch that the host keeps between the passes: the inputs of all `layers`, or of modules of theirs.
Bytes activations_away(const Scenario& scenario, Count layers) noexcept;
/// Their way to the host and back, beyond what the passes of a micro-batch hide.
Term activation_offload(const Scenario& scenario, Bytes away, Nanoseconds passes) noexcept;
/// The same between the host's memory and its drives.
Term nvme(const Scenario& scenario, Count parameters, Count stepped) noexcept;

} // namespace plimsoll::timing
