#include "plimsoll/method/speed.hpp"

#include "method/time/draft.hpp"
#include "method/time/efficiency.hpp"
#include "method/time/roofline.hpp"
#include "method/time/visit.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>

namespace plimsoll {

namespace {

void add(TimeRange& range, const Term& term) noexcept {
  range.expected += Nanoseconds{term.amount};
  range.low += Nanoseconds{term.low};
  range.high += Nanoseconds{term.high};
}

TokenRate rate_of(std::int64_t tokens, const TimeRange& time) noexcept {
  return {timing::thousandths_per_second(tokens, time.expected), timing::thousandths_per_second(tokens, time.high), timing::thousandths_per_second(tokens, time.low)};
}

/// The same where each step gives so many thousandths of tokens.
TokenRate rate_of(const TokenRate& accepted, Count sequences, const TimeRange& step) noexcept {
  const Term term = timing::accepted_per_second(sequences, accepted, step.expected.value, step.low.value, step.high.value);
  return {term.count(), Count{term.low}, Count{term.high}};
}

TokenRate times(Count n, const TokenRate& rate) noexcept { return {n * rate.expected, n * rate.low, n * rate.high}; }

/// The smallest number of sequences from which on multiplications decide: bisected, since their time grows faster than that of reads
/// wherever it is longer at all.
Count crossover(const Scenario& scenario, const Efficiency& efficiency) noexcept {
  constexpr Count kMost{1'000'000}; // the largest batch
  if (!timing::multiplies_longer(scenario, efficiency, kMost)) return Count{0};
  std::int64_t below = 0, from = kMost.value;
  while (from - below > 1) {
    const std::int64_t middle = below + (from - below) / 2;
    (timing::multiplies_longer(scenario, efficiency, Count{middle}) ? from : below) = middle;
  }
  return Count{from};
}

} // namespace

// Text diffusion reads the whole sequence in each step, and how many tokens a step settles is for its sampler to say: no rate is told.
Speed speed(const Scenario& scenario) {
  Speed result;
  const auto keeps = [](const LayerGroup& group) { return group.attends() ? group.attention.caches : group.recurrence_shape.inner > Count{0}; };
  if (scenario.model.has_head && std::ranges::none_of(scenario.model.groups, keeps)) return result;
  const Efficiency* const efficiency = timing::efficiency_of(scenario.profile.inference, scenario.hardware);
  if (trains(scenario.workload.task) || efficiency == nullptr || scenario.hardware.rates.memory <= 0) return result;
  result.exists = true;
  const Count sequences{scenario.workload.batch};
  timing::visit_decode(scenario, *efficiency, sequences, [&](const Term& term) { add(result.step, term); });
  result.computes = timing::multiplies_longer(scenario, *efficiency, sequences);
  result.floor = timing::decode_floor(scenario, *efficiency, sequences);
  result.step.low = max(result.step.low, result.floor); // work may decide at what is expected, and reads at the best
  result.accepted = timing::accepted_tokens(scenario);
  result.sequence = rate_of(result.accepted, Count{1}, result.step);
  result.total = times(Count{scenario.strategy.data_parallel}, rate_of(result.accepted, sequences, result.step));
  result.crossover = crossover(scenario, *efficiency);
  timing::visit_prefill(scenario, *efficiency, [&](const Term& term) { add(result.first_token, term); });
  result.has_prefill = !result.first_token.expected.saturated();
  if (result.has_prefill) result.prompt = rate_of(scenario.workload.context_tokens, result.first_token);
  return result;
}

} // namespace plimsoll
