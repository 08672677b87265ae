#pragma once
// Who holds which share: the only place that divides by a parallel degree. Formulas receive shares, never degrees.

#include "plimsoll/method/model.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/strategy.hpp"
#include "plimsoll/method/workload.hpp"

namespace plimsoll {

struct Serving;
struct InferenceProfile;

/// What one GPU holds of one layer of a group. Widths are channels per token; a part that the layer lacks has width 0.
struct LayerShare {
  Count query_heads;  ///< of this GPU
  Count query_width;  ///< query heads × size of a query
  Count key_width;    ///< key heads × size of a key; KV heads are replicated when there are more GPUs than heads
  Count value_width;  ///< value heads × size of a value
  Count output_width; ///< query heads × size of a value: what the output map reads
  Count expanded_keys; ///< of key_width, what is expanded from a vector, before the rotary part is joined
  Count query_vector; ///< channels that queries are expanded from; whole on every GPU
  Count key_value_vector; ///< channels that keys and values are expanded from; whole on every GPU
  Count shared_rotary; ///< channels of keys with position that all heads share
  Count cached_width; ///< kept of every token in the KV cache: keys and values, or the vector they are expanded from
  Count cached_values; ///< of cached_width, the values; a vector is all keys
  Count transposed_vector; ///< of a cached vector, what a second, transposed copy of it holds
  Count intermediate; ///< channels of the dense MLP
  Count expert;       ///< channels of one expert
  Count shared;       ///< channels of the shared experts
  Count recurrent_projected; ///< channels out of a recurrence's input maps
  Count recurrent_inner;     ///< channels into its output map
  Count recurrent_heads;     ///< whose time steps training keeps
  Count recurrent_state;     ///< numbers of state per sequence
  Count conv_state;          ///< numbers that its convolution remembers per sequence
};

/// What one GPU holds of a tensor, a last part's padding included.
struct TensorShare {
  Count rows;
  Count columns;
};

/// Degrees 1 and 1: the whole model on one GPU.
inline const Strategy kUnsharded{};

/// The same of a decoder's attention to the encoder.
struct CrossShare {
  Count heads;
  Count query_width;
  Count keys_values; ///< of one token of the encoder
  Count output_width;
};

LayerShare layer_share(const LayerGroup& group, const Strategy& strategy) noexcept;

/// Of that, the channels between the maps of a layer's MLPs; 0 for those it lacks.
struct MlpShare {
  Count intermediate, expert, shared;
};
MlpShare mlp_share(const LayerGroup& group, const Strategy& strategy) noexcept;
CrossShare cross_share(const LayerGroup& group, const Strategy& strategy) noexcept;
/// Channels of keys and values that cross attention caches for every token of the encoder.
Count cross_cached_width(const LayerGroup& group, const Strategy& strategy) noexcept;
TensorShare tensor_share(const Tensor& tensor, const Strategy& strategy) noexcept;
/// Its copies in one layer on one GPU: expert parallelism divides experts.
Count copies_per_gpu(const Tensor& tensor, const Strategy& strategy) noexcept;
/// What one GPU holds of `rows` × `columns` numbers that are divided as that tensor is: a half of it, stored apart.
TensorShare tensor_share(const Tensor& tensor, Count rows, Count columns, const Strategy& strategy) noexcept;
/// The same copies, and the numbers in all of them.
struct HeldTensor {
  Count copies, numbers;
};
HeldTensor held_per_gpu(const Tensor& tensor, const Strategy& strategy) noexcept;
/// Of all that run's tensors.
HeldTensor held_per_gpu(const ModelTensors& tensors, const TensorRun& run, const Strategy& strategy) noexcept;
inline Count elements_per_gpu(const Tensor& tensor, const Strategy& strategy) noexcept { return held_per_gpu(tensor, strategy).numbers; }

/// Tokens of one micro-batch on one GPU.
struct TokenShare {
  Count inside;  ///< that attention and MLP work on: of all sequences, padding included, this context-parallel part
  Count between; ///< that norms, residual stream and dropout work on: sequence parallelism divides them once more
};
TokenShare token_share(const Workload& workload, const Strategy& strategy) noexcept;
/// The same where sequences are as long as `context` instead.
TokenShare token_share(const Workload& workload, Count context, const Strategy& strategy) noexcept;
/// The same before context parallelism divides sequences.
Count sequence_tokens(const Workload& workload) noexcept;

/// Rows that the experts of one GPU receive when the router spreads tokens evenly: one for each expert a token is sent to.
Count routed_rows(const Workload& workload, const Strategy& strategy, Count per_token) noexcept;
/// Experts that the fullest GPU has of so many.
Count experts_of_gpu(Count experts, const Strategy& strategy) noexcept;

/// Tokens that GPUs which share experts gather from each other.
Count gathered_tokens(const Workload& workload, const Strategy& strategy) noexcept;
/// Whether several GPUs divide each expert.
bool divides_experts(const Strategy& strategy) noexcept;

/// GPUs among which training states of a kind of tensor are divided: experts have fewer replicas than the rest.
Count shard_count(TensorKind kind, const Strategy& strategy) noexcept;
/// The part of `elements` that one of those GPUs keeps.
Count shard_of(Count elements, TensorKind kind, const Strategy& strategy) noexcept;
/// Whether there are several such groups of GPUs, each with a whole set of shards of dense tensors (HSDP, MiCS).
bool has_shard_copies(const Strategy& strategy) noexcept;
/// The part that one of so many replicas keeps, or sums for all; replicas >= 1.
Count replica_part(Count elements, Count replicas) noexcept;
/// The part that one GPU of a secondary group keeps (ZeRO++ hpZ).
Count secondary_shard_of(Count elements, const Strategy& strategy) noexcept;

/// Whether a pipeline rank holds a tensor that stands outside layers. A table that is embedding and head is on both ends.
bool holds(const Stage& stage, TensorKind kind, bool tied_embeddings) noexcept;

/// Logits of one token on one GPU, where a tensor-parallel group divides the vocabulary.
Count vocab_share(const Model& model, const Strategy& strategy) noexcept;

/// What each GPU of a tensor-parallel group sends when they add up `whole` in a ring: 2 (n - 1) / n of it. 0 without a group.
Bytes sent_in_all_reduce(Bytes whole, const Strategy& strategy) noexcept;
/// The part of what attention, or a recurrence, computes that falls to one GPU: its heads, its channels.
Count work_share(Count whole, const LayerGroup& group, const Strategy& strategy) noexcept;

/// How an engine divides a model that it serves: what only training asks is left out, and what the engine cannot do.
Strategy serving_strategy(const Strategy& asked, const Serving& serving, const InferenceProfile& engine, const Model& model);
/// How an engine divides its copy of a model that trains: each of its replicas over so many of its GPUs.
Strategy rollout_strategy(std::int64_t tensor_parallel, Count gpus) noexcept;
/// GPUs that divide the experts of one layer, or parts of them, among each other when the model is served so.
Count expert_group(const Strategy& asked, const Serving& serving, const InferenceProfile& engine, const Model& model);
/// Whether data-parallel replicas divide the experts among them, so that tokens of all meet those of one GPU.
bool replicas_share_experts(const Strategy& strategy) noexcept;
/// Sequences of all replicas that meet the experts of one GPU.
Count sequences_at_experts(Count of_a_replica, const Strategy& strategy) noexcept;
/// What each GPU sends when tokens go to the experts of other replicas: (n - 1) / n of `whole`. 0 where they do not.
Bytes sent_to_experts(Bytes whole, const Strategy& strategy) noexcept;
/// Of so many sequences of all replicas, those of one of them, the largest share.
Count sequences_of_replica(Count sequences, const Strategy& strategy) noexcept;
/// Whether several GPUs hold one replica's parts.
bool divides_model(const Strategy& strategy) noexcept;
/// The same strategy of serving where one GPU held all stages of a pipeline: a token meets them one after the other.
Strategy without_stages(const Strategy& strategy) noexcept;
/// Whether other groups of GPUs read the prompts that these answer, each divided otherwise; how those divide the model; how many GPUs they are.
bool reads_apart(const Strategy& strategy) noexcept;
Strategy prefill_strategy(const Strategy& strategy);
Count prefill_gpus(const Strategy& strategy) noexcept;
/// The same strategy with one replica.
Strategy one_replica(const Strategy& strategy);
/// Times that a token goes from one stage to the next.
Count hops_of(const Strategy& strategy) noexcept;
/// Of so many sequences, those that one pass takes: as many passes as there are stages are under way.
Count sequences_in_pass(Count sequences, const Strategy& strategy) noexcept;
/// The same of anything that is dealt out evenly, on average.
double in_one_pass(double of_all, const Strategy& strategy) noexcept;
/// Tokens of a sequence whose keys and values one GPU keeps, the largest share.
Count cached_tokens(Count tokens, const Serving& serving) noexcept;
/// Tokens that so many tokens on one GPU are in all.
Count tokens_of_group(Count on_gpu, const Serving& serving) noexcept;

/// GPUs that the strategy needs in all.
Count gpu_count(const Strategy& strategy) noexcept;

/// Whether gradients must be averaged between replicas.
bool has_replicas(const Strategy& strategy) noexcept;

/// GPUs that divide one replica and its sequences among them.
Count gpus_of_a_replica(const Strategy& strategy) noexcept;
/// Of what a token costs, one GPU's part of one micro-batch of training, on average over the stages of a pipeline.
Count micro_batch_share(Count per_token, const Workload& workload, const Strategy& strategy) noexcept;
/// Tokens that all replicas train on in one step.
Count step_tokens(const Workload& workload, const Strategy& strategy) noexcept;
/// Layers of one stage on average, rounded up.
Count stage_layers(Count layers, const Strategy& strategy) noexcept;

/// GPUs that exchange data with each other.
enum class Ring : unsigned char {
  tensor,
  context,
  experts,
  shards, ///< data parallelism: gradients are summed, shards gathered
  copies, ///< groups of shards that are copies of each other (HSDP)
  stages, ///< of a pipeline
};
struct RingShape {
  Count members;
  Count span; ///< GPUs from the first member to the last: ranks of tensor, context, data and pipeline parallelism stand inside one another
};
RingShape ring_of(Ring ring, const Strategy& strategy) noexcept;
/// Members of the ring in one node of `per_node` GPUs, where it passes through several; at least 1.
Count members_in_node(const RingShape& ring, std::int64_t per_node) noexcept;
/// What each of `members` passes on while they gather, or reduce and scatter, `whole` in a ring. An all-reduce is both.
Bytes ring_traffic(Bytes whole, Count members) noexcept;

/// A pipeline's idle time over its busy time: idle / slots.
struct Bubble {
  Count idle;
  Count slots; ///< >= 1
};
Bubble bubble_of(const Strategy& strategy, const Workload& workload) noexcept;

} // namespace plimsoll
