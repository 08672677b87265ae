#pragma once
// What the formulas of saved activations share: their common symbols, and the questions they ask of a scenario.

#include "method/memory/activations.hpp"
#include "method/memory/layers.hpp"
#include "method/memory/states.hpp"
#include "method/term.hpp"

namespace plimsoll::memory {

inline constexpr SymbolText kLayers{"layers", "layers", "layers of this kind that keep them, once for every micro-batch in flight", "layers"};
inline constexpr SymbolText kTokens{"tokens", "tokens", "of all sequences of a micro-batch, padding included", "batch"};
inline constexpr SymbolText kBetween{"tokens", "tokens", "of this GPU, between attention and MLP: sequence parallelism divides them", "batch"};
inline constexpr SymbolText kHidden{"hidden", "channels", "width of the model", "hidden_size"};
inline constexpr SymbolText kElement{"element", "bytes", "size of one activation", "precision"};

inline bool is_rmsnorm(const Model& model) noexcept {
  return model.norm == NormKind::rmsnorm || model.norm == NormKind::rmsnorm_zero_centered;
}

inline bool fp32_residual(const Scenario& scenario) noexcept {
  return precision_bytes(scenario.strategy.precision).residual == Bytes{4};
}

/// Which weights train: frozen ones do not keep their inputs. bitsandbytes' 4-bit multiplication kept them all the same until its pull
/// request 1270 (version 0.43.2, July 2024).
inline Trains trained(const Scenario& scenario) noexcept {
  Trains trained = trains(scenario.workload.task, scenario.tuning);
  if (keeps_quantised_inputs(scenario)) {
    trained.matrices = true;
    trained.head = trained.head || has_quantised_head(scenario);
  }
  return trained;
}

/// Whether maps that train keep their inputs in the format of the computation.
inline bool keeps_inputs(const Scenario& scenario) noexcept { return trained(scenario).matrices && !quantises_inputs(scenario); }

/// Whether maps whose input another operation keeps anyhow keep that, while others keep theirs in 8 or 4 bits.
inline bool shares_inputs(const Scenario& scenario) noexcept {
  return quantises_inputs(scenario) && scenario.profile.training.fp8.shares_inputs && scenario.strategy.fp8_recipe != Fp8Recipe::delayed;
}

/// Whether the map that reads attention's output keeps it in the format of the computation.
inline bool keeps_attention_output(const Scenario& scenario) noexcept { return keeps_inputs(scenario) || shares_inputs(scenario); }

/// What one norm keeps. Native LayerNorm saves its input; eager RMSNorm code casts to fp32 first and saves that copy, and, where its
/// weight trains, what the weight multiplies.
inline const Constant& norm_constant(const Scenario& scenario, bool weight_trains) noexcept {
  const NormProfile& profile = scenario.profile.training.norms;
  const bool fp32_stream = fp32_residual(scenario);
  if (!weight_trains && is_rmsnorm(scenario.model))
    return fp32_stream || scenario.model.norm == NormKind::rmsnorm_zero_centered ? profile.rmsnorm_frozen_fp32 : profile.rmsnorm_frozen;
  if (scenario.model.norm == NormKind::rmsnorm_zero_centered) return profile.rmsnorm_bytes_fp32; // computes in fp32 always
  if (scenario.model.norm == NormKind::rmsnorm) return fp32_stream ? profile.rmsnorm_bytes_fp32 : profile.rmsnorm_bytes;
  return fp32_stream ? profile.layernorm_bytes_fp32 : profile.layernorm_bytes;
}

/// Whether scores are capped in operations of their own, before the softmax. scaled_dot_product_attention has no cap, whichever kernel
/// it takes; fused kernels that have one keep nothing of it.
inline bool caps_by_hand(const Scenario& scenario, const LayerGroup& group) noexcept {
  const AttentionProfile& profile = scenario.profile.training.attention;
  return group.attention.caps_scores && (profile.caps_outside_kernel || profile.kernel == AttentionKernel::eager);
}

/// How attention's core runs. PyTorch has no fused kernel for grouped queries in fp32.
inline AttentionKernel attention_kernel(const Scenario& scenario, const LayerGroup& group) noexcept {
  const bool grouped = group.attention_shape.kv_heads < group.attention_shape.heads;
  if ((scenario.strategy.precision == Precision::fp32 && grouped) || caps_by_hand(scenario, group)) return AttentionKernel::eager;
  return scenario.profile.training.attention.kernel;
}

/// Whether the softmax of every score exists.
inline bool keeps_scores(AttentionKernel kernel) noexcept {
  return kernel == AttentionKernel::eager || kernel == AttentionKernel::fused_softmax;
}

/// Bytes kept of one score by a kernel that keeps scores.
Bytes score_bytes(const Scenario& scenario, const LayerGroup& group, AttentionKernel kernel) noexcept;
/// Channels of keys and values that attention keeps: as many as its queries and output have where the code repeats them for every head.
inline Count kept_keys_values(const Scenario& scenario, const LayerShare& share) noexcept {
  const bool repeated = scenario.profile.training.attention.repeats_keys_values;
  return repeated ? share.query_width + share.output_width : share.key_width + share.value_width;
}

/// The same, and what those are views of: where values are one of a joint projection, that stays whole beside copied queries and keys.
inline Count viewed_keys_values(const Scenario& scenario, const LayerShare& share) noexcept {
  const bool views = scenario.profile.training.attention.values_view_projection && share.key_width == share.query_width;
  return kept_keys_values(scenario, share) + (views ? share.query_width + share.key_width : Count{0});
}

/// Norm outputs that linear maps of one layer keep.
Count norm_reads(const Scenario& scenario, const LayerGroup& group, LayerTensors counted = kAllTensors) noexcept;

/// `amount` where the tensor is counted, else nothing.
template <class Amount> constexpr Amount counting(LayerTensors counted, LayerTensor tensor, Amount amount) noexcept {
  return (counted & tensor) != 0 ? amount : Amount{0};
}

/// Root mean square, or mean and deviation, of each token in fp32.
inline Bytes norm_statistics(const Model& model) noexcept { return Bytes{is_rmsnorm(model) ? 4 : 8}; }

} // namespace plimsoll::memory
