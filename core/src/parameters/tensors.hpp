#pragma once
// One function per kind of tensor: how many parameters one GPU holds of it. With kUnsharded, the whole model.

#include "plimsoll/formula.hpp"
#include "plimsoll/model.hpp"
#include "plimsoll/sharding.hpp"

namespace plimsoll::parameters {

/// The kinds, in the order in which a forward pass meets them.
enum class Tensors : unsigned char { embedding, positions, attention, mlp, layer_norms, final_norm, head };

Term embedding(const Model& model, const ModelShare& share) noexcept;
Term positions(const Model& model) noexcept;
/// Of `layers` layers of the group.
Term attention(const Model& model, const LayerGroup& group, const LayerShare& share, Count layers) noexcept;
Term mlp(const Model& model, const LayerGroup& group, const LayerShare& share, Count layers) noexcept;
Term layer_norms(const Model& model, const LayerGroup& group, Count layers) noexcept;
Term final_norm(const Model& model) noexcept;
/// The output head: nothing when it is the embedding table.
Term head(const Model& model, const ModelShare& share) noexcept;

} // namespace plimsoll::parameters
