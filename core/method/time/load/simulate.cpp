// An engine's scheduler, pass by pass: sequences that decode go first, prompts take what is left of a pass's tokens, and where the cache has no
// page left, the request that came last gives its own back and begins again. Requests pass the front end one after the other, so that those
// which end together come back apart, and the first of them is read alone. vllm-project/vllm, vllm/v1/core/sched/scheduler.py, schedule();
// where prompts are read by passes of their own: sgl-project/sglang, python/sglang/srt/managers/scheduler.py, get_next_batch_to_run.
// Passes in which nothing changes but the length of the sequences are taken together.
#include "method/memory/serving.hpp"
#include "method/sort_stably.hpp"
#include "method/time/link.hpp"
#include "method/time/load/histories.hpp"
#include "method/time/load/measure.hpp"
#include "method/time/load/pass.hpp"
#include "method/time/load/requests.hpp"
#include "method/time/work.hpp"
#include "plimsoll/method/load.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>

namespace plimsoll {

namespace timing {

namespace {

class Simulation {
public:
  Simulation(const PassModel& model, RequestPlan plan, const Scenario& scenario, std::int64_t cache)
      : model_(model), scenario_(scenario), plan_(std::move(plan)), answers_(model.accepted()), cache_(cache), budget_(model.prompt_tokens()), most_(model.most_running(scenario)),
        poll_(std::max<std::int64_t>(1, scenario.serving.poll_steps)), mixes_(model.mixes(scenario)) {
    constexpr Count kMany{1'000'000};
    keeps_ = plan_.turns > 1 && found_again(scenario, kMany) > Count{0};
    if (!keeps_) return;
    const Strategy passed = without_stages(scenario.strategy);
    const Bytes each = cached_token(scenario, Stage{scenario.model, passed, scenario.workload, 0});
    const bool elsewhere = scenario.profile.inference.caches_on_host;
    histories_ = Histories{plan_.requests.size(), elsewhere ? memory::tokens_on_host(scenario, each).amount : 0, elsewhere ? memory::tokens_on_drives(scenario, each).amount : 0};
    const auto way = [&](const Term& term) { return static_cast<double>(term.amount) / static_cast<double>(kMany.value); };
    ways_ = {0, way(cache_from_host(scenario, each, kMany)), way(cache_from_drives(scenario, each, kMany))};
  }

  void run() {
    for (; next_ < plan_.begin; ++next_) enter(next_);
    left_ = plan_.measured_until;
    while (left_ > 0) pass();
  }

  const RequestPlan& plan() const { return plan_; }
  double measured_ns() const { return std::max(now_ - begin_, 1.0); }
  double running_ns = 0, waiting_ns = 0, used_ns = 0, prompts_ns = 0, passes_ns = 0;
  std::int64_t steps = 0, preemptions = 0;

private:
  std::int64_t size() const { return static_cast<std::int64_t>(plan_.requests.size()); }
  Request& at(std::int64_t i) { return plan_.requests[static_cast<std::size_t>(i)]; }
  /// Tokens in the cache that are its own.
  std::int64_t held(const Request& request) const { return request.read + answers_.tokens(request.given) - request.cached; }
  bool fits(std::int64_t tokens) const { return cache_ <= 0 || used_ + tokens <= cache_; }
  bool has_history(const Request& request) const { return keeps_ && request.before >= 0 && histories_.of(request.before) != Histories::Kept{}; }

  /// Tokens of its prompt that it finds or that have been brought, besides `cached`; the last one of a prompt is always read.
  std::int64_t again(const Request& request) const {
    if (!keeps_ || request.before < 0) return request.brought;
    const Count all{request.cached + histories_.of(request.before)[Histories::gpu] + request.brought};
    return std::max<std::int64_t>(0, std::min(found_again(scenario_, all).value, request.prompt - 1) - request.cached);
  }

  /// Whether some of its conversation is on the host or on drives.
  bool is_away(const Request& request) const {
    return has_history(request) && histories_.of(request.before)[Histories::host] + histories_.of(request.before)[Histories::drives] > 0;
  }
  void fetch(Request& request) {
    const Histories::Kept& kept = histories_.of(request.before);
    double way = 0;
    for (const auto place : {Histories::host, Histories::drives}) {
      request.brought += kept[place];
      way += ways_[place] * static_cast<double>(kept[place]);
    }
    histories_.fetch(request.before);
    link_free_ = std::max(link_free_, now_) + way; // one after the other; others are not held up
    request.ready = link_free_;
  }

  /// Requests that run have the room first, histories what they leave.
  void make_room() {
    if (histories_.on_gpu() <= 0) return;
    const bool slots = model_.times().scheduling.slots;
    histories_.shrink(cache_ > 0 ? std::max<std::int64_t>(cache_ - used_, 0) : Histories::kAnyNumber,
                      slots ? std::max<std::int64_t>(most_ - static_cast<std::int64_t>(running_.size() + reading_.size()), 0) : Histories::kAnyNumber);
  }

  void take(std::int64_t steps_taken, double each, double tokens) {
    const double time = each * static_cast<double>(steps_taken), work = tokens * model_.times().step.token;
    sent_ = std::max(std::max(sent_, now_ + each) + work * static_cast<double>(steps_taken), now_ + time + work);
    if (next_ > plan_.measured_from) {
      running_ns += time * static_cast<double>(running_.size());
      std::int64_t here = 0;
      while (here < static_cast<std::int64_t>(waiting_.size()) && at(waiting_[static_cast<std::size_t>(here)]).ready <= now_) ++here; // in their order
      waiting_ns += time * static_cast<double>(here);
      used_ns += time * static_cast<double>(used_);
    } else {
      begin_ = now_ + time; // nothing counts yet
    }
    passes_ns += time;
    seen_ = model_.times().scheduling.ahead ? now_ + time - each : now_ + time;
    now_ += time;
    steps += steps_taken;
  }

  /// Prompts that this pass reads: those begun first, then those that wait, as far as tokens and cache allow.
  std::vector<std::pair<std::int64_t, std::int64_t>> prompts_of(std::int64_t left) {
    std::vector<std::pair<std::int64_t, std::int64_t>> reads;
    const bool chunks = model_.times().scheduling.chunks;
    // A prompt that is larger than a pass is cut all the same: the engine would not take it.
    const auto whole = [&](std::int64_t i, std::int64_t found) { return chunks || at(i).prompt - at(i).read - found <= left || reads.empty(); };
    const auto read = [&](std::int64_t i) {
      const std::int64_t tokens = chunks ? std::min(left, at(i).prompt - at(i).read) : std::min(budget_, at(i).prompt - at(i).read);
      reads.emplace_back(i, tokens);
      used_ += tokens;
      left -= tokens;
      make_room();
    };
    for (const std::int64_t i : reading_)
      if (left > 0 && whole(i, 0)) read(i);
    while (left > 0 && !waiting_.empty() && at(waiting_.front()).ready <= polled_ && static_cast<std::int64_t>(running_.size() + reading_.size()) < most_) {
      const std::int64_t i = waiting_.front();
      Request& request = at(i);
      if (is_away(request)) {
        waiting_.pop_front();
        fetch(request);
        queue(i);
        continue;
      }
      const std::int64_t found = again(request);
      if (!fits(request.prompt - request.cached + 1) || !whole(i, found)) break;
      waiting_.pop_front();
      reading_.push_back(i);
      if (keeps_ && request.before >= 0) histories_.take(request.before);
      request.read += found;
      if (request.first == 0) request.found = request.read;
      used_ += found;
      read(i);
    }
    return reads;
  }

  /// Makes room for what one more pass gives each running sequence.
  void preempt() {
    while (cache_ > 0 && running_.size() > 1 && used_ + static_cast<std::int64_t>(running_.size()) * answers_.most() > cache_) {
      const std::int64_t last = running_.back();
      running_.pop_back();
      Request& request = at(last);
      used_ -= held(request);
      request.prompt += answers_.tokens(request.given); // what was answered is read again
      request.answer -= request.given;
      request.given = 0;
      request.read = request.cached;
      request.brought = 0;
      request.before = -1;
      waiting_.push_front(last);
      ++preemptions;
    }
  }

  void pass() {
    if (running_.empty() && reading_.empty()) { // nothing runs that could have been made up before
      if (!waiting_.empty()) now_ = std::max(now_, at(waiting_.front()).ready);
      seen_ = now_;
      since_poll_ = poll_;
    }
    if (since_poll_ >= poll_) {
      polled_ = seen_;
      since_poll_ = 0;
    }
    preempt();
    const auto decoding = static_cast<std::int64_t>(running_.size());
    const auto reads = prompts_of(mixes_ ? std::max<std::int64_t>(budget_ - decoding, decoding > 0 ? 0 : budget_) : budget_);
    if (reads.empty()) return decode();
    Mix mix;
    std::int64_t fresh = 0, before = 0, finished = 0;
    for (const auto& [i, tokens] : reads) {
      fresh += tokens;
      before += at(i).read;
      finished += at(i).read + tokens >= at(i).prompt ? 1 : 0;
    }
    mix.prompts = static_cast<double>(reads.size());
    mix.fresh = static_cast<double>(fresh) / mix.prompts;
    mix.before = static_cast<double>(before) / mix.prompts;
    mix.finished = static_cast<double>(finished);
    if (mixes_) decoding_of(mix, 0);
    if (mix != read_) read_ = mix, read_ns_ = model_.at(mix).total(); // mostly the same prompts again
    const double time = read_ns_;
    prompts_ns += mix.decoding > 0 ? std::max(0.0, time - model_.at({.decoding = mix.decoding, .context = mix.context}).total()) : time;
    take(1, time, mix.decoding * answers_.each() + mix.finished);
    since_poll_ = poll_; // after prompts it looks at once: SGLang's SchedulerRecvSkipper
    if (mixes_) give(1);
    for (const auto& [i, tokens] : reads) {
      Request& request = at(i);
      request.read += tokens;
      if (request.read < request.prompt) continue;
      std::erase(reading_, i);
      if (request.first == 0) request.first = seen_by_client();
      request.given = 1;
      ++used_;
      if (request.given >= request.answer) finish(i);
      else running_.push_back(i);
    }
  }

  void decoding_of(Mix& mix, std::int64_t ahead) {
    std::int64_t context = 0;
    for (const std::int64_t i : running_) context += at(i).read + answers_.tokens(at(i).given);
    mix.decoding = static_cast<double>(running_.size());
    mix.context = running_.empty() ? 0 : static_cast<double>(context) / mix.decoding + static_cast<double>(ahead) * answers_.each() / 2;
  }

  /// Passes without prompts, until something changes.
  void decode() {
    if (running_.empty()) {
      if (waiting_.empty() || at(waiting_.front()).ready <= now_) stuck();
      return;
    }
    std::int64_t count = at(running_.front()).answer - at(running_.front()).given;
    for (const std::int64_t i : running_) count = std::min(count, at(i).answer - at(i).given);
    if (cache_ > 0) count = std::min(count, std::max<std::int64_t>(1, (cache_ - used_) / (static_cast<std::int64_t>(running_.size()) * answers_.most())));
    constexpr std::int64_t kMost = 256; // the context grows meanwhile
    count = std::clamp<std::int64_t>(count, 1, kMost);
    Mix mix;
    decoding_of(mix, count);
    const double each = model_.at(mix).total();
    if (!waiting_.empty()) count = std::min(count, std::max<std::int64_t>(1, poll_ - since_poll_));
    if (!waiting_.empty() && at(waiting_.front()).ready > polled_) {
      const double until = (at(waiting_.front()).ready - now_) / each + (model_.times().scheduling.ahead ? 1 : 0);
      if (until < static_cast<double>(count)) count = std::max<std::int64_t>(1, kernels::whole_part(until) + 1);
    }
    take(count, each, mix.decoding * answers_.each());
    since_poll_ += count;
    give(count);
  }

  void give(std::int64_t count) {
    for (const std::int64_t i : running_) {
      used_ += answers_.tokens(at(i).given + count) - answers_.tokens(at(i).given);
      at(i).given += count;
    }
    std::vector<std::int64_t> ended;
    for (const std::int64_t i : running_)
      if (at(i).given >= at(i).answer) ended.push_back(i);
    if (ended.empty()) return;
    std::erase_if(running_, [&](std::int64_t i) { return at(i).given >= at(i).answer; });
    for (const std::int64_t i : ended) finish(i);
  }

  void finish(std::int64_t i) {
    const Request& ended = at(i);
    at(i).last = seen_by_client();
    used_ -= held(ended);
    left_ -= i < plan_.measured_until ? 1 : 0;
    if (keeps_) histories_.keep(i, std::max<std::int64_t>(held(ended) - 1, 0)); // nobody has read the last token
    make_room();
    if (next_ >= size()) return;
    const bool goes_on = plan_.goes_on(at(next_), ended, i);
    if (!goes_on && plan_.at_once == 0) return; // conversations come by themselves
    at(next_).arrival = ended.last + (goes_on ? plan_.think : 0);
    enter(next_++);
  }

  /// When the client has what the last pass gave.
  double seen_by_client() const { return model_.times().step.token > 0 ? std::max(now_, sent_) : now_; }

  /// To the scheduler, past the front end.
  void enter(std::int64_t i) {
    Request& request = at(i);
    if (has_history(request)) { // with what its conversation found before
      request.cached = at(request.before).cached;
      request.brought = 0;
    }
    request.enters(answers_);
    // Who waits for an answer sends the next request behind the tokens of others; requests that come by a rate are known from the start, and queue among themselves.
    // Who thought about an answer finds nobody in its way.
    if (plan_.at_once > 0 ? plan_.think > 0 : request.turn > 0) {
      request.ready = request.arrival + model_.times().step.request;
    } else {
      if (plan_.at_once > 0) front_end_free_ = std::max(front_end_free_, sent_);
      front_end_free_ = std::max(front_end_free_, request.arrival) + model_.times().step.request;
      if (plan_.at_once > 0) sent_ = front_end_free_;
      request.ready = front_end_free_;
    }
    if (request.brought > 0) {
      link_free_ = std::max(link_free_, request.ready) + request.on_the_way;
      request.ready = link_free_;
    }
    queue(i);
  }

  /// Among those that wait, by the time from which the scheduler has it.
  void queue(std::int64_t i) {
    const Request& request = at(i);
    auto place = waiting_.end();
    while (place != waiting_.begin() && at(*std::prev(place)).ready > request.ready) --place;
    waiting_.insert(place, i);
  }

  /// A request that has no room alone: it ends without an answer, so that the run does.
  void stuck() {
    if (waiting_.empty()) return;
    const std::int64_t i = waiting_.front();
    waiting_.pop_front();
    at(i).first = now_;
    finish(i);
  }

  const PassModel& model_;
  const Scenario& scenario_;
  RequestPlan plan_;
  AnswerPasses answers_;
  std::int64_t cache_, budget_, most_, poll_;
  bool mixes_;
  bool keeps_ = false; ///< what is known of a conversation, until its next turn
  double now_ = 0, begin_ = 0, front_end_free_ = 0, link_free_ = 0;
  double sent_ = 0;   ///< when the front end has sent what passes gave so far
  double seen_ = 0;   ///< the next pass could have requests that came until then
  double polled_ = 0; ///< and has those that came until then
  Mix read_;            ///< the last pass with prompts, and what it took
  double read_ns_ = 0;
  std::int64_t since_poll_ = 0;
  std::int64_t next_ = 0, used_ = 0;
  std::int64_t left_ = 0; ///< of those that count or come before them
  Histories histories_{0, 0, 0};
  std::array<double, Histories::kPlaces> ways_{}; ///< ns that a token takes from there
  std::deque<std::int64_t> waiting_;
  std::vector<std::int64_t> reading_, running_;
};

/// Of conversations that come by a rate without an end, requests while they come evenly: until the last one begins.
Ended counted_of(const RequestPlan& plan) {
  Ended ended{plan.requests, static_cast<std::size_t>(plan.measured_from), static_cast<std::size_t>(plan.measured_until)};
  if (plan.turns <= 1 || plan.at_once > 0 || plan.measured_from == 0) return ended;
  const double first = ended.requests[static_cast<std::size_t>(plan.begin / 5)].arrival, last = ended.requests[static_cast<std::size_t>(plan.begin - 1)].arrival;
  sort_stably(ended.requests, {}, &Request::arrival);
  const auto at = [&](double time) { return static_cast<std::size_t>(std::ranges::lower_bound(ended.requests, time, {}, &Request::arrival) - ended.requests.begin()); };
  ended.from = at(first);
  ended.until = std::max(at(last), ended.from + 1);
  return ended;
}

} // namespace

} // namespace timing

bool has_traffic(const Workload& workload) noexcept {
  const Traffic& traffic = workload.traffic;
  const bool lengths = traffic.prompt_tokens > 0 && traffic.answer_tokens > 0;
  return !trains(workload.task) && (!traffic.trace.empty() || (lengths && (traffic.concurrency > 0 || traffic.request_rate > 0)));
}

Load simulated_load(const Scenario& scenario, const LoadLimits& limits) {
  using namespace timing;
  Load load;
  if (!has_traffic(scenario.workload)) return load;
  const std::optional<PassModel> model = PassModel::of(scenario);
  if (!model) return load;
  load.exists = true;
  load.measured = model->measured();
  load.own_class = model->own_class();
  RequestPlan plan = requests_of(scenario.workload, scenario.serving, scenario.strategy);
  add_ways(scenario, plan.requests);
  if (limits.cache_tokens > Count{0}) {
    const std::int64_t room = limits.cache_tokens.value;
    const bool ends_somewhere = plan.turns > 1 && plan.context == 0; // all are as long as stated, at most
    load.too_long = (ends_somewhere && scenario.workload.traffic.conversation_tokens() > room) ||
                    std::ranges::any_of(plan.requests, [&](const Request& request) { return request.prompt + request.answer > room; });
    if (load.too_long) return load;
    plan.context = std::min(plan.context, room);
  }
  Simulation simulation{*model, std::move(plan), scenario, limits.cache_tokens.value};
  simulation.run();
  measure(counted_of(simulation.plan()), model->times().step.prompt, static_cast<double>(scenario.strategy.data_parallel), load);
  const double run = simulation.measured_ns();
  load.running = thousandths(simulation.running_ns / run);
  load.waiting = thousandths(simulation.waiting_ns / run);
  if (limits.cache_tokens > Count{0}) load.cache_permille = thousandths(simulation.used_ns / run / static_cast<double>(limits.cache_tokens.value));
  load.prompt_permille = thousandths(simulation.prompts_ns / std::max(simulation.passes_ns, 1.0));
  load.preemptions = Count{simulation.preemptions};
  load.steps = Count{simulation.steps};
  return load;
}

} // namespace plimsoll
