#pragma once
// What stands for weight gradients that were added to the main gradients directly.

#include "method/term.hpp"
#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::memory {

/// Placeholders that are kept from their first use on: one for each distinct shape of a linear map on the stage, its head included.
Term gradient_placeholders(const Scenario& scenario, const Stage& stage) noexcept;

/// Placeholders of one layer's experts on this GPU, which every backward pass makes anew for each expert.
Term expert_placeholders(const Scenario& scenario, const LayerGroup& group) noexcept;

} // namespace plimsoll::memory
