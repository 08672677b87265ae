#pragma once
// What the formulas of saved activations share: their common symbols, and the questions they ask of a scenario.

#include "memory/activations.hpp"
#include "memory/layers.hpp"
#include "memory/states.hpp"
#include "term.hpp"

namespace plimsoll::memory {

inline constexpr SymbolText kLayers{"layers", "layers", "layers of this kind that keep them", "layers"};
inline constexpr SymbolText kTokens{"tokens", "tokens", "sequences per micro-batch × tokens per sequence", "batch"};
inline constexpr SymbolText kHidden{"hidden", "channels", "width of the model", "hidden_size"};
inline constexpr SymbolText kElement{"element", "bytes", "size of one activation", "regime"};

inline bool is_rmsnorm(const Model& model) noexcept {
  return model.norm == NormKind::rmsnorm || model.norm == NormKind::rmsnorm_zero_centered;
}

inline bool fp32_residual(const Scenario& scenario) noexcept {
  return regime_bytes(scenario.strategy.regime).residual == Bytes{4};
}

/// What one norm keeps. Native LayerNorm saves its input; eager RMSNorm code casts to fp32 first and saves that copy.
inline const Constant& norm_constant(const Scenario& scenario) noexcept {
  const TrainingProfile& profile = scenario.profile.training;
  const bool fp32_stream = fp32_residual(scenario);
  if (scenario.model.norm == NormKind::rmsnorm_zero_centered) return profile.rmsnorm_bytes_fp32; // computes in fp32 always
  if (scenario.model.norm == NormKind::rmsnorm) return fp32_stream ? profile.rmsnorm_bytes_fp32 : profile.rmsnorm_bytes;
  return fp32_stream ? profile.layernorm_bytes_fp32 : profile.layernorm_bytes;
}

/// Whether attention runs without a fused kernel: PyTorch has none for grouped queries in fp32.
inline bool plain_attention(const Scenario& scenario, const LayerGroup& group) noexcept {
  return scenario.strategy.regime == Regime::fp32 && group.attention.kv_heads < group.attention.query_heads; // latent: never
}

/// Root mean square, or mean and deviation, of each token in fp32.
inline Bytes norm_statistics(const Model& model) noexcept { return Bytes{is_rmsnorm(model) ? 4 : 8}; }

} // namespace plimsoll::memory
