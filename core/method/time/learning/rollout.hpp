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

/// Rows of the GPU whose experts get the most, in thousandths of an even share: stated, or as the engine meets the same experts on the same text
/// (kernels/experts.hpp, liking_of). Nothing of the loss holds against it: Zhou et al., ForeMoE, 2026 (arXiv 2606.11867).
std::int64_t busiest_experts(const Scenario& policy) noexcept;

} // namespace plimsoll::timing
