#pragma once
// How the work is laid out: number formats, optimizer, recomputation, parallel degrees.

#include "plimsoll/quantity.hpp"

#include <cstdint>

namespace plimsoll {

enum class Dtype : unsigned char { fp32, bf16, fp16, fp8 };

/// Bytes of one element. fp8 means one byte with per-tensor scales (the scales are a few bytes per tensor and not counted).
constexpr Bytes bytes_per_element(Dtype dtype) noexcept {
  switch (dtype) {
    case Dtype::fp32: return Bytes{4};
    case Dtype::bf16:
    case Dtype::fp16: return Bytes{2};
    case Dtype::fp8: return Bytes{1};
  }
  return Bytes{4};
}

/// Which number formats training uses.
enum class Regime : unsigned char {
  bf16,       ///< pure bfloat16: weights, gradients and optimizer states
  mixed_bf16, ///< fp32 weights, gradients and states; autocast computes in bfloat16
  fp32,       ///< everything in fp32
};

enum class Optimizer : unsigned char { adamw_fused, adamw_foreach, sgd_momentum, sgd };

enum class Recompute : unsigned char {
  none, ///< keep every activation
  full, ///< keep each layer's input and run the layer again in the backward pass
};

struct Strategy {
  Dtype kv_dtype = Dtype::bf16;     ///< inference
  Regime regime = Regime::bf16;     ///< training
  Optimizer optimizer = Optimizer::adamw_fused;
  Recompute recompute = Recompute::none;
  std::int64_t tensor_parallel = 1; ///< GPUs that share one replica; >= 1, divides the heads and the MLP width
  std::int64_t data_parallel = 1;   ///< replicas; >= 1
};

} // namespace plimsoll
