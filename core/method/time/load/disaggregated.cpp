// Prompts and answers on GPUs of their own. A router hands requests round to the servers that read, first come, first served; a cache that has been
// read goes to a replica that answers, over the network of the server that has read it, one after the other; a request joins that replica's
// next pass as soon as there is room. Zhong et al., DistServe, 2024 (arXiv 2401.09670), section 4; sgl-project/sglang,
// python/sglang/srt/disaggregation/prefill.py and decode.py; vllm-project/vllm, examples/online_serving/disaggregated_serving.
// Servers are taken by their clocks, the earliest first, and none runs on past what another could send it.
#include "method/time/link.hpp"
#include "method/time/load/measure.hpp"
#include "method/time/load/pass.hpp"
#include "method/time/load/requests.hpp"
#include "plimsoll/method/load.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace plimsoll {

namespace timing {

namespace {

constexpr double kNever = 1e300;

/// What one server reads.
struct Reader {
  double now = 0, front_end_free = 0, tier_free = 0, network_free = 0, busy = 0;
  std::int64_t used = 0; ///< tokens in its cache
  std::deque<std::int64_t> waiting;  ///< by the time from which they could be read
  std::vector<std::int64_t> reading; ///< begun
  std::vector<std::pair<double, std::int64_t>> sent; ///< when so many tokens have left the cache
};

/// What one replica answers.
struct Answerer {
  double now = 0, busy = 0, used_ns = 0, running_ns = 0;
  std::int64_t used = 0;
  std::deque<std::int64_t> arriving; ///< by the time at which their caches are there
  std::vector<std::int64_t> running;
};

class Servers {
public:
  Servers(const Scenario& answering, const PassModel& answers, std::int64_t cache, const Scenario& reading, const PassModel& reads, std::int64_t reading_cache, RequestPlan plan)
      : answering_(answering), answers_(answers), passes_(answers.accepted()), cache_(cache), reads_(reads), reading_cache_(reading_cache), plan_(std::move(plan)),
        readers_(static_cast<std::size_t>(std::max<std::int64_t>(reading.strategy.data_parallel, 1))),
        answerers_(static_cast<std::size_t>(std::max<std::int64_t>(answering.strategy.data_parallel, 1))) {
    budget_ = reads.prompt_tokens();
    most_ = answers.most_running(answering);
    const auto token = [](const Scenario& of) {
      const Strategy passed = without_stages(of.strategy);
      return cached_token(of, Stage{of.model, passed, of.workload, 0});
    };
    each_ = max(token(answering), token(reading));
    std::int64_t shortest = budget_;
    for (const Request& request : plan_.requests) shortest = std::min(shortest, request.prompt - request.cached - request.brought);
    const auto fresh = static_cast<double>(std::max<std::int64_t>(shortest, 1));
    ahead_ = reads.at({.prompts = 1, .fresh = fresh, .finished = 1}).total();
  }

  void run() {
    for (; next_ < plan_.begin; ++next_) enter(next_);
    left_ = plan_.measured_until;
    while (left_ > 0) step();
  }

  const RequestPlan& plan() const { return plan_; }
  void tell(Load& load) const {
    double run = 1, reading = 0, answering = 0, running = 0, used = 0;
    for (const Reader& reader : readers_) run = std::max(run, reader.now), reading += reader.busy;
    for (const Answerer& one : answerers_) run = std::max(run, one.now), answering += one.busy, running += one.running_ns, used += one.used_ns;
    const auto readers = static_cast<double>(readers_.size()), answerers = static_cast<double>(answerers_.size());
    load.prefill_permille = thousandths(reading / run / readers);
    load.decode_permille = thousandths(answering / run / answerers);
    load.running = thousandths(running / run / answerers);
    if (cache_ > 0) load.cache_permille = thousandths(used / run / answerers / static_cast<double>(cache_));
    load.transfer = Nanoseconds{kernels::whole_part(transfer_ns_ / static_cast<double>(std::max<std::int64_t>(sent_, 1)) + 0.5)};
    load.waiting = thousandths(waiting_ns_ / run / readers);
    load.steps = Count{steps_};
    load.preemptions = Count{preemptions_};
  }

private:
  std::int64_t size() const { return static_cast<std::int64_t>(plan_.requests.size()); }
  Request& at(std::int64_t i) { return plan_.requests[static_cast<std::size_t>(i)]; }
  /// Tokens in the cache of the replica that answers.
  std::int64_t held(const Request& request) const { return request.prompt + passes_.tokens(request.given); }

  void insert(std::deque<std::int64_t>& queue, std::int64_t i) {
    auto place = queue.end();
    while (place != queue.begin() && at(*(place - 1)).ready > at(i).ready) --place;
    queue.insert(place, i);
  }

  void enter(std::int64_t i) {
    Reader& reader = readers_[static_cast<std::size_t>(i) % readers_.size()];
    Request& request = at(i);
    request.enters(passes_);
    request.found += request.brought;
    reader.front_end_free = std::max(reader.front_end_free, request.arrival) + reads_.times().step.request;
    request.ready = reader.front_end_free;
    if (request.brought > 0) {
      reader.tier_free = std::max(reader.tier_free, request.ready) + request.on_the_way;
      request.ready = reader.tier_free;
    }
    insert(reader.waiting, i);
  }

  double next_of(const Reader& reader) const {
    if (!reader.reading.empty()) return reader.now;
    return reader.waiting.empty() ? kNever : std::max(reader.now, plan_.requests[static_cast<std::size_t>(reader.waiting.front())].ready);
  }
  double next_of(const Answerer& one) const {
    if (!one.running.empty()) return one.now;
    return one.arriving.empty() ? kNever : std::max(one.now, plan_.requests[static_cast<std::size_t>(one.arriving.front())].ready);
  }

  void step() {
    Reader* reader = nullptr;
    Answerer* answerer = nullptr;
    double first = kNever, second = kNever;
    const auto consider = [&](double time) {
      const bool earlier = time < first;
      if (earlier) second = first, first = time;
      else second = std::min(second, time);
      return earlier;
    };
    for (Reader& one : readers_)
      if (consider(next_of(one))) reader = &one;
    for (Answerer& one : answerers_)
      if (consider(next_of(one))) answerer = &one, reader = nullptr;
    if (reader != nullptr) read(*reader, first);
    else if (answerer != nullptr) answer(*answerer, first, second + ahead_);
    else left_ = 0; // nothing is left that could go on
  }

  void read(Reader& reader, double now) {
    reader.now = now;
    std::erase_if(reader.sent, [&](const auto& gone) {
      if (gone.first <= now) reader.used -= gone.second;
      return gone.first <= now;
    });
    std::vector<std::pair<std::int64_t, std::int64_t>> pass;
    std::int64_t left = budget_;
    const auto take = [&](std::int64_t i) {
      const std::int64_t tokens = std::min(left, at(i).prompt - at(i).read);
      pass.emplace_back(i, tokens);
      reader.used += tokens;
      left -= tokens;
    };
    for (const std::int64_t i : reader.reading)
      if (left > 0) take(i);
    while (left > 0 && !reader.waiting.empty() && at(reader.waiting.front()).ready <= now) {
      const std::int64_t i = reader.waiting.front();
      if (reading_cache_ > 0 && reader.used + at(i).prompt - at(i).cached > reading_cache_ && !(pass.empty() && reader.sent.empty())) break;
      reader.waiting.pop_front();
      reader.reading.push_back(i);
      at(i).read += at(i).brought;
      reader.used += at(i).brought;
      take(i);
    }
    if (pass.empty()) { // its cache is full of what is on its way
      double earliest = kNever;
      for (const auto& gone : reader.sent) earliest = std::min(earliest, gone.first);
      waiting_ns_ += (earliest - now) * static_cast<double>(reader.waiting.size());
      reader.now = earliest;
      return;
    }
    std::int64_t fresh = 0, before = 0, finished = 0;
    for (const auto& [i, tokens] : pass) {
      fresh += tokens;
      before += at(i).read;
      finished += at(i).read + tokens >= at(i).prompt ? 1 : 0;
    }
    const auto prompts = static_cast<double>(pass.size());
    const double time = reads_.at({.prompts = prompts, .fresh = static_cast<double>(fresh) / prompts, .before = static_cast<double>(before) / prompts, .finished = static_cast<double>(finished)}).total();
    for (const std::int64_t i : reader.waiting) waiting_ns_ += at(i).ready <= now ? time : 0.0;
    reader.now += time;
    reader.busy += time;
    ++steps_;
    for (const auto& [i, tokens] : pass) {
      at(i).read += tokens;
      if (at(i).read >= at(i).prompt) send(reader, i);
    }
  }

  void send(Reader& reader, std::int64_t i) {
    Request& request = at(i);
    std::erase(reader.reading, i);
    const auto way = static_cast<double>(cache_transfer(answering_, each_, Count{request.prompt}).amount);
    reader.network_free = std::max(reader.network_free, reader.now) + way;
    ++sent_;
    transfer_ns_ += reader.network_free - reader.now;
    request.ready = reader.network_free;
    reader.sent.emplace_back(request.ready, request.prompt - request.cached);
    insert(answerers_[static_cast<std::size_t>(i) % answerers_.size()].arriving, i);
  }

  /// Whether the request ends with its first token.
  bool join(Answerer& one, std::int64_t i) {
    Request& request = at(i);
    one.used += held(request);
    if (request.given == 0 && !answering_.profile.inference.first_again) {
      request.first = one.now;
      request.given = 1;
      ++one.used;
    }
    if (request.given >= request.answer) return true;
    one.running.push_back(i);
    return false;
  }

  void answer(Answerer& one, double now, double until) {
    one.now = now;
    while (!one.arriving.empty() && at(one.arriving.front()).ready <= now && static_cast<std::int64_t>(one.running.size()) < most_) {
      const std::int64_t i = one.arriving.front();
      const std::int64_t room = one.used + held(at(i)) + (1 + static_cast<std::int64_t>(one.running.size())) * passes_.most();
      if (cache_ > 0 && room > cache_ && !one.running.empty()) break;
      one.arriving.pop_front();
      if (join(one, i)) finish(one, i);
    }
    while (cache_ > 0 && one.running.size() > 1 && one.used + static_cast<std::int64_t>(one.running.size()) * passes_.most() > cache_) { // its cache waits on the host
      const std::int64_t last = one.running.back();
      one.running.pop_back();
      one.used -= held(at(last));
      at(last).ready = now;
      one.arriving.push_front(last);
      ++preemptions_;
    }
    if (one.running.empty()) return;
    decode(one, until);
  }

  void decode(Answerer& one, double until) {
    std::int64_t count = 256, context = 0; // the context grows meanwhile
    for (const std::int64_t i : one.running) {
      count = std::min(count, at(i).answer - at(i).given);
      context += held(at(i));
      if (at(i).given == 0) count = 1; // whose first token is the next
    }
    const auto sequences = static_cast<double>(one.running.size());
    if (cache_ > 0) count = std::min(count, std::max<std::int64_t>(1, (cache_ - one.used) / (static_cast<std::int64_t>(one.running.size()) * passes_.most())));
    const double each = answers_.at({.decoding = sequences, .context = static_cast<double>(context) / sequences + static_cast<double>(count) * passes_.each() / 2}).total();
    if (!one.arriving.empty()) until = std::min(until, at(one.arriving.front()).ready);
    if (until - one.now < each * static_cast<double>(count)) count = std::max<std::int64_t>(1, kernels::whole_part(std::max(0.0, until - one.now) / each));
    const double time = each * static_cast<double>(count);
    one.now += time;
    one.busy += time;
    one.running_ns += time * sequences;
    one.used_ns += time * static_cast<double>(one.used);
    steps_ += count;
    std::vector<std::int64_t> ended;
    for (const std::int64_t i : one.running) {
      if (at(i).given == 0) at(i).first = one.now;
      one.used += passes_.tokens(at(i).given + count) - passes_.tokens(at(i).given);
      at(i).given += count;
      if (at(i).given >= at(i).answer) ended.push_back(i);
    }
    if (ended.empty()) return;
    std::erase_if(one.running, [&](std::int64_t i) { return at(i).given >= at(i).answer; });
    for (const std::int64_t i : ended) finish(one, i);
  }

  void finish(Answerer& one, std::int64_t i) {
    at(i).last = one.now;
    one.used -= held(at(i));
    left_ -= i < plan_.measured_until ? 1 : 0;
    if (plan_.at_once == 0 || next_ >= size()) return;
    at(next_).arrival = one.now;
    enter(next_++);
  }

  const Scenario& answering_;
  const PassModel& answers_;
  AnswerPasses passes_;
  std::int64_t cache_;
  const PassModel& reads_;
  std::int64_t reading_cache_;
  RequestPlan plan_;
  std::vector<Reader> readers_;
  std::vector<Answerer> answerers_;
  std::int64_t budget_ = 1, most_ = 1, next_ = 0, left_ = 0, sent_ = 0, steps_ = 0, preemptions_ = 0;
  Bytes each_;       ///< of a token on one GPU of the side that has fewer
  double ahead_ = 0; ///< ns that any request takes from its arrival until a replica may have it
  double transfer_ns_ = 0, waiting_ns_ = 0;
};

} // namespace

} // namespace timing

Load simulated_load(const Scenario& answering, const LoadLimits& limits, const Scenario& reading, const LoadLimits& reading_limits) {
  using namespace timing;
  Load load;
  if (!has_traffic(answering.workload) || answering.workload.traffic.turns > 1) return load; // which server has what was said before
  const std::optional<PassModel> answers = PassModel::of(answering), reads = PassModel::of(reading);
  if (!answers || !reads) return load;
  load.exists = true;
  load.measured = answers->measured() && reads->measured();
  load.own_class = answers->own_class() && reads->own_class();
  RequestPlan plan = requests_of(answering.workload, reading.serving, one_replica(answering.strategy));
  add_ways(reading, plan.requests);
  const auto is_longer = [](std::int64_t tokens, Count room) { return room > Count{0} && Count{tokens} > room; };
  load.too_long = std::ranges::any_of(plan.requests, [&](const Request& request) {
    return is_longer(request.prompt + request.answer, limits.cache_tokens) || is_longer(request.prompt, reading_limits.cache_tokens);
  });
  if (load.too_long) return load;
  Servers servers{answering, *answers, limits.cache_tokens.value, reading, *reads, reading_limits.cache_tokens.value, std::move(plan)};
  servers.run();
  measure({servers.plan().requests, static_cast<std::size_t>(servers.plan().measured_from), static_cast<std::size_t>(servers.plan().measured_until)}, answers->times().step.prompt, 1.0, load);
  servers.tell(load);
  const Count all = max(gpu_count(answering.strategy), Count{1});
  load.prompt_permille = Count{(Count{1000} * gpu_count(reading.strategy)).value / all.value};
  return load;
}

} // namespace plimsoll
