#pragma once
// What groups of layers are called, in component ids and on the screen.

#include "plimsoll/method/model.hpp"

#include <vector>

namespace plimsoll::layers {

/// Sets id and label of every group: nothing when there is one, else what tells it from the others, e.g. "sliding",
/// "mamba2", "full_experts"; a number follows where that is not enough.
void name_groups(std::vector<LayerGroup>& groups);

} // namespace plimsoll::layers
