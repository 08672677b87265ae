#pragma once
// How long an engine takes to answer all prompts of a step.

#include "plimsoll/method/scenario.hpp"
#include "plimsoll/method/time_range.hpp"

namespace plimsoll::timing {

struct Rollout {
  bool known = false;
  TimeRange time; ///< until one replica of the engine has answered
};
Rollout rollout_of(const Scenario& policy);

/// Of the policy's engine on one GPU, in 16 bits; 0 where it has none of its own.
Bytes engine_weights(const Scenario& policy);

} // namespace plimsoll::timing
