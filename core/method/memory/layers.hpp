#pragma once
// Which parts a layer has: the questions that decide which terms there are.

#include "plimsoll/method/model.hpp"

namespace plimsoll::memory {

inline bool has_experts(const LayerGroup& group) noexcept { return group.moe.experts > Count{0}; }

/// Whether the layer's MLP, or its experts, are gated.
inline bool gated(const LayerGroup& group) noexcept {
  return (has_experts(group) ? group.moe.kind : group.mlp.kind) == MlpKind::gated;
}

inline bool recurs(const LayerGroup& group) noexcept { return group.recurrence_shape.inner > Count{0}; }
inline bool attends(const LayerGroup& group) noexcept { return group.attends(); }
inline bool has_mlp(const LayerGroup& group) noexcept { return group.mlp.intermediate_size > Count{0} || has_experts(group); }

} // namespace plimsoll::memory
