#pragma once
// Which implementation runs: the constants that differ between frameworks, each with its source. Profiles are data
// (core/catalog/data/profiles); this is their shape.

#include "plimsoll/method/constant.hpp"
#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/hardware.hpp"
#include "plimsoll/method/implementation.hpp"
#include "plimsoll/method/kept_profile.hpp"
#include "plimsoll/method/serving.hpp"
#include "plimsoll/method/strategy.hpp"
#include "plimsoll/method/training_efficiency.hpp"
#include "plimsoll/method/tuning.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll {

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
  Constant chunk_tokens;   ///< tokens of each sequence in one piece, where a piece has a length of its own; 0 = as `chunks` says
  Constant chunk_bytes;    ///< most that a piece's logits may take in fp32, where pieces are cut to what the device has left; 0 = they are not
  Constant converted;     ///< bytes per logit of `forward` that are made when the head is done
  Constant parallel_forward;  ///< in place of `forward` where a tensor-parallel group divides the logits; absent = the same
  Constant parallel_backward;
  bool divided = false;   ///< GPUs of a tensor-parallel group keep the logits of their part of the vocabulary
  bool head_in_pieces = false; ///< the output head multiplies piece by piece, and each piece makes a whole gradient of it
  bool head_gradient_in_forward = false; ///< the head's gradients exist from the loss on
  bool few_passes = false; ///< kernels that read and write the logits few times: TrainingEfficiency::logit_bytes is theirs
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
  Constant twice;              ///< of an RMSNorm's bytes per channel, those that two of its operations keep
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
  bool values_view_projection = false; ///< where every query head has its own keys and values, values are a view of the joint projection, which stays with them
  Constant output_copies;      ///< further copies of attention's output where more than one sequence is in a batch
  bool copies_each_output = false; ///< the same for a single sequence: the kernel writes head by head, the output map reads token by token
  bool caps_outside_kernel = false; ///< where scores are capped, no fused kernel runs: code that caps them runs operation by operation
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

/// Which outputs recomputation by operation keeps; the other operations of a layer run again. "kept" in core/catalog/data/operations.json.
struct OperationProfile {
  Constant products;      ///< of so many matrix products in a row the first one's output is kept; 0 = of none
  bool attention = false; ///< output and log-sum-exp of a fused attention kernel
  bool scattered = false; ///< what a reduce-scatter among tensor-parallel GPUs leaves
  bool exchanged = false; ///< tokens that come from and go back to their experts' GPUs
  bool router = false;    ///< the router's product counts among the others; otherwise it always runs again
  bool unread = false;    ///< also outputs that no backward pass reads
};

/// Modules of a layer that run again, or whose inputs leave the device, one by one.
struct ModuleProfile {
  bool chosen = false;          ///< whether the framework lets people choose them (Megatron-LM)
  bool norms_in_maps = false;   ///< a norm is one operation with the maps that read it, and not a module, unless vectors or a router read it
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

/// What stays in the host's memory beside what lies on NVMe drives.
struct NvmeProfile {
  Constant state_buffers; ///< fp32 buffers as large as the largest group of numbers that is stepped at once; 0 = the framework has no NVMe tier
  Constant weight_buffers;
  Constant weight_buffer; ///< numbers in one of them
  Constant host_weights;  ///< numbers of weights that stay in the host's memory all the same
};

/// What a framework makes when it divides training states: a row of core/catalog/data/sharding.json, or the profile's own. A unit is one layer.
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
  Constant waiting_units;  ///< of them, while the loss is computed
  Constant backward_units; ///< likewise in the backward pass: the unit, the next one's gather, its gradients
  Constant reduced_units;  ///< units in the format of the reduction: what waits to be reduced
  Constant reduce_bytes;   ///< of one gradient in the reduction, where the computation is in 16 bits beside fp32 weights
  Constant bucket;         ///< gradients in one bucket; 0 = hidden size squared
  Constant buckets;        ///< two where communication overlaps
  Constant prefetch;       ///< weights gathered ahead; 0 = 0.9 × hidden size squared
  Constant persistence;    ///< tensors of at most so many numbers are not divided; 0 = 10 × hidden size
  Constant sub_group;      ///< numbers that one step with divided weights takes at once
  NvmeProfile nvme;
};

struct StateProfile {
  GradientDtype master_gradient = GradientDtype::fp32; ///< beside a master copy of the weights
  bool preallocated_gradients = false; ///< gradients live in buffers from the first step to the last
  bool step_scalars = false;           ///< fused Adam keeps a counter on the GPU for each tensor
  bool embeddings_in_32_bits = false;  ///< 8-bit optimizers keep embedding tables in fp32
  Constant placeholder_bytes; ///< per number of each distinct weight shape, kept in place of gradients that were accumulated elsewhere
  Constant gradient_copies;            ///< further copies of all gradients that data parallelism keeps (DDP buckets)
  Constant rebuilt_copies;             ///< the same that stay beside new ones after the first step, through the second
  bool flat_gradients = false;         ///< a sharded layer is one parameter, its adapters with it: where anything of it trains, all of it has a gradient
  bool accumulates_whole = false;      ///< sharded models keep whole gradients from one micro-batch to the next (FSDP's no_sync)
  bool casts_gradients = false;        ///< 16-bit gradients are cast to fp32 for the optimizer, and kept until the next step
  ShardingProfile sharding;
};

/// Adapters beside frozen weights.
struct TuningProfile {
  AdapterDtype adapter_dtype = AdapterDtype::half; ///< beside 16-bit weights
  bool upcasts_unquantised = false; ///< what a quantised model leaves in 16 bits is cast to fp32 …
  std::vector<std::string> not_upcast; ///< … unless the id of its scheme begins so
  bool joint_attention = false; ///< adapters of queries, keys and values are one module: one dropped input, one output filled up with zeros
  bool fused = false;           ///< LoRA without dropout runs in one function with its maps: what they read is kept as the layer has it, the MLP's product is made again, and sums are written in place
  Constant dequantised_copies; ///< of a 4-bit matrix in the format of the computation while it is multiplied
};

struct TrainingProfile {
  NormProfile norms;
  MlpProfile mlp;
  AttentionProfile attention;
  MoeProfile moe;
  RecurrenceProfile recurrence;
  bool keeps_last_loss = false; ///< the loop holds on to a loss, and the graph behind it, until the next one
  OperationProfile operations;
  ModuleProfile modules;
  OffloadProfile offload;
  RolloutProfile rollout;
  Fp8Profile fp8;
  bool tf32 = false; ///< the framework's scripts let fp32 matrices multiply in TF32; PyTorch by itself does not
  bool keeps_gathered = false; ///< column-parallel maps keep their input as gathered from the group; otherwise it is gathered again
  Constant pipeline_buffers; ///< activations received or to be sent, as large as the residual stream, that a stage still holds
  StateProfile states;
  TuningProfile tuning;
  bool copies_modules = false; ///< whole modules can train beside adapters, as copies (PEFT's modules_to_save)
  LossKernel loss_kernel = LossKernel::hf_causal_lm; ///< what Implementation's choice came to
  LossProfile loss;      ///< where logits are 16 bits
  LossProfile loss_fp32; ///< where everything is fp32
};

/// What layers keep that attend to a window or a chunk only.
enum class WindowCache : unsigned char {
  pages, ///< the window before a pass, the pass, and a page more: a window seldom starts at a page's edge (vLLM)
  cells, ///< the window and a pass (llama.cpp)
  whole, ///< the whole context
};

/// What a forward pass computes in.
enum class PassBuffers : unsigned char {
  live_set, ///< tensors that come and go
  graph,    ///< one buffer for all passes, as large as the largest graph needs (ggml)
  scratch,  ///< the same as llama.cpp measured it until the end of 2023
};

/// Which stages of a pipeline hold one layer more where stages cannot hold the same number.
enum class OddLayers : unsigned char {
  first,       ///< the first ones
  before_last, ///< those before the last one, from behind
  last,        ///< the last ones
  with_head,   ///< the output head is divided along as one more layer (llama.cpp)
};

/// Whether data-parallel replicas divide the experts of a model among them.
enum class ReplicaExperts : unsigned char {
  apart,    ///< each replica has all experts
  together, ///< whenever there are several
  asked,    ///< where the engine is told to
};

/// Which maps have room for adapters that are served beside the weights.
enum class LoraRoom : unsigned char { none, layers, tables /**< and the embedding table and the head */ };

/// How an engine says how much memory its cache takes. None: as much as the sequences need.
enum class PoolRule : unsigned char {
  none,
  share_of_device, ///< share × device - weights - peak of a profile run - what is outside the allocator (vLLM)
  share_of_start,  ///< share × what was free at the start - weights: passes have the rest (SGLang)
  share_of_free,   ///< share × (device - weights - passes - what is outside): TensorRT-LLM
  share_after_load, ///< share × (device - weights - what is outside): LMDeploy
};

/// What captured CUDA graphs take: sizes in steps of `fine` up to `coarse_from` tokens, of `coarse` from there on.
struct GraphProfile {
  Constant first; ///< bytes of the first one, with the pool of memory that they share
  Constant each;  ///< bytes of every further one; 0 = the engine captures none, or nobody has measured them
  Constant most;  ///< tokens of the largest one unless the engine is told otherwise
  Constant fine, coarse_from, coarse;
  bool decodes_apart = false; ///< a second set for passes that only decode, up to as many sequences as a pass may take
  bool in_budget = false;     ///< the rule of the cache takes them off
};

/// The budget of a cache that is taken at the start.
struct PoolProfile {
  PoolRule rule = PoolRule::none;
  Constant share;    ///< thousandths
  Constant outside;  ///< bytes that the rule takes off besides: what libraries, communicators and graphs hold
  Constant outside_divided; ///< the same where GPUs divide the model
  bool rounds_up = false; ///< a last page that is not full counts as a page
  bool starts_short = false; ///< the engine starts though its cache has no room for one sequence of the whole context: it shortens contexts, or
                             ///< turns longer requests away
  // Where the share is not a number but what these leave of the device (SGLang). All bytes; 0 = the share is `share`.
  Constant left;             ///< in any case
  Constant left_token;       ///< for each token of a pass
  Constant min_free_tokens; ///< tokens that count at least
  Constant left_sequence;    ///< for each sequence of the largest captured graph
  Constant left_gpu;         ///< for each GPU that holds a part of the model
  Constant left_least;       ///< in all, on devices above `reserve_from_device_bytes`
  Constant reserve_from_device_bytes;
};

/// What of a device's rates the kernels of an engine reach when they serve, on one class of devices. Measured ones were fitted on runs of
/// the same engine and class; `plimsoll accuracy` compares them with rows of their own and of other devices.
struct Efficiency {
  std::string device_class;            ///< e.g. "stacked": memory on the package, several thousand lines wide
  std::vector<std::string> devices;    ///< the class is of these only; none = of all
  std::int64_t least_memory_rate = 0;  ///< the class is of devices that read at least so many bytes/s
  Constant plain_share;     ///< thousandths of the memory's rate at which weights are read that are plain numbers
  Constant quantised_share; ///< likewise of weights in blocks with scales
  Constant cache_share;     ///< likewise of what attention reads of the cache
  Constant layer_ns;        ///< of a layer in a pass over few tokens, whatever it reads: launches, and kernels that fill up and run dry
  Constant sequence_ns;     ///< of a sequence in a step: scheduling, sampling
  Constant reduction_ns;    ///< of one all-reduce in a node, before the first byte
  Constant link_share;      ///< thousandths of the links' rate that its collectives reach with as little as a step sends
  Constant compute_share;   ///< thousandths of the matrix units' rate in passes over many tokens
  Constant host_rate;       ///< bytes/s at which the host reads the layers that are left to it
  bool packed_in_int8 = false;         ///< packed blocks of 32 numbers are multiplied in int8, and what comes of each is scaled in fp32 (llama.cpp's MMQ)
  std::vector<std::pair<std::string, Arithmetic>> multiplies; ///< schemes whose ids begin so multiply in that format, where the device can
};

/// What an engine takes on devices with less than so much memory, unless it is told otherwise.
struct DeviceTier {
  std::int64_t below = 0;  ///< bytes; 0 = of any size
  Constant pass_tokens;
  Constant graph_sequences; ///< of the largest captured graph
  Constant graph_sequences_divided; ///< the same where GPUs divide the model by four or more
};

struct ServingTimes; // kernels.hpp

struct InferenceProfile {
  Constant kv_block_tokens; ///< tokens per page of the cache
  Constant logit_bytes;     ///< bytes per logit of the positions that are sampled
  Constant sampler_bytes;   ///< further bytes per logit while sampling
  Constant pass_tokens;     ///< tokens of one pass unless it is told otherwise
  Constant pass_tokens_large; ///< the same on a device of at least `large_device` bytes
  Constant whole_prompts;   ///< contexts up to so many tokens are read in one pass, of the whole context or what `smallest_pass` says; 0 = none
  Constant smallest_pass;
  Constant sequences;       ///< sequences of one pass unless it is told otherwise; 0 = those that are held at once
  Constant sequences_large;
  Constant large_device;    ///< 0 = none is
  Constant index_bytes;     ///< of 128 numbers of an indexer's key that are cached, with their scale; 0 = the engine caches none
  Constant conv_bytes;      ///< of one number that a recurrence's convolution remembers; 0 = as activations
  Constant hidden_copies;   ///< of the hidden state beside the logits, in a graph's buffer
  Constant latent_buffer;   ///< bytes within which latent vectors are expanded for some heads at a time; 0 = for all at once
  bool expands_latents = false; ///< a pass over many tokens expands the cached latent vectors to keys and values of every head …
  bool keeps_expanded = false;  ///< … and those of all heads wait until the last are there
  Constant stage_inputs;    ///< hidden states of a whole pass that later stages of a pipeline receive into buffers of their own
  Constant encoder_outputs; ///< hidden states for each token of a pass that towers made and that wait to be read
  Constant input_copies;    ///< of what a graph reads where several GPUs work one after the other
  Constant acceptance;      ///< thousandths: chance of a draft token to be accepted, where nobody has said
  WindowCache window_cache = WindowCache::pages;
  LatentCache latent_cache = LatentCache::latent;
  PassBuffers pass_buffers = PassBuffers::live_set;
  bool flash_attention = true;
  bool table_on_host = false;  ///< the host keeps the token table, unless it is the output head too
  Constant hybrid_page;        ///< pages of hybrid models hold a recurrence's whole state, in multiples of so many tokens; 0 = they need not
  bool towers_apart = false;   ///< vision and audio towers are files of their own, loaded on request
  bool rotary_table = false;   ///< cosines and sines of all positions count among the weights
  bool offloads_layers = false; ///< gpu_layers has a meaning
  bool offloads_experts = false; ///< host_expert_layers has one
  Constant copied_pass; ///< tokens of a pass from which on the GPU multiplies with what the host keeps, copied to it each time; 0 = never
  Constant copy_share;  ///< thousandths of the rate of the link to the host that these copies reach
  Constant link_share;  ///< thousandths of the rate of the link to the host at which the GPU reads weights that stay there; 0 = none can stay (host_weight_bytes)
  bool caches_on_host = false;  ///< host_cache_bytes has a meaning
  Constant transfer_share;      ///< thousandths of the network's rate at which caches of prompts go to the GPUs that answer; 0 = the engine does both parts of the work in one server
  bool sends_chunks = false;    ///< what a pass has read of a prompt is sent while the next pass runs; false: the whole at its end
  bool first_again = false;     ///< the server that answers computes the first token once more; false: it passes on the one that it received
  bool prefill_graphs = true;   ///< servers that only read prompts capture graphs all the same
  Constant deepep_tokens;       ///< that DeepEP's low-latency kernels take of one GPU at once; 0 = the engine has no DeepEP
  Constant deepep_buffer;       ///< bytes that the engine takes for its other kernels, within a node and again between nodes; 0 = as DeepEP proposes
  bool head_is_a_layer = false; ///< gpu_layers counts the output head, and it goes to the GPU first
  bool shares_prefixes = false; ///< pages of tokens that sequences begin with alike are kept once
  bool beams = false;           ///< it can search with several beams
  LoraRoom lora_room = LoraRoom::none;
  bool speculates = false;      ///< a draft model may propose tokens
  bool pipelines = false;       ///< it can divide layers over the stages of a pipeline
  OddLayers odd_layers = OddLayers::first;
  bool groups_experts = false;  ///< it can keep whole experts on GPUs (expert parallelism)
  ReplicaExperts replica_experts = ReplicaExperts::apart;
  bool dense_together = false;  ///< where replicas divide the experts, they divide dense MLPs, shared experts and the head too
  bool divides_cache = false;   ///< GPUs that would hold copies of a cache can divide it by tokens (decode context parallelism)
  std::uint32_t cache_dtypes = 0; ///< one bit per CacheDtype; 0 = any
  PoolProfile pool;
  GraphProfile graphs;
  std::vector<std::string> whole_blocks; ///< ids of weight schemes, '*' for any ending, whose blocks no two GPUs may divide: the engine refuses to load them
  std::vector<DeviceTier> tiers;   ///< by rising size; the first that has the device counts; none = pass_tokens
  std::vector<Efficiency> efficiencies; ///< of this engine, for the GPU architecture: the first whose class has the device; none = not known
  const ServingTimes* times = nullptr; ///< of measured kernels, and of the engine's host; of the catalogue, which outlives every scenario; null = not known
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

/// How far measured runs of the framework were from what is predicted, where nine of ten were: the 5th and the 95th percentile of
/// measured / predicted - 1, in thousandths of the allocated peak. What no rule knows yet (kernels of other versions, code between the
/// operations) is in it. `plimsoll accuracy --by profile` prints both.
struct ComparisonsProfile {
  std::int64_t rows = 0; ///< measured runs behind it; 0 where the width is assumed
  Constant less;         ///< by which less was measured
  Constant more;         ///< by which more was measured
};

struct Profile {
  std::string id;
  std::string name;
  std::string about;
  Constant vocab_multiple; ///< tokens to a multiple of which the vocabulary is filled up; 0 = to none
  bool vocab_multiple_each = false; ///< so many on each GPU of a tensor-parallel group
  bool for_training = false;
  bool for_inference = false;
  TrainingProfile training;
  InferenceProfile inference;
  RuntimeProfile runtime;
  ComparisonsProfile comparisons; ///< of training
  TrainingEfficiency efficiency;  ///< of training, on the device's architecture
};

} // namespace plimsoll
