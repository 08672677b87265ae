#pragma once
// Every part of such a step's time, once: estimates add them up, explanations show them.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/learning.hpp"

#include <functional>

namespace plimsoll::timing {

/// What is known of the whole step; `known` says whether anything is.
struct LearningFacts {
  bool known = false;
  TimeRange rollout;
  Count answers, tokens, updates, gpus;
};

/// `role` is the model that scores; null where the phase is not scoring.
using LearningSink = std::function<void(LearningPhase phase, const RoleText* role, const Term& term)>;
LearningFacts visit_learning(const Scenario& scenario, const LearningSink& sink);

/// Tokens per second and GPU.
Term learning_throughput(const LearningStep& step) noexcept;

} // namespace plimsoll::timing
