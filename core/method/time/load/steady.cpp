// A load in the long run. A closed one: each slot's request is read, answered, and followed by the next. While a request is answered, the prompts of
// all others are read once; what these add to its steps follows from how many decode, and that from the time. A fixed point, found by a few
// rounds. The first requests of a run arrive at once and wait for each other; those that one pass read end together, but the front end lets
// their followers through one by one, so that each round one of them goes its own way. Requests that come by a rate find as many others as come
// while one is answered (Little's law).
#include "method/time/load/measure.hpp"
#include "method/time/load/pass.hpp"
#include "method/time/work.hpp"
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

/// One request, on average over all of them.
struct Typical {
  double whole = 1;    ///< tokens of its prompt
  double prompt = 1;   ///< of them, that are read
  Found found;         ///< and the others
  double apart = 1;    ///< of what is read, the mean of squares over the square of the mean
  double answers = 1;  ///< tokens after the first
  double steps = 1;    ///< passes that give them
  double context = 1;  ///< in the cache, while it is answered
};

/// Adds what turns of a conversation have before them, which they find again.
void add_turns(const Scenario& scenario, double answer, double shorter, Typical& typical) {
  const Traffic& traffic = scenario.workload.traffic;
  const double added = std::max(1.0, static_cast<double>(traffic.turn_tokens) * shorter), turns = static_cast<double>(traffic.turns);
  double whole = 0, read = 0, squares = 0, prompt = typical.whole;
  for (std::int64_t turn = 0; turn < traffic.turns; ++turn) {
    const double before = turn > 0 ? static_cast<double>(found_again(scenario, Count{kernels::whole_part(prompt - added - 1)}).value) : 0.0;
    const double reads = prompt - std::max(before, typical.found.tokens);
    whole += prompt / turns;
    read += reads / turns;
    squares += reads * reads / turns;
    prompt += added + answer;
  }
  typical.whole = whole;
  typical.prompt = read;
  typical.found.tokens = whole - read;
  typical.found.way /= turns; // later turns have it
  typical.apart *= squares / (read * read);
}

Typical typical_of(const PassModel& model, const Scenario& scenario) {
  const Traffic& traffic = scenario.workload.traffic;
  const double shorter = 1 - static_cast<double>(traffic.spread()) / 2000, apart = squares_of(traffic);
  const double answer = std::max(1.0, static_cast<double>(traffic.answer_tokens) * shorter);
  Typical typical;
  typical.whole = std::max(1.0, static_cast<double>(traffic.prompt_tokens) * shorter);
  typical.found = found_of(scenario, typical.whole);
  typical.prompt = typical.whole - typical.found.tokens;
  typical.apart = apart;
  if (traffic.turns > 1) add_turns(scenario, answer, shorter, typical);
  typical.answers = std::max(1.0, answer - 1);
  typical.steps = std::max(1.0, typical.answers * 1000 / static_cast<double>(model.accepted()));
  typical.context = typical.whole + answer * apart / 2; // long answers are met more often than short ones
  return typical;
}

struct Cycle {
  double first = 0, each = 0; ///< ns to the first token, and from one to the next
  double slots = 1;           ///< requests that are there at once
  bool holds = true;          ///< a rate is answered as it comes
};

/// What a request goes through while others are there, found by rounds.
class Steady {
public:
  Steady(const PassModel& model, const Scenario& scenario, const Typical& typical)
      : model_(model), scheduling_(model.times().scheduling), traffic_(scenario.workload.traffic), typical_(typical), mixes_(model.mixes(scenario)), rate_(rate_of(scenario)),
        all_(std::max(1.0, static_cast<double>(sequences_of_replica(Count{traffic_.concurrency}, scenario.strategy).value))), most_(static_cast<double>(model.most_running(scenario))),
        budget_(static_cast<double>(model.prompt_tokens())), polled_(std::max(1.0, static_cast<double>(scenario.serving.poll_steps))),
        in_step_(rate_ <= 0 && traffic_.requests > 0 && traffic_.spread() == 0 && typical.apart <= 1) {
    if (!scheduling_.chunks && budget_ > typical.prompt) budget_ = typical.prompt * static_cast<double>(kernels::whole_part(budget_ / typical.prompt)); // whole prompts
    decoding_ = slots_ = rate_ > 0 ? 1 : std::min(all_, most_);
  }

  Cycle cycle() {
    constexpr int kRounds = 4, kRoundsOfRate = 10;
    for (int round = 0; round < (rate_ > 0 ? kRoundsOfRate : kRounds); ++round) {
      const Pace pace = pace_beside_others();
      cycle_.each = pace.answering / typical_.answers;
      cycle_.first = pace.read + pace.decode * (polled_ / 2) + (scheduling_.ahead ? (mixes_ ? pace.answering / typical_.steps : pace.decode) : 0);
      wait_for_others(pace);
      if (rate_ > 0) find_rate(pace);
      decoding_ = slots_ * pace.answering / (pace.answering + cycle_.first);
    }
    if (!mixes_ && in_step_) stay_in_step();
    if (rate_ <= 0) wait_for_a_place();
    if (rate_ <= 0 && traffic_.requests > 0) begin_together();
    const double together = traffic_.requests > 0 ? slots_ / 2 * static_cast<double>(traffic_.concurrency) / static_cast<double>(traffic_.requests) : 0.0;
    cycle_.first += typical_.found.way + model_.times().step.prompt + model_.times().step.request * (1 + together);
    cycle_.slots = slots_;
    return cycle_;
  }

private:
  /// ns of a step without prompts, of reading a prompt, of what that adds to the steps of others, and of a whole answer.
  struct Pace {
    double decode, read, added, answering;
  };

  double decode(double sequences) const { return model_.at({.decoding = sequences, .context = typical_.context}).total(); }

  /// Of so many tokens of prompts.
  double reading(double tokens, double decoding) const {
    const double prompt = typical_.prompt, fresh = std::min(tokens, budget_), passes = tokens / fresh;
    Mix mix{.decoding = mixes_ ? decoding : 0, .context = typical_.context, .prompts = std::max(1.0, fresh / prompt), .fresh = std::min(fresh, prompt),
            .before = typical_.found.tokens + (fresh < prompt ? (prompt - fresh) / 2 : 0), .finished = fresh / prompt};
    return passes * model_.at(mix).total();
  }

  /// While one request is answered, the prompts of all others are read once.
  Pace pace_beside_others() const {
    Pace pace{.decode = decode(std::max(1.0, decoding_)), .read = 0, .added = 0, .answering = 0};
    double together = 1;
    const double passes = (slots_ - 1) * std::max(1.0, typical_.prompt / budget_);
    if (mixes_ && passes > typical_.steps) together = std::min(slots_, passes / typical_.steps);
    pace.read = reading(typical_.prompt * together, decoding_);
    const double hidden = mixes_ ? pace.decode * std::max(1.0, typical_.prompt * together / budget_) : 0.0; // steps that would have run anyway
    pace.added = std::max(0.0, pace.read - hidden) / together;
    pace.answering = typical_.steps * pace.decode + (slots_ - 1) * pace.added;
    return pace;
  }

  double busy(const Pace& pace, double first) const { return rate_ > 0 ? rate_ * pace.added : slots_ * pace.added / (pace.answering + first); }

  /// Prompts that come by chance wait for those before them: Kingman's queue, which of equal services is Pollaczek and Khinchine's.
  void wait_for_others(const Pace& pace) {
    busy_ = busy(pace, cycle_.first);
    const double uneven = (rate_ > 0 && traffic_.arrivals == Arrivals::steady ? 0 : 1) + typical_.apart - 1; // squared deviations of arrivals and of lengths
    if (!in_step_) cycle_.first += uneven * pace.read * std::min(slots_, busy_ / std::max(1 - busy_, 1 / slots_)) / 2;
  }

  /// Requests that one finds, and itself (Little's law): a secant's step towards as many as that makes.
  void find_rate(const Pace& pace) {
    const double made = 1 + rate_ * (pace.answering + cycle_.first), slope = slots_ != tried_ ? (made - made_before_) / (slots_ - tried_) : 0.0;
    constexpr double kNear = 0.05; // or the steps have not found it
    cycle_.holds = busy_ < 1 && slope < 1 && made <= most_ && made - slots_ <= kNear * made && slots_ - made <= kNear * made;
    tried_ = slots_;
    made_before_ = made;
    slots_ = std::clamp(slope < 1 ? slots_ + (made - slots_) / (1 - slope) : most_, 1.0, most_);
  }

  /// Where prompts go before everything else and all requests are alike: all are read, then all are answered.
  void stay_in_step() {
    const double read = reading(typical_.prompt * slots_, 0), passes = std::max(1.0, typical_.prompt * slots_ / budget_);
    cycle_.first = read * (1 + 1 / passes) / 2;
    cycle_.each = (decode(slots_) * typical_.steps + read - cycle_.first) / typical_.answers;
  }

  /// Tokens pass the front end one after the other: no request is over before those beside it have had theirs (Little's law). Those that the engine has no
  /// place for wait for one.
  void wait_for_a_place() {
    const StepTimes& step = model_.times().step;
    cycle_.first += std::max(0.0, slots_ * (typical_.answers * step.token + step.request) - cycle_.first - cycle_.each * typical_.answers);
    const double whole = cycle_.first + cycle_.each * typical_.answers;
    if (all_ > slots_) cycle_.first += whole * (all_ - slots_) / slots_;
  }

  /// The first requests of a run all come at once. Those that one pass read end together, and each round one of them goes its own way: of the k-th
  /// round group - k are together still.
  void begin_together() {
    const double prompt = typical_.prompt, rounds = std::max(1.0, static_cast<double>(traffic_.requests) / static_cast<double>(traffic_.concurrency));
    const double least = std::min(budget_, prompt * slots_), burst = (prompt * slots_ + least) / 2;
    const double at_once = reading(burst, 0);
    double later = cycle_.first;
    const double group = !in_step_ ? 1.0 : std::clamp(static_cast<double>(kernels::whole_part(budget_ / prompt)), 1.0, slots_);
    if (group > 1 && rounds > 1) {
      const double left = std::min(rounds - 1, group - 1), together = left * (group - 1 + group - left) / 2, squares = left * (group * group - group * left + left * left / 3);
      later += (reading(prompt * group, decoding_) - cycle_.first) * std::max(0.0, squares / group - together / group) / (group * (rounds - 1));
    }
    cycle_.first = at_once / rounds + later * (rounds - 1) / rounds;
  }

  const PassModel& model_;
  const Scheduling& scheduling_;
  const Traffic& traffic_;
  const Typical& typical_;
  bool mixes_;
  double rate_;  ///< 0 of a closed load
  double all_, most_, budget_, polled_;
  bool in_step_; ///< since all began at once
  double slots_ = 1, decoding_ = 1, busy_ = 0;
  double tried_ = 1, made_before_ = 1;
  Cycle cycle_;
};

/// Whether a mean stands for all requests of the load.
bool has_closed_form(const Scenario& scenario) {
  const Workload& workload = scenario.workload;
  const Traffic& traffic = workload.traffic;
  if (!has_traffic(workload) || !traffic.trace.empty() || (traffic.concurrency <= 0 && rate_of(scenario) <= 0) || scenario.serving.disaggregation != Disaggregation::none) return false;
  // Not where many are cut, or have no more than a prefix.
  if (traffic.lengths != Lengths::even && (scenario.serving.shared_tokens > 0 || workload.context_tokens / kLongestOfMean < traffic.conversation_tokens())) return false;
  return traffic.turns <= 1 || (traffic.requests == 0 && traffic.think_ms == 0);
}

/// Whether conversations surely find again what they left: where they may not, how long prompts take differs too much for a mean.
bool keeps_histories(const Scenario& scenario, const PassModel& model, const LoadLimits& limits, double slots) {
  const Traffic& traffic = scenario.workload.traffic;
  const Count longest{traffic.lengths == Lengths::even ? traffic.conversation_tokens() : scenario.workload.context_tokens};
  if (traffic.turns <= 1) return true;
  if (found_again(scenario, longest) == Count{0}) return false;
  const Count all = max(sequences_of_replica(Count{traffic.concurrency}, scenario.strategy), Count{kernels::whole_part(slots) + 1});
  return all <= Count{model.most_running(scenario)} && (limits.cache_tokens <= Count{0} || all * longest <= limits.cache_tokens);
}

} // namespace

} // namespace timing

Load steady_load(const Scenario& scenario, const LoadLimits& limits) {
  using namespace timing;
  Load load;
  if (!has_closed_form(scenario)) return load;
  const std::optional<PassModel> model = PassModel::of(scenario);
  if (!model) return load;
  const Traffic& traffic = scenario.workload.traffic;
  const Typical typical = typical_of(*model, scenario);
  const Cycle cycle = Steady{*model, scenario, typical}.cycle();
  if (!cycle.holds || !keeps_histories(scenario, *model, limits, cycle.slots)) return load;
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
  const double rate = rate_of(scenario), per_second = rate > 0 ? static_cast<double>(traffic.request_rate) / kThousandths : static_cast<double>(traffic.concurrency) / whole * kernels::kNanoseconds;
  load.requests = thousandths(per_second);
  load.prompt_tokens = thousandths(per_second * typical.whole);
  load.found_tokens = thousandths(per_second * typical.found.tokens);
  load.answer_tokens = thousandths(per_second * answer);
  return load;
}

} // namespace plimsoll
