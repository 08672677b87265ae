#pragma once
// How the work is laid out: number formats, optimizer, recomputation, parallel degrees, and which GPU keeps which share of the
// training states.

#include "plimsoll/method/quantity.hpp"
#include "plimsoll/method/switch.hpp"

#include <cstdint>
#include <vector>

namespace plimsoll {

/// Which number formats training uses: of weights, gradients, optimizer states and activations (memory/precisions.hpp has the bytes).
enum class Precision : unsigned char {
  bf16,        ///< pure bfloat16: weights, gradients and optimizer states
  mixed_bf16,  ///< fp32 weights, gradients and states; autocast computes in bfloat16
  fp32,        ///< everything in fp32
  mixed_fp16,  ///< as mixed_bf16, in float16
  master_bf16, ///< bf16 weights beside an fp32 master copy that the optimizer steps (Megatron-LM, DeepSpeed, FSDP)
  master_fp16, ///< the same in float16
  sharded_bf16, ///< fp32 weights, gradients and states; computes on bf16 copies, gathered unit by unit (FSDP, torchtitan)
};

/// Whether weights stay in fp32 and autocast makes 16-bit copies of them to compute with.
constexpr bool autocasts(Precision precision) noexcept { return precision == Precision::mixed_bf16 || precision == Precision::mixed_fp16; }

/// Number format in which gradients are accumulated.
enum class GradientDtype : unsigned char {
  profile, ///< as the profile's framework does for the precision
  fp32,
  half,    ///< that of the computation: bf16 or fp16
};

/// Number format of Adam's two moments.
enum class MomentDtype : unsigned char {
  parameter, ///< that of the parameters which the optimizer steps
  half,      ///< 16 bits beside parameters of 32
};

/// 8-bit floating-point matrix multiplication.
enum class Fp8 : unsigned char {
  none,
  compute,    ///< weights stay in 16 bits, each with an fp8 copy and its transpose
  parameters, ///< weights are kept in fp8
  gathered,   ///< as compute, and sharded matrices are gathered in fp8 (torchao's float8 all-gather)
};

/// Whether weights that are kept in more bits are multiplied in 8.
constexpr bool multiplies_in_fp8(Fp8 fp8) noexcept { return fp8 == Fp8::compute || fp8 == Fp8::gathered; }

/// How 8-bit and 4-bit operands are scaled. NVIDIA/TransformerEngine, transformer_engine/common/recipe/__init__.py.
enum class Fp8Recipe : unsigned char {
  tensor, ///< one scale for each tensor, found when it is cast (current scaling)
  block,  ///< of activations one fp32 scale for each 128 numbers, of weights one for each 128 × 128
  mxfp8,  ///< one byte of scale for each 32 numbers
  nvfp4,  ///< 4 bits, one byte of scale for each 16 numbers
  delayed, ///< one scale for each tensor, from the largest values of former steps
};

/// Whether numbers share scales block by block.
constexpr bool scales_blocks(Fp8Recipe recipe) noexcept { return recipe != Fp8Recipe::tensor && recipe != Fp8Recipe::delayed; }

enum class Optimizer : unsigned char {
  adamw_fused,
  adamw_foreach,
  sgd_momentum,
  sgd,
  adamw_forloop,
  adafactor,
  lion,
  adamw_8bit,
  lion_8bit,
  paged_adamw,      ///< states in memory that the driver moves between device and host
  paged_adamw_8bit,
  adam_mini,
  muon,
  shampoo,
  soap,
  galore,
  apollo,
  lomo,
  adalomo,
  adamw_4bit,       ///< torchao's
  onebit_adam,      ///< DeepSpeed's: momentum is exchanged as signs, and what that leaves out is kept
  zero_one_adam,    ///< likewise, with steps that exchange nothing
};

/// What of a layer's activations the backward pass computes again instead of keeping.
enum class Recompute : unsigned char {
  none,      ///< keep every activation
  full,      ///< keep each layer's input, or that of every `recompute_layers` layers, and run the layers again
  selective, ///< run only some modules of each layer again: `recompute_modules`
  block,     ///< `full` for `recompute_layers` layers of each stage, keep the others whole
  every_k,   ///< `full` for one of every `recompute_layers` layers
  sqrt,      ///< `full` with the square root of the number of layers in a segment
  per_op,    ///< keep the outputs of attention and of every second matrix multiplication (torchtitan)
  offloaded, ///< `full`, with the kept inputs in the host's memory
};

/// Modules of a layer that `Recompute::selective` runs again, one bit each, under Megatron-LM's names.
enum RecomputeModule : std::uint32_t {
  kRecomputeCoreAttention = 1,       ///< scores, softmax, its dropout
  kRecomputeLatentUp = 2,            ///< of latent attention: the maps that expand queries, keys and values
  kRecomputeNorms = 4,               ///< norms that stand apart from the maps which read them
  kRecomputeMlp = 8,                 ///< dense MLPs
  kRecomputeExperts = 16,            ///< whole layers of experts: router, exchange, experts
  kRecomputeSharedExperts = 32,
  kRecomputeExpertActivation = 64,   ///< what experts compute between their maps
};

/// Modules of a layer whose inputs wait in the host's memory from the forward pass to the backward pass, one bit each, likewise.
enum OffloadModule : std::uint32_t {
  kOffloadAttentionNorm = 1,
  kOffloadQueryKeyValue = 2,
  kOffloadCoreAttention = 4,
  kOffloadAttentionOutput = 8,
  kOffloadMlpNorm = 16,
  kOffloadExperts = 32,
  kOffloadExpertActivation = 64,
};

/// What of layers that do not run again waits in the host's memory from the forward pass to the backward pass.
enum class ActivationOffload : unsigned char {
  none,
  kept, ///< all that they keep, as the profile's framework moves it: whole layers, or tensor by tensor
};

/// In which order a pipeline's stages run forward and backward passes.
enum class PipelineSchedule : unsigned char {
  one_f_one_b, ///< 1F1B; interleaved where virtual_stages > 1
  gpipe,       ///< all forward passes, then all backward passes
  zb_h1,
  zb_h2,
  zb_v,
  dualpipe,
  dualpipe_v,
};

/// How the GPUs of a context-parallel group see each other's keys and values.
enum class ContextMethod : unsigned char { ring, all_gather, ulysses };

/// Whether replicas exchange signs in place of numbers.
constexpr bool sends_signs(Optimizer optimizer) noexcept { return optimizer == Optimizer::onebit_adam || optimizer == Optimizer::zero_one_adam; }

/// What data-parallel replicas divide among them instead of each keeping all of it.
enum class Sharding : unsigned char {
  none,
  optimizer,  ///< ZeRO-1, Megatron's distributed optimizer: optimizer states and master weights
  gradients,  ///< ZeRO-2: gradients too
  parameters, ///< ZeRO-3, FSDP: weights too, gathered unit by unit
};

/// What is kept in the host's memory.
enum class Offload : unsigned char { none, optimizer, parameters };

/// What of it lies on the host's NVMe drives instead (ZeRO-Infinity).
enum class Nvme : unsigned char { none, optimizer, parameters };

struct Strategy {
  std::int64_t host_layers = 0;     ///< inference: layers from the first on that the host's memory keeps; scenario_of() counts them
  bool head_on_host = false;        ///< likewise final norm and output head
  std::int64_t host_expert_layers = 0; ///< inference: layers from the first on whose routed experts the host's memory keeps
  std::int64_t host_mlp_layers = 0;    ///< likewise those whose dense MLPs it keeps

  Precision precision = Precision::bf16;     ///< training, as everything below but tensor_parallel and data_parallel
  GradientDtype gradient_dtype = GradientDtype::profile;
  MomentDtype moment_dtype = MomentDtype::parameter;
  bool master_remainders = false;         ///< of master weights only the 16 bits are kept that the weights themselves lack
  Fp8 fp8 = Fp8::none;
  Fp8Recipe fp8_recipe = Fp8Recipe::tensor;
  Optimizer optimizer = Optimizer::adamw_fused;
  std::int64_t optimizer_rank = 128;      ///< of GaLore's and APOLLO's projections; >= 1
  bool optimizer_in_backward = false;     ///< each gradient is used and freed as soon as it exists
  bool ema = false;                       ///< an fp32 moving average of the weights is kept besides
  Recompute recompute = Recompute::none;
  std::int64_t recompute_layers = 1;      ///< layers that `recompute` speaks of; >= 1
  std::uint32_t recompute_modules = kRecomputeCoreAttention; ///< RecomputeModule bits
  std::uint32_t offload_modules = 0;      ///< OffloadModule bits
  ActivationOffload activation_offload = ActivationOffload::none;
  std::int64_t offload_layers = 0;        ///< of the model's layers, the first so many, of which `activation_offload` or `offload_modules` speaks; 0 = as many as the framework can

  std::int64_t vocab_multiple = 0;   ///< the vocabulary is filled up to a multiple of so many tokens; 0 = as the profile's framework does
  bool vocab_multiple_each = false;  ///< of so many on each GPU of the tensor-parallel group; scenario_of() copies it from the profile
  std::int64_t tensor_parallel = 1;  ///< GPUs that share one replica; >= 1, divides the heads and the MLP width
  bool sequence_parallel = false;    ///< the tensor-parallel group divides the tokens between its matrix multiplications
  std::int64_t context_parallel = 1; ///< GPUs that divide each sequence; >= 1
  ContextMethod context_method = ContextMethod::ring;
  std::int64_t pipeline_parallel = 1; ///< stages; >= 1, at most the number of layers
  PipelineSchedule pipeline_schedule = PipelineSchedule::one_f_one_b;
  std::int64_t virtual_stages = 1;    ///< model chunks per stage; >= 1
  std::int64_t microbatch_group = 0;  ///< micro-batches that one chunk takes in turn when interleaved; 0 = pipeline_parallel
  std::int64_t first_stage_layers = 0; ///< layers of the first stage; 0 = as many as the others
  std::int64_t last_stage_layers = 0;
  bool embedding_in_split = false;    ///< the embedding counts as a layer when layers are divided
  bool loss_in_split = false;         ///< head and loss count as a layer
  std::vector<std::int64_t> chunk_layers; ///< layers of each chunk in the order of the model, where they are written out: one entry for
                                          ///< each of pipeline_parallel × virtual_stages; empty = as the fields above say
  std::vector<std::int64_t> tensor_split; ///< inference: parts of the layers that the GPUs of a pipeline get, in proportion; empty = all alike
  std::int64_t expert_parallel = 1;   ///< GPUs that divide the experts; >= 1
  std::int64_t expert_tensor_parallel = 0; ///< GPUs that divide each expert; 0 = tensor_parallel
  std::int64_t data_parallel = 1;     ///< replicas; >= 1
  std::int64_t prefill_replicas = 0;  ///< inference: servers that only read prompts, beside the replicas that answer; 0 = none are stated
  std::int64_t prefill_tensor_parallel = 0; ///< GPUs that share one of them; 0 = tensor_parallel
  std::int64_t dense_tensor_parallel = 0; ///< inference: GPUs that divide dense MLPs, shared experts and the output head where more of
                                          ///< them do than divide attention; 0 = tensor_parallel; serving_strategy() counts them

  Sharding sharding = Sharding::none;
  std::int64_t shard_group = 0;       ///< GPUs that hold one whole set of shards; 0 = all data- and context-parallel ones
  std::int64_t secondary_group = 0;   ///< GPUs that hold a second set of 16-bit weight shards between passes (ZeRO++ hpZ); 0 = none
  bool reshard_after_forward = true;  ///< gathered weights are dropped between forward and backward
  Offload offload = Offload::none;
  Nvme nvme = Nvme::none;             ///< of what `offload` takes away

  // DeepSpeed's sizes; 0 = as the profile's framework does.
  std::int64_t reduce_bucket_size = 0;          ///< gradients in one bucket
  std::int64_t prefetch_bucket_size = 0;        ///< weights gathered ahead
  std::int64_t param_persistence_threshold = 0; ///< numbers of the largest tensor that is not divided
  std::int64_t sub_group_size = 0;              ///< numbers that a step with divided weights takes at once
  Switch overlap_comm = Switch::profile;        ///< a second bucket fills while the first one is reduced

  std::int64_t expert_load_permille = 1000; ///< rows of the GPU whose experts get the most, over an even share; >= 1000
};

/// Whether some modules of every layer run again, or wait in the host's memory.
constexpr bool treats_modules_apart(const Strategy& strategy) noexcept {
  const bool some = strategy.recompute == Recompute::selective, keeps = some || strategy.recompute == Recompute::none;
  return (some && (strategy.recompute_modules & ~std::uint32_t{kRecomputeCoreAttention}) != 0) || (keeps && strategy.offload_modules != 0);
}

/// Whether layers leave all that they keep to the host's memory.
constexpr bool moves_kept(const Strategy& strategy) noexcept { return strategy.activation_offload == ActivationOffload::kept && strategy.recompute == Recompute::none; }

/// Whether the host's memory keeps layers, the head or experts.
constexpr bool uses_host(const Strategy& strategy) noexcept { return strategy.host_layers > 0 || strategy.head_on_host || strategy.host_expert_layers > 0 || strategy.host_mlp_layers > 0; }

/// Gives all that the host's memory keeps to the GPU.
constexpr void leave_host(Strategy& strategy) noexcept {
  strategy.host_layers = strategy.host_expert_layers = strategy.host_mlp_layers = 0;
  strategy.head_on_host = false;
}

} // namespace plimsoll
