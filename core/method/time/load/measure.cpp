#include "method/time/load/measure.hpp"

#include "method/kernels/gpu.hpp"
#include "method/time/draft.hpp"
#include "method/time/link.hpp"
#include "plimsoll/method/kernels.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>

namespace plimsoll {

namespace timing {

namespace {

Nanoseconds rounded(double ns) noexcept { return Nanoseconds{kernels::whole_part(ns + 0.5)}; }

Waits waits_of(std::vector<double> values) {
  if (values.empty()) return {};
  double sum = 0;
  for (const double value : values) sum += value;
  std::ranges::sort(values);
  const auto at = [&](std::size_t hundredths) { return rounded(values[std::min(values.size() - 1, values.size() * hundredths / 100)]); };
  return {rounded(sum / static_cast<double>(values.size())), at(50), at(90), at(99)};
}

} // namespace

Count thousandths(double value) noexcept { return Count{kernels::whole_part(value * 1000 + 0.5)}; }

void measure(const Ended& ended, double fixed, double replicas, Load& load) {
  std::vector<double> first, each, whole;
  double prompts = 0, answers = 0, found = 0, begin = 1e300, end = 0;
  for (std::size_t i = ended.from; i < ended.until; ++i) {
    const Request& request = ended.requests[i];
    first.push_back(request.first - request.arrival + fixed);
    whole.push_back(request.last - request.arrival + fixed);
    if (request.asked_answer > 1) each.push_back((request.last - request.first) / static_cast<double>(request.asked_answer - 1));
    prompts += static_cast<double>(request.asked_prompt);
    answers += static_cast<double>(request.asked_answer);
    found += static_cast<double>(request.found);
    begin = std::min(begin, request.arrival);
    end = std::max(end, request.last);
  }
  if (ended.until < ended.requests.size()) end = ended.requests[ended.until].arrival; // as many came as went meanwhile
  load.first_token = waits_of(std::move(first));
  load.per_token = waits_of(std::move(each));
  load.whole = waits_of(std::move(whole));
  load.lasted = rounded(end - begin);
  const double seconds = std::max((end - begin) / kernels::kNanoseconds, 1e-6);
  const std::size_t counted = ended.until - ended.from;
  load.simulated = Count{static_cast<std::int64_t>(counted)};
  load.requests = thousandths(static_cast<double>(counted) / seconds * replicas);
  load.prompt_tokens = thousandths(prompts / seconds * replicas);
  load.answer_tokens = thousandths(answers / seconds * replicas);
  load.found_tokens = thousandths(found / seconds * replicas);
}

void add_ways(const Scenario& scenario, std::vector<Request>& requests) {
  if (std::ranges::none_of(requests, [](const Request& request) { return request.brought > 0; })) return;
  const Strategy passed = without_stages(scenario.strategy);
  const Bytes each = cached_token(scenario, Stage{scenario.model, passed, scenario.workload, 0});
  for (Request& request : requests) {
    const Count tokens{request.brought};
    if (tokens > Count{0}) request.on_the_way = static_cast<double>((request.from_drives ? cache_from_drives(scenario, each, tokens) : cache_from_host(scenario, each, tokens)).amount);
  }
}

} // namespace timing

namespace {

/// Thousandths of low and high, wider where another class's kernels stand for the device's.
TimeRange around(Nanoseconds value, std::int64_t low, std::int64_t high, const ServingTimes& times, bool own_class) noexcept {
  const std::int64_t lower = own_class ? low : low * times.other_low / 1000, higher = own_class ? high : high * times.other_high / 1000;
  return {value, Nanoseconds{value.value / 1000 * lower}, Nanoseconds{value.value / 1000 * higher}};
}

/// As far apart as a step or a prompt that rates tell.
TimeRange like(const TimeRange& told, Nanoseconds value) noexcept {
  const double each = static_cast<double>(value.value) / static_cast<double>(std::max<std::int64_t>(told.expected.value, 1));
  const auto scaled = [&](Nanoseconds time) { return Nanoseconds{kernels::whole_part(static_cast<double>(time.value) * each + 0.5)}; };
  return {value, scaled(told.low), scaled(told.high)};
}

} // namespace

TimeRange first_token_range(const Scenario& scenario, const Load& load) {
  const ServingTimes* const times = scenario.profile.inference.times;
  if (times == nullptr) return {};
  return load.measured ? around(load.first_token.mean, times->first_low, times->first_high, *times, load.own_class) : like(speed(scenario).first_token, load.first_token.mean);
}

TimeRange per_token_range(const Scenario& scenario, const Load& load) {
  const ServingTimes* const times = scenario.profile.inference.times;
  if (times == nullptr) return {};
  TimeRange range = load.measured ? around(load.per_token.mean, times->own_kernels.low, times->own_kernels.high, *times, load.own_class) : like(speed(scenario).step, load.per_token.mean);
  const TokenRate accepted = timing::accepted_tokens(scenario); // more of them at once, where more drafts are accepted
  range.low = Nanoseconds{(Count{range.low.value} * accepted.expected).value / std::max<std::int64_t>(accepted.high.value, 1)};
  range.high = Nanoseconds{(Count{range.high.value} * accepted.expected).value / std::max<std::int64_t>(accepted.low.value, 1)};
  return range;
}

} // namespace plimsoll
