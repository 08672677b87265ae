#pragma once
// Which layers gradients pass where only the end of a model trains.

#include "plimsoll/method/model.hpp"
#include "plimsoll/method/tuning.hpp"

#include <algorithm>
#include <cstdint>

namespace plimsoll::tuning {

/// Layers of the group among the last `layers` of the stack.
inline Count last_of(const Model& model, const LayerGroup& group, std::int64_t layers) noexcept {
  const auto id = static_cast<std::uint16_t>(&group - model.groups.data());
  const auto from = model.pattern.end() - std::clamp<std::ptrdiff_t>(layers, 0, std::ssize(model.pattern));
  return Count{std::count(from, model.pattern.end(), id)};
}

/// How many of the last layers have gradients where weights are frozen: autograd goes no further down than to the first weight that trains.
/// A head that is also the embedding table trains in front of all of them.
inline std::int64_t last_with_gradients(const Model& model, const Tuning& tuning) noexcept {
  const std::int64_t all = std::ssize(model.pattern);
  switch (tuning.method) {
    case TuningMethod::last_layers: return std::min(tuning.trained_layers, all);
    case TuningMethod::head: return model.tied_embeddings ? all : 0;
    case TuningMethod::norms: return (norm_targets(tuning) & kTargetNorms) != 0 ? all : 0;
    default: return all;
  }
}

} // namespace plimsoll::tuning
