#pragma once
// Which code runs, where the profile's framework leaves a choice. Every member has `profile`, "what the profile's framework does
// unless told otherwise", as its first value; resolved(…) in profile.hpp replaces it.

#include "plimsoll/method/switch.hpp"

#include <cstdint>

namespace plimsoll {

/// Kernels of attention's core.
enum class AttentionKernel : unsigned char {
  profile,
  flash,   ///< FlashAttention: keeps queries, keys, values, output and one number per head and query
  cudnn,   ///< cuDNN's fused attention: the same set, without a copy of the output in another layout
  fused_softmax, ///< matrix multiplications around a fused softmax: keeps the softmax in 16 bits
  eager,   ///< operation by operation: keeps the softmax in fp32 or as the model's code casts it
};

/// How a chain of elementwise operations runs: norms, gated activations.
enum class Fusion : unsigned char {
  profile,
  eager,    ///< operation by operation, each keeping what its backward needs
  fused,    ///< one kernel that keeps its input (Transformer Engine, Liger, apex)
  compiled, ///< torch.compile: the partitioner recomputes pointwise chains
  in_products, ///< of experts: within the multiplications before and behind them (Transformer Engine's grouped MLP)
};

/// How logits become a loss; core/catalog/data/losses.json has a row for each, with the bytes per logit.
enum class LossKernel : unsigned char {
  profile,
  hf_causal_lm,          ///< transformers' loss function, logits still referenced by the training loop
  hf_trainer,            ///< the same, logits dropped before the backward pass
  hf_shifted,            ///< older transformers: fp32 logits and a shifted contiguous copy
  torch_cross_entropy,   ///< F.cross_entropy on logits as they are
  torch_float,           ///< F.cross_entropy on logits cast to fp32, the 16-bit ones dropped (torchtune, torchtitan)
  torch_float_compiled,
  torch_float_kept,      ///< the same, fp32 logits referenced by the training loop until the next ones are there (torchtitan until mid-2024)
  chunked,               ///< chunk by chunk over logits that exist as a whole (torchtune)
  chunked_compiled,      ///< the same under torch.compile
  linear_chunked,        ///< head and loss together, chunk by chunk
  megatron,              ///< Megatron-LM's vocabulary-parallel cross-entropy
  megatron_fused,        ///< its jit-fused one
  te_fused,              ///< Transformer Engine's: the gradient takes the place of the logits
  te_fused_out_of_place, ///< its versions that keep the gradient beside the logits
  liger,                 ///< Liger's cross-entropy: in place
  liger_fused_linear,    ///< Liger's fused linear cross-entropy: logits never exist as a whole
};

/// How tokens reach the GPUs that hold their experts.
enum class ExpertDispatch : unsigned char {
  profile,
  all_to_all, ///< each GPU gets the tokens of its experts
  all_gather, ///< every GPU of the group gets all tokens, and picks
  once,       ///< a token goes once to each node that has any of its experts, and from there to their GPUs (DeepEP, HybridEP)
};

/// What is captured as CUDA graphs and replayed.
enum class TrainingGraphs : unsigned char {
  none,
  layers,    ///< layers but for their experts, whose rows differ each time
  iteration, ///< both passes of a step as a whole
};

struct Implementation {
  AttentionKernel attention = AttentionKernel::profile;
  Fusion norms = Fusion::profile;
  Fusion mlp = Fusion::profile;
  Fusion experts = Fusion::profile; ///< of a mixture of experts
  LossKernel loss = LossKernel::profile;
  bool hidden_dropout = false;    ///< dropout after embedding, attention and MLP keeps a mask
  bool attention_dropout = false; ///< dropout on the softmax
  bool deterministic = false;     ///< kernels that give equal bits in every run
  bool attention_mask = false;    ///< a tokens × tokens mask of one byte each is made with every micro-batch
  bool defer_head_gradient = false; ///< the head's weight gradient waits for idle time of the pipeline (Megatron-LM)
  TrainingGraphs training_graphs = TrainingGraphs::none; ///< what nothing waits for the host to launch
  bool communication_overlap = false; ///< tensor-parallel communication overlaps with multiplication (Transformer Engine's user buffers)
  bool fused_gradient_accumulation = false; ///< weight gradients are multiplied straight into the main gradients
  ExpertDispatch dispatch = ExpertDispatch::profile;
  bool expert_overlap = false;    ///< the exchange with experts runs beside another micro-batch's passes
  bool keeps_quantised_inputs = false; ///< multiplications with frozen quantised weights keep their inputs (bitsandbytes before 0.43.2)
  bool router_fp32 = false;       ///< the router's scores and probabilities are kept in fp32
  bool grouped_experts = false;   ///< one grouped multiplication for all experts of a GPU
  std::int64_t deferred_micro_batches = 0; ///< with defer_head_gradient: how many may wait; 0 = all of a step
  Switch tf32 = Switch::profile; ///< fp32 matrices multiply in TF32
  Switch expandable_segments = Switch::profile; ///< of PyTorch's allocator (PYTORCH_CUDA_ALLOC_CONF), as the framework's launcher has it or as asked
  std::int64_t workspace_kib = 0; ///< KiB of each cuBLAS workspace, as CUBLAS_WORKSPACE_CONFIG sets it; 0 = the library's default
  bool operator==(const Implementation&) const = default;
};

} // namespace plimsoll
