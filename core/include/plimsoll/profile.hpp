#pragma once
// Which implementation runs: the constants that differ between frameworks, each with its source. Profiles are data
// (core/data/profiles); this is their shape.

#include "plimsoll/formula.hpp"
#include "plimsoll/implementation.hpp"
#include "plimsoll/strategy.hpp"
#include "plimsoll/tuning.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll {

/// One constant of a profile and where it comes from.
struct Constant {
  std::int64_t value = 0;
  std::int64_t low = 0;  ///< equal to value where nothing is uncertain
  std::int64_t high = 0;
  std::string citation;  ///< id in core/data/citations.json
  Basis basis = Basis::assumed;
};

/// Bytes per logit that the loss path holds at each moment of a step.
struct LossProfile {
  Constant forward;       ///< when the loss is computed
  Constant between;       ///< kept from the loss to its backward pass, by micro-batches that wait for theirs
  Constant backward;      ///< at the worst moment of its backward pass
  Constant head_backward; ///< while the output head's gradients are computed
  Constant after;         ///< what the training loop keeps until the next step
  Constant chunks;        ///< pieces that tokens are cut into, one piece's logits at a time; 1 = none; 0 = as many as make a piece of
                          ///< logits as large as the hidden states (Liger's fused linear cross-entropy)
  Constant chunk_forward;  ///< further bytes per logit of the one piece that is at work
  Constant chunk_backward;
  Constant parallel_forward;  ///< in place of `forward` where a tensor-parallel group divides the logits; absent = the same
  Constant parallel_backward;
  bool divided = false;   ///< GPUs of a tensor-parallel group keep the logits of their part of the vocabulary
  bool head_gradient_in_forward = false; ///< the head's gradients exist from the loss on
};

/// Norms as one implementation runs them: bytes kept per element of their input.
struct NormProfile {
  Constant rmsnorm_bytes;      ///< 16-bit activations
  Constant rmsnorm_bytes_fp32; ///< an fp32 residual stream (autocast, fp32)
  Constant layernorm_bytes;
  Constant layernorm_bytes_fp32;
  Constant qk_norm_bytes;      ///< per-head query and key norms
  Constant qk_norm_bytes_fp32; ///< the same where they compute in fp32
  Constant rmsnorm_frozen;     ///< where the norm's weight does not train
  Constant rmsnorm_frozen_fp32;
  Constant qk_norm_frozen;
  Constant qk_norm_frozen_fp32;
};

/// MLPs as one implementation runs them.
struct MlpProfile {
  Constant gated_saved;    ///< tensors of MLP width that a gated MLP keeps per token
  Constant plain_saved;    ///< the same for a two-matrix MLP
  Constant gated_backward; ///< further such tensors alive while its backward runs
  Constant plain_backward;
  Constant gelu_new_bytes; ///< saved by an MLP whose GELU is written out in Python, bytes per token and channel
  Constant gelu_new_bytes_mixed;
  Constant gelu_new_bytes_fp32;
};

/// Attention as the framework runs it.
struct AttentionProfile {
  AttentionKernel kernel = AttentionKernel::flash; ///< what Implementation's choice came to
  bool repeats_keys_values = false; ///< keys and values are copied for every query head before the kernel
  Constant output_copies;      ///< further copies of attention's output where more than one sequence is in a batch
  Constant softmax_bytes;      ///< kept per score by a kernel that keeps the softmax
  Constant score_dropout_bytes; ///< kept per score for dropout on it: mask and dropped scores
};

/// What a framework keeps of a mixture of experts beside the experts' own tensors.
struct MoeProfile {
  Constant router_bytes;   ///< per token and expert: scores, probabilities, map
  Constant router_bytes_fp32; ///< the same where the router keeps them in fp32
  Constant gathered_copies; ///< further copies of each row where several GPUs divide an expert
  Constant dispatch_bytes; ///< per token and expert, kept by the dispatcher of every layer from one step to the next
  Constant row_bytes;      ///< per row sent to an expert: indices, weights
  Constant input_copies;   ///< of each row, in activations' size: what permutation and unpermutation keep
  Constant gated_saved;    ///< tensors of expert width kept per row
  Constant plain_saved;
  Constant workspaces;     ///< further workspaces of the engine for grouped matrix multiplication
};

/// 8-bit matrix multiplication beside weights of 16 or 32 bits.
struct Fp8Profile {
  Constant copies;    ///< bytes kept per weight from one step to the next: an fp8 copy and its transpose, or nothing
  bool casts = false; ///< every operand is cast when it is multiplied, and nothing of that is kept (torchao)
};

/// Which outputs recomputation by operation keeps; the other operations of a layer run again. A row of core/data/recompute.json.
struct OperationProfile {
  Constant products;      ///< of so many matrix products in a row the first one's output is kept; 0 = of none
  bool attention = false; ///< output and log-sum-exp of a fused attention kernel
  bool scattered = false; ///< what a reduce-scatter among tensor-parallel GPUs leaves
  bool exchanged = false; ///< tokens that come from and go back to their experts' GPUs
  bool router = false;    ///< the router's product counts among the others; otherwise it always runs again
  bool unread = false;    ///< also outputs that no backward pass reads
};

/// Recurrences as the framework's kernels run them.
struct RecurrenceProfile {
  Constant inner_saved; ///< tensors as wide as the input of the output map
  Constant head_bytes;  ///< per token and head: time steps, decays, statistics
};

/// How training states are divided among data-parallel GPUs.
enum class ShardingMethod : unsigned char {
  units,   ///< a layer at a time is gathered, and its gradients are reduced (FSDP)
  buckets, ///< matrix by matrix; gradients pass through a bucket of fixed size (DeepSpeed)
};

/// What a framework makes when it divides training states: a row of core/data/sharding.json. A unit is one layer.
struct ShardingProfile {
  ShardingMethod method = ShardingMethod::units;
  bool by_rows = false;            ///< each tensor is divided along its rows; otherwise all numbers of a kind are one row of numbers
  bool last_unit_stays = false;    ///< the last layer is not dropped between forward and backward
  bool whole_in_pipelines = false; ///< a pipeline's stage stays gathered, and its gradients are added up whole, until its last micro-batch
  bool offloads_master = false;    ///< with the optimizer's states, master weights are the host's
  bool offloads_gradients = false; ///< likewise gradients
  bool gathers_on_own_stream = false; ///< the allocator keeps memory that one stream freed for that stream: what is gathered …
  bool reduces_on_own_stream = false; ///< … and gradients that a reduction made leave nothing behind for the layers
  Constant forward_units;  ///< units alive in the forward pass, in the format of the computation
  Constant backward_units; ///< likewise in the backward pass: the unit, the next one's gather, its gradients
  Constant reduced_units;  ///< units in the format of the reduction: what waits to be reduced
  Constant reduce_bytes;   ///< of one gradient in the reduction, where the computation is in 16 bits beside fp32 weights
  Constant bucket;         ///< gradients in one bucket; 0 = hidden size squared
  Constant buckets;        ///< two where communication overlaps
  Constant prefetch;       ///< weights gathered ahead; 0 = 0.9 × hidden size squared
  Constant persistence;    ///< tensors of at most so many numbers are not divided; 0 = 10 × hidden size
  Constant sub_group;      ///< numbers that one step with divided weights takes at once
};

struct StateProfile {
  GradientDtype master_gradient = GradientDtype::fp32; ///< beside a master copy of the weights
  bool preallocated_gradients = false; ///< gradients live in buffers from the first step to the last
  bool step_scalars = false;           ///< fused Adam keeps a counter on the GPU for each tensor
  bool embeddings_in_32_bits = false;  ///< 8-bit optimizers keep embedding tables in fp32
  Constant placeholder_bytes; ///< per number of each distinct weight shape, kept in place of gradients that were accumulated elsewhere
  Constant gradient_copies;            ///< further copies of all gradients that data parallelism keeps (DDP buckets)
  bool casts_gradients = false;        ///< 16-bit gradients are cast to fp32 for the optimizer, and kept until the next step
  ShardingProfile sharding;
};

/// Adapters beside frozen weights.
struct TuningProfile {
  AdapterDtype adapter_dtype = AdapterDtype::half; ///< beside 16-bit weights
  bool upcasts_unquantised = false; ///< what a quantised model leaves in 16 bits is cast to fp32 …
  std::vector<std::string> not_upcast; ///< … unless the id of its scheme begins so
};

struct TrainingProfile {
  NormProfile norms;
  MlpProfile mlp;
  AttentionProfile attention;
  MoeProfile moe;
  RecurrenceProfile recurrence;
  OperationProfile operations;
  Fp8Profile fp8;
  bool keeps_gathered = false; ///< column-parallel maps keep their input as gathered from the group; otherwise it is gathered again
  Constant pipeline_buffers; ///< activations received or to be sent, as large as the residual stream, that a stage still holds
  StateProfile states;
  TuningProfile tuning;
  LossKernel loss_kernel = LossKernel::hf_causal_lm; ///< what Implementation's choice came to
  LossProfile loss;      ///< where logits are 16 bits
  LossProfile loss_fp32; ///< where everything is fp32
};

struct InferenceProfile {
  Constant kv_block_tokens; ///< tokens per page of the cache
  Constant logit_bytes;     ///< bytes per logit of the positions that are sampled
  Constant sampler_bytes;   ///< further bytes per logit while sampling
};

struct RuntimeProfile {
  Constant context_bytes;   ///< driver context and loaded kernels
  Constant workspace_bytes; ///< one matrix-multiplication workspace on this device
  Constant workspaces;      ///< how many of them
  Constant workspaces_divided; ///< the same where a tensor-parallel group divides the multiplications
  Constant overlap_workspaces; ///< further ones where communication overlaps with multiplication
  Constant engine_workspaces;  ///< workspaces that the layers' own library keeps (Transformer Engine)
  Constant router_workspaces;  ///< further such ones where experts have a router
  Constant engine_workspace_bytes;
  bool expandable_segments = false; ///< the framework's launcher sets it in PYTORCH_CUDA_ALLOC_CONF
};

struct Profile {
  std::string id;
  std::string name;
  std::string about;
  bool for_training = false;
  bool for_inference = false;
  TrainingProfile training;
  InferenceProfile inference;
  RuntimeProfile runtime;
};

} // namespace plimsoll
