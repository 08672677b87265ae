#pragma once
// Bytes of state per parameter: one number that people compare optimizers and precisions by.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::moments {

/// Of one parameter that is not divided: weight, master weight and gradient, and its share of the optimizer's states, wherever they live.
Term states_per_parameter(const Scenario& scenario, const Stage& stage) noexcept;

} // namespace plimsoll::moments
