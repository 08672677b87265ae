#include "questions/advice/pace.hpp"

#include "plimsoll/method/speed.hpp"
#include "plimsoll/method/time.hpp"

namespace plimsoll::io {

Pace pace_of(const Scenario& scenario, Count gpus) {
  Pace pace;
  pace.gpus = static_cast<double>(gpus.value);
  if (trains(scenario.workload.task)) {
    const StepTime step = step_time(scenario);
    if (step.known) pace.time = static_cast<double>(step.total.expected.value), pace.tokens = static_cast<double>(step.tokens.value);
  } else if (const Speed served = speed(scenario); served.exists && served.total.expected > Count{0}) {
    pace.time = 1, pace.tokens = static_cast<double>(served.total.expected.value);
  }
  return pace;
}

std::int64_t permille(const Pace& now, const Pace& before, bool of_gpus) {
  if (now.tokens <= 0 || before.tokens <= 0 || before.time <= 0) return 0;
  double ratio = now.time * before.tokens / (now.tokens * before.time);
  if (of_gpus) ratio = ratio * now.gpus / before.gpus;
  constexpr double kMost = 1e15;
  return static_cast<std::int64_t>(ratio < kMost / 1000 ? 1000 * ratio + 0.5 : kMost);
}

} // namespace plimsoll::io
