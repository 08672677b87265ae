#pragma once
// Terms become components, and components with common categories become trees.

#include "plimsoll/method/explain.hpp"
#include "plimsoll/method/formula.hpp"

namespace plimsoll {

/// The formula's id with part and group appended.
Component component_of(const Term& term);

/// A sum without parts yet.
Component sum_of(std::string id, std::string label, std::string_view unit);

/// The amounts of `leaf`, which stands further down, join those of `sum`.
void add_amounts(Component& sum, const Component& leaf);

/// Adds `leaf` to `sum` and keeps the law: the sum's amounts are those of its parts.
void add_part(Component& sum, Component leaf);

/// A category with a single leaf is that leaf, under the category's id and label.
void collapse_single(Component& sum);

} // namespace plimsoll
