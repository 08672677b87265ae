#pragma once
// How long a step takes in which a model learns from answers or preferences: what it generates, what other models say of it, what it
// trains, and weights on their way to the engine. Phases are exposed times: they add up to the step.

#include "plimsoll/method/composition.hpp"
#include "plimsoll/method/quantity.hpp"
#include "plimsoll/method/scenario.hpp"
#include "plimsoll/method/time_range.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace plimsoll {

/// Ids are stable.
enum class LearningPhase : unsigned char {
  rollout,  ///< answers are generated, until the last one of a replica is there
  scoring,  ///< passes without gradients over them
  training, ///< passes forward and backward, and the optimizer
  weights,  ///< new weights to the engine that generates
};
inline constexpr std::size_t kLearningPhases = 4;

struct LearningPhaseText {
  std::string_view id;    ///< e.g. "phase.rollout"
  std::string_view label; ///< e.g. "Rollout"
};
const LearningPhaseText& text_of(LearningPhase phase) noexcept;

struct LearningStep {
  bool known = false; ///< false: the method has no passes besides training, or nobody knows how fast the device or the engine is
  std::array<TimeRange, kLearningPhases> phases{};
  std::array<TimeRange, kRoles> scored{}; ///< of the scoring phase, by model
  TimeRange rollout;    ///< all of it, hidden or not
  TimeRange total;      ///< sum of the phases
  Count answers;        ///< sequences that the step generates, or is given
  Count tokens;         ///< of them, prompts too
  Count updates;        ///< optimizer steps
  Count gpus;           ///< those of an engine apart too
  Count tokens_per_gpu; ///< per second and GPU, in thousandths
};

/// Total, and equal scenarios give equal bytes on every platform. It may simulate an engine pass by pass. `scenario` must come from inputs
/// without validate() errors.
LearningStep learning_step(const Scenario& scenario);

} // namespace plimsoll
