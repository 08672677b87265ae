// A load in the long run. A closed one: each slot's request is read, answered, and followed by the next. While a request is answered, the prompts of
// all others are read once; what these add to its steps follows from how many decode, and that from the time. A fixed point, found by a few
// rounds. The first requests of a run arrive at once and wait for each other; those that one pass read end together, but the front end lets
// their followers through one by one, so that each round one of them goes its own way. Requests that come by a rate find as many others as come
// while one is answered (Little's law).
#include "method/time/load/measure.hpp"
#include "method/time/load/pass.hpp"
#include "plimsoll/method/load.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>
#include <vector>

namespace plimsoll {

namespace timing {

namespace {

/// What requests find of their prompts, on average.
struct Found {
  double tokens = 0; ///< in a cache
  double way = 0;    ///< ns until what the host or drives keep is back
};

Found found_of(const Scenario& scenario, double prompt) {
  const Traffic& traffic = scenario.workload.traffic;
  const double shared = std::min(static_cast<double>(scenario.serving.shared_tokens), prompt - 1);
  if (shared <= 0) return {};
  std::vector<Request> of(2); // one of each tier
  of[0].brought = of[1].brought = kernels::whole_part(shared);
  of[1].from_drives = true;
  add_ways(scenario, of);
  const Hits hits = hits_of(traffic, scenario.serving);
  constexpr double kAll = 1000;
  const auto share = [&](std::int64_t thousandths) { return static_cast<double>(thousandths) / kAll; };
  return {shared * std::min(1.0, share(hits.gpu + hits.host + hits.drives)), share(hits.host) * of[0].on_the_way + share(hits.drives) * of[1].on_the_way};
}

/// Requests in a nanosecond that come to a replica by a rate; 0 where they come as others end, or together.
double rate_of(const Scenario& scenario) noexcept {
  const Traffic& traffic = scenario.workload.traffic;
  if (traffic.concurrency > 0 || !traffic.trace.empty() || traffic.arrivals == Arrivals::bursts) return 0;
  constexpr double kThousandths = 1000;
  return static_cast<double>(traffic.request_rate) / kThousandths / kernels::kNanoseconds / static_cast<double>(std::max<std::int64_t>(scenario.strategy.data_parallel, 1));
}

struct Cycle {
  double first = 0, each = 0; ///< ns to the first token, and from one to the next
  bool holds = true;          ///< a rate is answered as it comes
};

Cycle cycle_of(const PassModel& model, const Scenario& scenario) {
  const Traffic& traffic = scenario.workload.traffic;
  const Scheduling& scheduling = model.times().scheduling;
  const bool mixes = model.mixes(scenario);
  const double shorter = 1 - static_cast<double>(traffic.spread()) / 2000;
  const double whole_prompt = std::max(1.0, static_cast<double>(traffic.prompt_tokens) * shorter), answer = std::max(1.0, static_cast<double>(traffic.answer_tokens) * shorter);
  const Found found = found_of(scenario, whole_prompt);
  const double prompt = whole_prompt - found.tokens; // that is read
  const double all = std::max(1.0, static_cast<double>(sequences_of_replica(Count{traffic.concurrency}, scenario.strategy).value));
  const auto most = static_cast<double>(model.most_running(scenario));
  const double rate = rate_of(scenario); // 0 of a closed load
  double slots = rate > 0 ? 1 : std::min(all, most);
  double budget = static_cast<double>(model.prompt_tokens());
  if (!scheduling.chunks && budget > prompt) budget = prompt * static_cast<double>(kernels::whole_part(budget / prompt)); // whole prompts
  const double answers = std::max(1.0, answer - 1), steps = std::max(1.0, answers * 1000 / static_cast<double>(model.accepted())), apart = squares_of(traffic);
  const double context = whole_prompt + answer * apart / 2; // long answers are met more often than short ones
  const auto reading = [&](double tokens, double decoding) {
    const double fresh = std::min(tokens, budget), passes = tokens / fresh;
    Mix mix{.decoding = mixes ? decoding : 0, .context = context, .prompts = std::max(1.0, fresh / prompt), .fresh = std::min(fresh, prompt),
            .before = found.tokens + (fresh < prompt ? (prompt - fresh) / 2 : 0), .finished = fresh / prompt};
    return passes * model.at(mix).total();
  };
  const double polled = std::max(1.0, static_cast<double>(scenario.serving.poll_steps));
  const bool in_step = rate <= 0 && traffic.requests > 0 && traffic.spread() == 0 && apart <= 1; // since all began at once
  double decoding = slots;
  Cycle cycle;
  double tried = 1, made_before = 1;
  constexpr int kRounds = 4, kRoundsOfRate = 10;
  for (int round = 0; round < (rate > 0 ? kRoundsOfRate : kRounds); ++round) {
    const double decode = model.at({.decoding = std::max(1.0, decoding), .context = context}).total();
    double together = 1;
    const double passes = (slots - 1) * std::max(1.0, prompt / budget); // of others' prompts, while one is answered
    if (mixes && passes > steps) together = std::min(slots, passes / steps);
    const double read = reading(prompt * together, decoding);
    const double hidden = mixes ? decode * std::max(1.0, prompt * together / budget) : 0.0; // steps that would have run anyway
    const double added = std::max(0.0, read - hidden) / together; // by each prompt
    const double answering = steps * decode + (slots - 1) * added;
    cycle.each = answering / answers;
    cycle.first = read + decode * (polled / 2) + (scheduling.ahead ? (mixes ? answering / steps : decode) : 0);
    // Otherwise prompts come by chance, and wait for those before them: Kingman's queue, which of equal services is Pollaczek and Khinchine's.
    const double busy = rate > 0 ? rate * added : slots * added / (answering + cycle.first);
    const double uneven = (rate > 0 && traffic.arrivals == Arrivals::steady ? 0 : 1) + apart - 1; // squared deviations of arrivals and of lengths
    if (!in_step) cycle.first += uneven * read * std::min(slots, busy / std::max(1 - busy, 1 / slots)) / 2;
    if (rate > 0) { // those that it finds, and itself: a secant's step towards as many as that makes
      const double made = 1 + rate * (answering + cycle.first), slope = slots != tried ? (made - made_before) / (slots - tried) : 0.0;
      constexpr double kNear = 0.05; // or the steps have not found it
      cycle.holds = busy < 1 && slope < 1 && made <= most && made - slots <= kNear * made && slots - made <= kNear * made;
      tried = slots;
      made_before = made;
      slots = std::clamp(slope < 1 ? slots + (made - slots) / (1 - slope) : most, 1.0, most);
    }
    decoding = slots * answering / (answering + cycle.first);
  }
  // Where prompts go before everything else and all requests are alike, they stay in step: all are read, then all are answered.
  if (!mixes && in_step) {
    const double read = reading(prompt * slots, 0), passes = std::max(1.0, prompt * slots / budget);
    cycle.first = read * (1 + 1 / passes) / 2;
    cycle.each = (model.at({.decoding = slots, .context = context}).total() * steps + read - cycle.first) / answers;
  }
  // Tokens pass the front end one after the other: no request is over before those beside it have had theirs (Little's law).
  if (rate <= 0) cycle.first += std::max(0.0, slots * (answers * model.times().step.token + model.times().step.request) - cycle.first - cycle.each * answers);
  const double whole = cycle.first + cycle.each * answers;
  if (rate <= 0 && all > slots) cycle.first += whole * (all - slots) / slots; // those that the engine has no place for wait for one
  if (rate <= 0 && traffic.requests > 0) {
    const double rounds = std::max(1.0, static_cast<double>(traffic.requests) / static_cast<double>(traffic.concurrency));
    const double least = std::min(budget, prompt * slots), burst = (prompt * slots + least) / 2;
    const double at_once = reading(burst, 0);
    double later = cycle.first;
    const double group = !in_step ? 1.0 : std::clamp(static_cast<double>(kernels::whole_part(budget / prompt)), 1.0, slots);
    if (group > 1 && rounds > 1) { // the k-th round has group - k of them together still
      const double left = std::min(rounds - 1, group - 1), together = left * (group - 1 + group - left) / 2, squares = left * (group * group - group * left + left * left / 3);
      later += (reading(prompt * group, decoding) - cycle.first) * std::max(0.0, squares / group - together / group) / (group * (rounds - 1));
    }
    cycle.first = at_once / rounds + later * (rounds - 1) / rounds;
  }
  cycle.first += found.way + model.times().step.prompt + model.times().step.request * (1 + (traffic.requests > 0 ? slots / 2 * static_cast<double>(traffic.concurrency) / static_cast<double>(traffic.requests) : 0.0));
  return cycle;
}

} // namespace

} // namespace timing

Load steady_load(const Scenario& scenario) {
  using namespace timing;
  Load load;
  const Traffic& traffic = scenario.workload.traffic;
  const double rate = rate_of(scenario);
  if (!has_traffic(scenario.workload) || !traffic.trace.empty() || (traffic.concurrency <= 0 && rate <= 0) || scenario.serving.disaggregation != Disaggregation::none) return load;
  if (traffic.lengths != Lengths::even) {
    // Where many are cut, or have no more than a prefix, no mean stands for all.
    if (scenario.serving.shared_tokens > 0 || scenario.workload.context_tokens / kLongestOfMean < traffic.prompt_tokens + traffic.answer_tokens) return load;
  }
  const std::optional<PassModel> model = PassModel::of(scenario);
  if (!model) return load;
  const Cycle cycle = cycle_of(*model, scenario);
  if (!cycle.holds) return load;
  const auto all_alike = [](double ns) {
    const Nanoseconds time{kernels::whole_part(ns + 0.5)};
    return Waits{time, time, time, time};
  };
  const double shorter = 1 - static_cast<double>(traffic.spread()) / 2000;
  const double answer = static_cast<double>(traffic.answer_tokens) * shorter, whole = cycle.first + cycle.each * std::max(0.0, answer - 1);
  load.exists = true;
  load.measured = model->measured();
  load.own_class = model->own_class();
  load.first_token = all_alike(cycle.first);
  load.per_token = all_alike(cycle.each);
  load.whole = all_alike(whole);
  constexpr double kThousandths = 1000;
  const double per_second = rate > 0 ? static_cast<double>(traffic.request_rate) / kThousandths : static_cast<double>(traffic.concurrency) / whole * kernels::kNanoseconds;
  const auto thousandths = [](double value) { return Count{kernels::whole_part(value * 1000 + 0.5)}; };
  load.requests = thousandths(per_second);
  load.prompt_tokens = thousandths(per_second * static_cast<double>(traffic.prompt_tokens) * shorter);
  load.answer_tokens = thousandths(per_second * answer);
  return load;
}

} // namespace plimsoll
