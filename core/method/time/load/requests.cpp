#include "method/time/load/requests.hpp"

#include "method/kernels/gpu.hpp"
#include "method/time/load/random.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::timing {

namespace {

/// A router hands requests round: each replica gets one after the other.
RequestPlan traced(const Traffic& traffic, const Strategy& strategy) {
  constexpr std::size_t kEach = 3; // numbers of a request
  constexpr double kMillisecond = 1e6;
  RequestPlan plan;
  for (std::size_t i = 0; i + kEach <= traffic.trace.size(); i += kEach * static_cast<std::size_t>(std::max<std::int64_t>(strategy.data_parallel, 1)))
    plan.requests.push_back({.prompt = std::max<std::int64_t>(traffic.trace[i + 1], 1), .answer = std::max<std::int64_t>(traffic.trace[i + 2], 1), .arrival = static_cast<double>(traffic.trace[i]) * kMillisecond});
  std::ranges::stable_sort(plan.requests, {}, &Request::arrival);
  plan.measured_until = static_cast<std::int64_t>(plan.requests.size());
  return plan;
}

/// Which requests find the shared beginning of their prompt in the cache: all but the first that could.
void find_prefixes(RequestPlan& plan, const Traffic& traffic, const Serving& serving) {
  if (serving.shared_tokens <= 0) return;
  const Hits hits = hits_of(traffic, serving);
  Chance chance{20260423};
  for (std::size_t i = 1; i < plan.requests.size(); ++i) {
    constexpr double kWhole = 1000.0;
    Request& request = plan.requests[i];
    const std::int64_t found = std::min(serving.shared_tokens, request.prompt - 1), drawn = kernels::whole_part(chance.next() * kWhole);
    std::int64_t below = hits.gpu;
    if (drawn < below) request.cached = found;
    else if (drawn < (below += hits.host)) request.brought = found;
    else if (drawn < below + hits.drives) request.brought = found, request.from_drives = true;
  }
}

RequestPlan stated(const Workload& workload, const Strategy& strategy) {
  const Traffic& traffic = workload.traffic;
  RequestPlan plan;
  const bool closed = traffic.concurrency > 0, endless = closed && traffic.requests == 0;
  constexpr std::int64_t kMost = 40'000, kOpen = 2'000, kRounds = 5;
  constexpr std::int64_t kBehind = 2; // of the rounds, while the last ones that count are answered
  const auto share = [&](std::int64_t of_all) { return sequences_of_replica(Count{of_all}, strategy).value; };
  plan.at_once = closed ? std::clamp<std::int64_t>(share(traffic.concurrency), 1, kMost / kRounds) : 0;
  std::int64_t count = traffic.requests > 0 ? share(traffic.requests) : closed ? std::max<std::int64_t>(kRounds * plan.at_once, traffic.lengths == Lengths::even ? 64 : kOpen) : kOpen;
  count = std::clamp<std::int64_t>(count, 1, kMost);
  if (traffic.requests == 0) plan.measured_from = closed ? std::min(2 * plan.at_once, count - 1) : count / 5; // without the beginning
  plan.measured_until = count;
  if (endless) count += kBehind * plan.at_once;
  Chance chance{20260117};
  const auto length = [&](std::int64_t longest) {
    const double spread = static_cast<double>(traffic.spread()) / 1000;
    const double drawn = static_cast<double>(longest) * (1 - spread * chance.next());
    return std::max<std::int64_t>(1, kernels::whole_part(drawn + (spread > 0 ? 0.5 : 0.0)));
  };
  const double squares = squares_of(traffic);
  // Where a model's context ends, an engine ends the answer.
  const auto lengths = [&]() -> std::pair<std::int64_t, std::int64_t> {
    if (traffic.lengths == Lengths::even) {
      const std::int64_t prompt = length(traffic.prompt_tokens);
      return {prompt, length(traffic.answer_tokens)};
    }
    const auto drawn = [&](std::int64_t mean, std::int64_t most) {
      const double tokens = static_cast<double>(mean) * chance.lognormal(squares) + 0.5;
      return tokens >= static_cast<double>(most) ? most : std::max<std::int64_t>(1, kernels::whole_part(tokens));
    };
    const std::int64_t prompt = drawn(traffic.prompt_tokens, std::max<std::int64_t>(workload.context_tokens - 1, 1));
    return {prompt, drawn(traffic.answer_tokens, std::max<std::int64_t>(workload.context_tokens - prompt, 1))};
  };
  const double gap = closed ? 0 : 1e15 / static_cast<double>(std::max<std::int64_t>(share((Count{traffic.request_rate} * Count{1000}).value), 1));
  double now = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto [prompt, answer] = lengths();
    Request request{.prompt = prompt, .answer = answer, .arrival = now};
    constexpr std::int64_t kBurst = 10;
    if (!closed && traffic.arrivals == Arrivals::steady) now += gap;
    if (!closed && traffic.arrivals == Arrivals::poisson) now += gap * chance.wait();
    if (!closed && traffic.arrivals == Arrivals::bursts && (i + 1) % kBurst == 0) now += gap * kBurst;
    plan.requests.push_back(request);
  }
  // Of a load without a beginning each slot's request is somewhere in its answer: those that all begin at once would stay in step.
  if (endless)
    for (std::int64_t i = 0; i < plan.at_once; ++i) {
      std::int64_t& answer = plan.requests[static_cast<std::size_t>(i)].answer;
      answer = 1 + kernels::whole_part(static_cast<double>(answer) * chance.next());
    }
  return plan;
}

} // namespace

Hits hits_of(const Traffic& traffic, const Serving& serving) noexcept {
  return {traffic.prefix_hits, serving.host_cache_bytes > 0 ? traffic.host_hits : 0, serving.drive_cache_bytes > 0 ? traffic.drive_hits : 0};
}

double squares_of(const Traffic& traffic) noexcept {
  if (traffic.lengths == Lengths::even) return 1;
  const double deviation = static_cast<double>(traffic.length_deviation) / 1000;
  return 1 + deviation * deviation;
}

RequestPlan requests_of(const Workload& workload, const Serving& serving, const Strategy& strategy) {
  const Traffic& traffic = workload.traffic;
  RequestPlan plan = traffic.trace.empty() ? stated(workload, strategy) : traced(traffic, strategy);
  find_prefixes(plan, traffic, serving);
  return plan;
}

} // namespace plimsoll::timing
