#pragma once
// Which implementation runs: the constants that differ between frameworks, each with its source. Profiles are data
// (core/data/profiles); this is their shape.

#include "plimsoll/formula.hpp"

#include <cstdint>
#include <string>

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
  Constant backward;      ///< at the worst moment of its backward pass
  Constant head_backward; ///< while the output head's gradients are computed
  Constant after;         ///< what the training loop keeps until the next step
};

struct TrainingProfile {
  Constant rmsnorm_bytes;       ///< saved inside one RMSNorm, bytes per element of its input, bf16 activations
  Constant rmsnorm_bytes_fp32;  ///< the same with an fp32 residual stream (autocast, fp32)
  Constant layernorm_bytes;     ///< saved inside one LayerNorm, likewise
  Constant layernorm_bytes_fp32;
  Constant mlp_gated_saved;    ///< tensors of MLP width that a gated MLP keeps per token
  Constant mlp_plain_saved;    ///< the same for a two-matrix MLP
  Constant mlp_gated_backward; ///< further such tensors alive while its backward runs
  Constant mlp_plain_backward;
  Constant mlp_gelu_new_bytes; ///< saved by an MLP whose GELU is written out in Python, bytes per token and channel
  Constant mlp_gelu_new_bytes_mixed;
  Constant mlp_gelu_new_bytes_fp32;
  Constant qk_norm_bytes;     ///< saved by per-head query and key norms, bytes per element
  Constant qk_norm_bytes_fp32; ///< the same where they compute in fp32
  Constant gradient_copies;   ///< further copies of all gradients that data parallelism keeps (DDP buckets)
  LossProfile loss;      ///< where logits are bf16
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
