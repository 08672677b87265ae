#pragma once
// Who holds which share: the only place that divides by a parallel degree. Formulas receive shares, never degrees.

#include "plimsoll/model.hpp"
#include "plimsoll/strategy.hpp"

namespace plimsoll {

/// What one GPU holds of one layer of a group.
struct LayerShare {
  Count query_heads;  ///< of this GPU
  Count kv_heads;     ///< of this GPU; at least 1: KV heads are replicated when there are more GPUs than heads
  Count head_dim;
  Count query_width;  ///< query_heads * head_dim
  Count kv_width;     ///< kv_heads * head_dim
  Count intermediate; ///< MLP channels of this GPU
};

struct ModelShare {
  Count vocab; ///< rows of the embedding table and of the head on this GPU, the last GPU's padding included
};

/// Degrees 1 and 1: the whole model on one GPU.
inline constexpr Strategy kUnsharded{};

LayerShare layer_share(const LayerGroup& group, const Strategy& strategy) noexcept;
ModelShare model_share(const Model& model, const Strategy& strategy) noexcept;

/// GPUs that the strategy needs in all.
Count gpu_count(const Strategy& strategy) noexcept;

/// Whether gradients must be averaged between replicas.
bool has_replicas(const Strategy& strategy) noexcept;

} // namespace plimsoll
