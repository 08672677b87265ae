#include "plimsoll/questions/load.hpp"

#include "plimsoll/method/sharding.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

LoadLimits limits_of(const Answer& answer) { return {answer.estimate.pool.exists ? answer.estimate.pool.tokens : Count{0}}; }

void lacks(LoadReport& report, std::string_view field, std::string message, std::string remedy) {
  report.issues.push_back({Severity::error, std::string{field}, std::move(message), std::move(remedy)});
}

/// Names what a load needs and the request does not say.
void ask_for_traffic(const Answer& answer, LoadReport& report) {
  const Traffic& traffic = answer.scenario.workload.traffic;
  if (trains(answer.scenario.workload.task)) return lacks(report, "task", "Training has no requests.", "Set task=inference.");
  if (!traffic.trace.empty()) return;
  if (traffic.prompt_tokens <= 0) lacks(report, "prompt_tokens", "How long are prompts?", "Set prompt_tokens, such as 1000.");
  if (traffic.answer_tokens <= 0) lacks(report, "answer_tokens", "How long are answers?", "Set answer_tokens, such as 256.");
  if (traffic.concurrency <= 0 && traffic.request_rate <= 0)
    lacks(report, "concurrency", "How many requests are there at once, or in a second?", "Set concurrency, or request_rate.");
}

void ask_for_kernels(const Answer& answer, LoadReport& report) {
  lacks(report, "device", "Nobody has measured the kernels of " + answer.scenario.profile.name + " on " + answer.scenario.hardware.name + " or a GPU like it.",
        "Choose the profile vllm, sglang or tensorrt_llm, and a GPU of NVIDIA from Ampere on.");
}

bool keeps(const Load& load, const LatencyLimits& limits) {
  constexpr std::int64_t kMillion = 1'000'000;
  const auto within = [](const Waits& waits, std::int64_t ms) { return ms <= 0 || waits.p90 <= Nanoseconds{ms * kMillion}; };
  return load.exists && !load.too_long && within(load.first_token, limits.first_token_ms) && within(load.per_token, limits.per_token_ms);
}

void find_highest(const Catalog& catalog, const Request& request, bool closed, LoadReport& report) {
  report.asked = closed ? "concurrency" : "request_rate";
  const auto tried = [&](std::int64_t value) {
    Request changed = request;
    changed.set(report.asked, text_of(*find_field(report.asked), value));
    changed.erase("requests");
    const Answer answer = io::answer(catalog, changed);
    return answer.ok ? simulated_load(answer.scenario, limits_of(answer)) : Load{};
  };
  std::int64_t below = 0, from = closed ? 4096 : 1'000'000; // the most that is looked at
  for (std::int64_t next = 1; next < from;) { // doubled until the limits break
    const Load load = tried(next);
    if (!keeps(load, report.limits)) {
      from = next;
      break;
    }
    below = next;
    report.at_highest = load;
    next *= 2;
  }
  while (from - below > std::max<std::int64_t>(1, below / 50)) { // to 2 %: the simulation is no finer
    const std::int64_t middle = below + (from - below) / 2;
    const Load load = tried(middle);
    if (keeps(load, report.limits)) {
      below = middle;
      report.at_highest = load;
    } else from = middle;
  }
  report.highest = Count{below};
}

} // namespace

LoadReport load_report(const Catalog& catalog, const Request& request, const LatencyLimits& limits) {
  LoadReport report;
  report.limits = limits;
  const Answer answer = io::answer(catalog, request);
  report.issues = answer.issues;
  if (!answer.ok) return report;
  report.query = canonical_query(answer);
  ask_for_traffic(answer, report);
  if (has_errors(report.issues)) return report;
  const bool asks_limit = limits.first_token_ms > 0 || limits.per_token_ms > 0;
  if (asks_limit && !answer.scenario.workload.traffic.trace.empty()) {
    lacks(report, "trace", "A trace has a rate of its own: there is no highest one within limits.", "Leave the limits out, or state lengths and a rate.");
    return report;
  }
  report.gpus = gpu_count(answer.scenario.strategy);
  report.load = simulated_load(answer.scenario, limits_of(answer));
  if (!report.load.exists) {
    ask_for_kernels(answer, report);
    return report;
  }
  if (report.load.too_long) {
    lacks(report, "prompt_tokens", "One request is longer than the cache has room for.", "Shorten it, take more GPUs, or store the cache in fewer bits.");
    return report;
  }
  if (const Load steady = steady_load(answer.scenario); steady.exists) report.steady = steady;
  report.first_token = first_token_range(answer.scenario, report.load);
  report.per_token = per_token_range(answer.scenario, report.load);
  report.money = load_money(answer, report.load, report.gpus);
  if (asks_limit) find_highest(catalog, request, answer.scenario.workload.traffic.concurrency > 0, report);
  report.ok = true;
  return report;
}

} // namespace plimsoll::io
