#pragma once
// The kinds of tensors as terms: how many parameters of a kind there are.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/model.hpp"

namespace plimsoll::parameters {

/// The branch of the parameters tree that a kind is: id "parameters.mlp", label "MLP".
const Formula& formula_of(TensorKind kind) noexcept;

/// Whether tensors of this kind usually belong to layers: blocks that several layers share are the exception.
constexpr bool stands_in_layers(TensorKind kind) noexcept { return kind >= TensorKind::attention && kind <= TensorKind::norms; }

/// The name of such a shared block among the groups.
const LayerGroup& outside_layers() noexcept;

/// `amount` parameters of one kind, in the layers of `group` or outside layers (null).
Term kind_term(TensorKind kind, const LayerGroup* group, Count amount) noexcept;

} // namespace plimsoll::parameters
