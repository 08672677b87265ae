#include "questions/plan/served_times.hpp"

#include "plimsoll/method/load.hpp"
#include "plimsoll/method/speed.hpp"

#include <utility>

namespace plimsoll::io {

bool states_lengths(const Workload& workload) noexcept { return workload.traffic.prompt_tokens > 0 && workload.traffic.answer_tokens > 0; }

Scenario under_load(Scenario scenario) {
  Traffic& traffic = scenario.workload.traffic;
  traffic.concurrency = (Count{scenario.workload.batch} * Count{scenario.strategy.data_parallel}).value;
  traffic.request_rate = 0;
  traffic.requests = 0;
  traffic.trace.clear();
  return scenario;
}

ServedTimes served_times(const Scenario& scenario) {
  if (states_lengths(scenario.workload)) {
    const Load load = steady_load(under_load(scenario));
    if (!load.exists || load.per_token.mean <= Nanoseconds{0}) return {};
    constexpr std::int64_t kThousandSeconds = 1'000'000'000'000; // in which a sequence gets as many tokens as thousandths of one in a second
    return {true, load.answer_tokens, Count{kThousandSeconds / load.per_token.mean.value}, load.first_token.mean};
  }
  const Speed served = speed(scenario);
  if (!served.exists || served.total.expected <= Count{0}) return {};
  return {true, served.total.expected, served.sequence.expected, served.has_prefill ? served.first_token.expected : Nanoseconds{0}};
}

} // namespace plimsoll::io
