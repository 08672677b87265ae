#include "method/time/load/requests.hpp"

#include "method/kernels/gpu.hpp"
#include "method/sort_stably.hpp"
#include "method/time/load/random.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>
#include <limits>

namespace plimsoll::timing {

namespace {

constexpr double kMillisecond = 1e6;
constexpr std::int64_t kAnyLength = std::numeric_limits<std::int64_t>::max();

/// A router hands requests round: each replica gets one after the other.
RequestPlan traced(const Traffic& traffic, const Strategy& strategy) {
  constexpr std::size_t kEach = 3; // numbers of a request
  RequestPlan plan;
  for (std::size_t i = 0; i + kEach <= traffic.trace.size(); i += kEach * static_cast<std::size_t>(std::max<std::int64_t>(strategy.data_parallel, 1)))
    plan.requests.push_back({.prompt = std::max<std::int64_t>(traffic.trace[i + 1], 1), .answer = std::max<std::int64_t>(traffic.trace[i + 2], 1), .arrival = static_cast<double>(traffic.trace[i]) * kMillisecond});
  sort_stably(plan.requests, {}, &Request::arrival);
  plan.begin = plan.measured_until = static_cast<std::int64_t>(plan.requests.size());
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
  plan.turns = std::max<std::int64_t>(traffic.turns, 1);
  plan.context = traffic.lengths == Lengths::even ? 0 : workload.context_tokens;
  plan.think = static_cast<double>(traffic.think_ms) * kMillisecond;
  const std::int64_t few = std::max<std::int64_t>(2 * plan.at_once + 3 * plan.turns, traffic.lengths == Lengths::even ? 64 : kOpen); // of each turn, too
  std::int64_t count = traffic.requests > 0 ? share(traffic.requests) : closed ? std::max(kRounds * plan.at_once, few) : kOpen * plan.turns;
  count = std::clamp<std::int64_t>(count, 1, kMost);
  if (traffic.requests == 0) plan.measured_from = closed ? std::min(2 * plan.at_once, count - 1) : count / 5; // without the beginning
  plan.measured_until = count;
  plan.begin = closed ? std::min(plan.at_once, count) : (count + plan.turns - 1) / plan.turns;
  if (endless) count += kBehind * plan.at_once;
  Chance chance{20260117};
  const double squares = squares_of(traffic), spread = static_cast<double>(traffic.spread()) / 1000;
  const bool even = traffic.lengths == Lengths::even;
  const auto drawn = [&] { return even ? 1 - spread * chance.next() : chance.lognormal(squares); };
  const auto tokens = [&](std::int64_t stated, double share_of_it, std::int64_t most) {
    const double exact = static_cast<double>(stated) * share_of_it + (even && spread <= 0 ? 0.0 : 0.5);
    return exact >= static_cast<double>(most) ? most : std::max<std::int64_t>(1, kernels::whole_part(exact));
  };
  const std::int64_t context = even ? kAnyLength : workload.context_tokens; // where a model's ends, an engine ends the answer
  const auto request_at = [&](double now) {
    const double share_of_prompt = drawn();
    Request request{.prompt = tokens(traffic.prompt_tokens, share_of_prompt, std::max<std::int64_t>(context - 1, 1)), .arrival = now};
    request.added = tokens(traffic.turn_tokens, share_of_prompt, std::max<std::int64_t>(context - 1, 1));
    request.answer = tokens(traffic.answer_tokens, drawn(), std::max<std::int64_t>(context - request.prompt, 1));
    return request;
  };
  const double gap = closed ? 0 : 1e15 / static_cast<double>(std::max<std::int64_t>(share((Count{traffic.request_rate} * Count{1000}).value), 1)) * static_cast<double>(plan.turns);
  double now = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const Request request = request_at(now);
    constexpr std::int64_t kBurst = 10;
    if (!closed && traffic.arrivals == Arrivals::steady) now += gap;
    if (!closed && traffic.arrivals == Arrivals::poisson) now += gap * chance.wait();
    if (!closed && traffic.arrivals == Arrivals::bursts && (i + 1) % kBurst == 0) now += gap * kBurst;
    plan.requests.push_back(request);
  }
  // Of a load without a beginning each slot's request is somewhere in its answer: those that all begin at once would stay in step.
  if (endless)
    for (std::int64_t i = 0; i < plan.at_once; ++i) {
      Request& request = plan.requests[static_cast<std::size_t>(i)];
      request.answer = 1 + kernels::whole_part(static_cast<double>(request.answer) * chance.next());
      if (plan.turns <= 1) continue;
      const double place = (static_cast<double>(i) + chance.next()) / static_cast<double>(plan.at_once) * static_cast<double>(plan.turns);
      request.turn = kernels::whole_part(place);
      request.arrival = (place - static_cast<double>(request.turn)) * plan.think;
      request.prompt = std::min(request.prompt + request.turn * (traffic.turn_tokens + traffic.answer_tokens), std::max(context - request.answer, request.prompt));
    }
  return plan;
}

} // namespace

void Request::enters(const AnswerPasses& passes) noexcept {
  asked_prompt = prompt;
  asked_answer = answer;
  answer = passes.passes(answer);
  found = read = cached;
}

bool RequestPlan::goes_on(Request& next, const Request& ended, std::int64_t index) const noexcept {
  const std::int64_t said = ended.asked_prompt + ended.asked_answer;
  if (ended.turn + 1 >= turns) return false;
  next.turn = ended.turn + 1;
  if (context > 0 && said + next.added >= context) return true;
  next.before = index;
  next.prompt = said + next.added;
  if (context > 0) next.answer = std::min(next.answer, context - next.prompt);
  return true;
}

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
