#pragma once
// Numbers that share a scale where Transformer Engine multiplies in 8 or 4 bits, and the bytes of them with it.
// NVIDIA/TransformerEngine, transformer_engine/common/recipe/__init__.py: DelayedScaling and Float8CurrentScaling, Float8BlockScaling,
// MXFP8BlockScaling, NVFP4BlockScaling. The one scale of a tensor is a few bytes and not counted.

#include "plimsoll/method/quantity.hpp"
#include "plimsoll/method/strategy.hpp"

namespace plimsoll::memory {

struct QuantisedBlock {
  Count numbers;
  Bytes bytes;
};

constexpr QuantisedBlock block_of_activations(Fp8Recipe recipe) noexcept {
  switch (recipe) {
    case Fp8Recipe::delayed:
    case Fp8Recipe::tensor: return {Count{1}, Bytes{1}};
    case Fp8Recipe::block: return {Count{128}, Bytes{128 + 4}};
    case Fp8Recipe::mxfp8: return {Count{32}, Bytes{32 + 1}};
    case Fp8Recipe::nvfp4: break;
  }
  return {Count{16}, Bytes{8 + 1}};
}

/// Weights in blocks have two dimensions where each number is scaled by its square.
constexpr QuantisedBlock block_of_weights(Fp8Recipe recipe) noexcept {
  return recipe == Fp8Recipe::block ? QuantisedBlock{Count{128 * 128}, Bytes{128 * 128 + 4}} : block_of_activations(recipe);
}

} // namespace plimsoll::memory
