#include "plimsoll/questions/load.hpp"

#include "plimsoll/method/format.hpp"
#include "plimsoll/method/sharding.hpp"
#include "method/sort_stably.hpp"

#include <algorithm>
#include <string>

namespace plimsoll::io {

namespace {

void lacks(LoadReport& report, std::string_view field, std::string message, std::string remedy) {
  report.issues.push_back({Severity::error, std::string{field}, std::move(message), std::move(remedy)});
}

/// What of the load is otherwise than somebody may think.
void note_traffic(const Answer& answer, LoadReport& report) {
  const Traffic& traffic = answer.scenario.workload.traffic;
  if (traffic.turns > 1 && !report.steady)
    report.issues.push_back({Severity::note, "turns", "There is no closed form of these conversations, so that an estimate does not tell them: users think, all begin at once, or some may lose their place in the cache.",
                             "The simulation has all of it."});
  if (traffic.request_rate <= 0 || !traffic.trace.empty()) return;
  if (traffic.concurrency > 0)
    return report.issues.push_back({Severity::note, "request_rate", "With a stated concurrency a request comes when another ends, whatever request_rate says.", "Leave one of the two out."});
  constexpr Count kNearly{950}, kWhole{1000};
  if (!report.steady && report.load.requests * kWhole < Count{traffic.request_rate} * kNearly)
    report.issues.push_back({Severity::warning, "request_rate",
                             "Only " + format_decimal(report.load.requests.value, 3) + " of " + format_decimal(traffic.request_rate, 3) + " requests a second are answered: the queue grows, and waits with it.",
                             "Lower request_rate, or take more GPUs: first_token_ms finds the highest rate."});
}

/// Names what a load needs and the request does not say.
void ask_for_traffic(const Answer& answer, LoadReport& report) {
  const Traffic& traffic = answer.scenario.workload.traffic;
  if (trains(answer.scenario.workload.task)) return lacks(report, "task", "Training has no requests.", "Set task=inference.");
  const bool answers = answer.scenario.serving.disaggregation == Disaggregation::decode;
  if (answer.scenario.serving.disaggregation == Disaggregation::prefill)
    lacks(report, "disaggregation", "A server that only reads prompts answers nobody.", "Choose decode, and say with prefill_replicas how many such servers there are.");
  if (answers && answer.scenario.strategy.prefill_replicas == 0) lacks(report, "prefill_replicas", "How many servers read the prompts?", "Set prefill_replicas, such as 1.");
  if (!traffic.trace.empty()) return;
  if (answers && traffic.turns > 1)
    lacks(report, "turns", "Conversations are followed where one server reads their prompts and answers them.", "Set turns=1, or disaggregation=none.");
  if (traffic.prompt_tokens <= 0) lacks(report, "prompt_tokens", "How long are prompts?", "Set prompt_tokens, such as 1000.");
  if (traffic.answer_tokens <= 0) lacks(report, "answer_tokens", "How long are answers?", "Set answer_tokens, such as 256.");
  if (traffic.concurrency <= 0 && traffic.request_rate <= 0)
    lacks(report, "concurrency", "How many requests are there at once, or in a second?", "Set concurrency, or request_rate.");
}

void ask_for_kernels(const Answer& answer, LoadReport& report) {
  lacks(report, "device", "Nobody has said how " + answer.scenario.profile.name + " takes requests in turn, or what it reaches on " + answer.scenario.hardware.name + ".",
        "Choose the profile vllm, sglang, tensorrt_llm, lmdeploy, llama_cpp or ollama, and a model without an encoder.");
}

bool is_apart(const Answer& answer) { return answer.scenario.serving.disaggregation == Disaggregation::decode; }

/// The servers that read the prompts, as a question of their own.
Answer reading_servers(const Catalog& catalog, const Answer& answer) {
  Issues ignored;
  Request request = request_from_query(canonical_query(answer), ignored);
  const Strategy reading = prefill_strategy(answer.scenario.strategy);
  request.set("disaggregation", "prefill");
  request.set("tensor_parallel", std::to_string(reading.tensor_parallel));
  request.set("data_parallel", std::to_string(reading.data_parallel));
  request.set("expert_parallel", std::to_string(reading.expert_parallel));
  for (const char* name : {"prefill_replicas", "prefill_tensor_parallel", "gpus"}) request.erase(name);
  return io::answer(catalog, request);
}

Load load_of(const Catalog& catalog, const Answer& answer) {
  if (!is_apart(answer)) return simulated_load(answer.scenario, {answer.judgement.pool.most_tokens()});
  const Answer reading = reading_servers(catalog, answer);
  return reading.ok ? simulated_load(answer.scenario, {answer.judgement.pool.most_tokens()}, reading.scenario, {reading.judgement.pool.most_tokens()}) : Load{};
}

LoadServers servers_of(const Answer& answer, Count busy) {
  const Bytes fills = answer.judgement.fills;
  return {Count{answer.scenario.strategy.data_parallel}, gpus_of_a_replica(answer.scenario.strategy), fills > Bytes{0} ? fills : answer.estimate.at_peak().total, busy};
}

/// What is wrong with the servers that read, as an issue of their own layout; whether there is nothing.
bool can_read(const Catalog& catalog, const Answer& answer, LoadReport& report) {
  if (!is_apart(answer)) return true;
  const Answer reading = reading_servers(catalog, answer);
  for (const Issue& issue : reading.issues)
    if (issue.severity == Severity::error) lacks(report, "prefill_tensor_parallel", "Prefill servers: " + issue.message, issue.remedy);
  return reading.ok;
}

/// Says of both kinds of servers what they hold; of those that read it is told where they do not start.
void add_servers(const Catalog& catalog, const Answer& answer, LoadReport& report) {
  if (!is_apart(answer)) return;
  const Answer reading = reading_servers(catalog, answer);
  report.reading = servers_of(reading, report.load.prefill_permille);
  report.answering = servers_of(answer, report.load.decode_permille);
  const Verdict verdict = reading.judgement.verdict;
  if (verdict != Verdict::start && verdict != Verdict::device && verdict != Verdict::host) return; // prompts wait where its cache is full
  report.issues.push_back({Severity::warning, "prefill_tensor_parallel", "A prefill server: " + reading.headline.verdict, "Give it more GPUs."});
}

bool keeps(const Load& load, const LatencyLimits& limits) {
  constexpr std::int64_t kMillion = 1'000'000;
  const auto within = [](const Waits& waits, std::int64_t ms) { return ms <= 0 || waits.p90 <= Nanoseconds{ms * kMillion}; };
  return load.exists && !load.too_long && within(load.first_token, limits.first_token_ms) && within(load.per_token, limits.per_token_ms);
}

} // namespace

LoadSession::LoadSession(const Catalog& catalog, const Prices& prices, const Request& request, const LatencyLimits& limits) : catalog_(&catalog), prices_(&prices), request_(request) { report_.limits = limits; }

/// One division of the GPUs more: as many servers that read as reading_, and all other GPUs answer.
bool LoadSession::try_split() {
  const Count left = report_.gpus - Count{reading_} * Count{reading_gpus_};
  if (reading_ == 0 || left < Count{answering_gpus_}) {
    reading_ = 0;
    sort_stably(report_.splits, [](const LoadSplit& one, const LoadSplit& other) {
      if (one.within != other.within) return one.within;
      if (one.load.answer_tokens != other.load.answer_tokens) return one.load.answer_tokens > other.load.answer_tokens;
      return one.load.whole.mean < other.load.whole.mean;
    });
    return false;
  }
  const Count answering{left.value / answering_gpus_};
  split_.set("prefill_replicas", std::to_string(reading_));
  split_.set("data_parallel", std::to_string(answering.value));
  const Answer answer = io::answer(*catalog_, split_);
  const Load load = answer.ok ? load_of(*catalog_, answer) : Load{};
  if (load.exists && !load.too_long) report_.splits.push_back({Count{reading_}, answering, load, keeps(load, report_.limits)});
  ++reading_;
  return true;
}

bool LoadSession::advance() {
  if (!begun_) {
    begun_ = true;
    begin();
    return searches_ || reading_ > 0;
  }
  if (reading_ > 0 && (try_split() || searches_)) return true;
  if (!searches_) return false;
  const std::int64_t value = doubles_ ? next_ : below_ + (from_ - below_) / 2;
  const Load load = tried(value);
  if (keeps(load, report_.limits)) {
    below_ = value;
    report_.at_highest = load;
    if (doubles_) next_ *= 2;
  } else {
    from_ = value;
    doubles_ = false;
  }
  if (next_ >= from_) doubles_ = false;
  searches_ = doubles_ || from_ - below_ > std::max<std::int64_t>(1, below_ / 50); // to 2 %: the simulation is no finer
  if (!searches_) report_.highest = Count{below_};
  return searches_;
}

Load LoadSession::tried(std::int64_t value) const {
  Request changed = request_;
  changed.set(report_.asked, text_of(*find_field(report_.asked), value));
  changed.erase("requests");
  const Answer answer = io::answer(*catalog_, changed);
  return answer.ok ? load_of(*catalog_, answer) : Load{};
}

/// Of servers that do both the first ones read from now on, where the request does not say how many do.
Answer LoadSession::divided() {
  const Answer whole = io::answer(*catalog_, request_);
  if (!whole.ok || !report_.limits.splits || whole.scenario.strategy.prefill_replicas > 0) return whole;
  const std::int64_t servers = whole.scenario.strategy.data_parallel;
  if (servers < 2) {
    lacks(report_, "data_parallel", "Servers that read prompts and servers that answer are two at least.", "Set data_parallel to as many servers as there are in all, or gpus and tensor_parallel.");
    return whole;
  }
  request_.erase("gpus");
  request_.set("disaggregation", "decode");
  request_.set("prefill_replicas", "1");
  request_.set("data_parallel", std::to_string(servers - 1));
  return io::answer(*catalog_, request_);
}

void LoadSession::begin() {
  const Answer answer = divided();
  report_.issues.insert(report_.issues.begin(), answer.issues.begin(), answer.issues.end());
  if (has_errors(report_.issues)) return;
  report_.query = canonical_query(answer);
  ask_for_traffic(answer, report_);
  if (has_errors(report_.issues)) return;
  const bool asks_limit = report_.limits.first_token_ms > 0 || report_.limits.per_token_ms > 0;
  if (asks_limit && !answer.scenario.workload.traffic.trace.empty())
    return lacks(report_, "trace", "A trace has a rate of its own: there is no highest one within limits.", "Leave the limits out, or state lengths and a rate.");
  if (!can_read(*catalog_, answer, report_)) return;
  report_.gpus = gpu_count(answer.scenario.strategy);
  report_.load = load_of(*catalog_, answer);
  if (!report_.load.exists) return ask_for_kernels(answer, report_);
  if (report_.load.too_long) return lacks(report_, "prompt_tokens", "One request is longer than the cache has room for.", "Shorten it, take more GPUs, or store the cache in fewer bits.");
  if (const Load steady = steady_load(answer.scenario, {answer.judgement.pool.most_tokens()}); steady.exists) report_.steady = steady;
  report_.first_token = first_token_range(answer.scenario, report_.load);
  report_.per_token = per_token_range(answer.scenario, report_.load);
  report_.money = load_money(*prices_, answer, report_.load, report_.gpus);
  add_servers(*catalog_, answer, report_);
  note_traffic(answer, report_);
  report_.ok = true;
  if (report_.limits.splits && is_apart(answer)) {
    Issues ignored;
    split_ = request_from_query(report_.query, ignored);
    reading_gpus_ = report_.reading->gpus.value;
    answering_gpus_ = report_.answering->gpus.value;
    reading_ = 1;
  }
  if (!asks_limit) return;
  const bool closed = answer.scenario.workload.traffic.concurrency > 0;
  report_.asked = closed ? "concurrency" : "request_rate";
  from_ = closed ? 4096 : 1'000'000; // the most that is looked at
  searches_ = true;
}

LoadReport load_report(const Catalog& catalog, const Prices& prices, const Request& request, const LatencyLimits& limits) {
  LoadSession session{catalog, prices, request, limits};
  while (session.advance()) {}
  return session.report();
}

} // namespace plimsoll::io
