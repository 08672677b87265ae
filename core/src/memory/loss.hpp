#pragma once

#include "plimsoll/formula.hpp"
#include "plimsoll/scenario.hpp"

namespace plimsoll::memory {

/// Logits and cross-entropy at one moment: `per_logit` is that moment's constant of the profile.
Term loss(const Scenario& scenario, const Constant& per_logit) noexcept;

} // namespace plimsoll::memory
