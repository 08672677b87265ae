// Laws of loads that chance makes: a hundred with the other tests, a hundred thousand with scripts/laws loads 0.1.
//
//   PLIMSOLL_LAWS=100000         so many loads
//   PLIMSOLL_LAWS_FROM=50000     from that one on: each is made of its own number, which a failure tells
#include "catalogue.hpp"
#include "plimsoll/answer/answer.hpp"
#include "plimsoll/method/load.hpp"
#include "random.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace plimsoll;

namespace {

constexpr std::int64_t kUsual = 100;

std::int64_t number_of(const char* variable, std::int64_t standard) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::stoll(text) : standard;
}

/// Short, so that most of them are simulated in a millisecond.
std::string drawn(std::int64_t number) {
  fuzz::Random random{static_cast<std::uint64_t>(number)};
  constexpr std::array kModels{"llama-3.1-8b", "qwen3-32b&tensor_parallel=2", "gpt-oss-120b&tensor_parallel=4", "deepseek-v3-671b&tensor_parallel=8&weight_dtype=fp8_block"};
  constexpr std::array kDevices{"h200-141-sxm", "b200", "rtxpro6000", "mi300x"};
  constexpr std::array kEngines{"vllm", "sglang", "tensorrt_llm"};
  const auto of = [&](const auto& names) { return std::string{names[random.below(names.size())]}; };
  const auto up_to = [&](std::size_t most) { return std::to_string(1 + random.below(most)); };
  std::string query = test::in_order({"task=inference&model=" + of(kModels), "&device=" + of(kDevices), "&profile=" + of(kEngines), "&prompt_tokens=" + up_to(8000), "&answer_tokens=" + up_to(400),
                                      "&length_spread=" + std::to_string(random.below(1000)), "&requests=" + up_to(80)});
  const bool closed = random.below(2) == 0;
  query += closed ? "&concurrency=" + up_to(60) : test::in_order({"&request_rate=" + up_to(40), random.below(2) == 0 ? "&arrivals=poisson" : "&arrivals=bursts"});
  if (random.below(4) == 0) query += test::in_order({"&shared_tokens=" + up_to(500), "&prefix_hits=0." + up_to(9)});
  if (random.below(4) == 0) query += test::in_order({"&turns=" + up_to(6), "&think_seconds=" + std::to_string(random.below(20))});
  return query;
}

/// The first law that does not hold; "" where all do.
std::string broken_law(const io::Answer& answer) {
  const Count room = answer.judgement.pool.most_tokens();
  const Load load = simulated_load(answer.scenario, {room});
  if (!load.exists || load.too_long) return ""; // nobody measured its kernels, or a request has no room
  const Traffic& traffic = answer.scenario.workload.traffic;
  const auto ordered = [](const Waits& waits) { return waits.p50 <= waits.p90 && waits.p90 <= waits.p99; };
  if (!ordered(load.first_token) || !ordered(load.per_token) || !ordered(load.whole)) return "a percentile is below a lower one";
  if (load.first_token.mean > load.whole.mean) return "the first token comes after the last";
  if (load.cache_permille > Count{1000}) return "more pages are in use than there are";
  if (traffic.concurrency > 0 && load.running + load.waiting > Count{1000} * Count{traffic.concurrency}) return "more requests are there than were sent";
  if (load.simulated > Count{traffic.requests}) return "more requests are answered than were sent";
  if (load.prompt_permille > Count{1000}) return "prompts take more than all the time";
  // Tokens: of each request at most as many as are stated, and at least one.
  if (load.answer_tokens > load.requests * Count{traffic.answer_tokens} + Count{traffic.answer_tokens}) return "tokens come from nowhere";
  if (load.answer_tokens + Count{1000} < load.requests) return "answers without a token";
  if (load.found_tokens > load.prompt_tokens) return "more of prompts is found than they have";
  const Load again = simulated_load(answer.scenario, {room});
  if (again.first_token.mean != load.first_token.mean || again.steps != load.steps) return "the second time it is another";
  return "";
}

} // namespace

TEST_CASE("laws hold on random loads", "[laws]") {
  const std::int64_t from = number_of("PLIMSOLL_LAWS_FROM", 0), count = number_of("PLIMSOLL_LAWS", kUsual);
  std::int64_t answered = 0;
  for (std::int64_t number = from; number < from + count; ++number) {
    const std::string query = drawn(number);
    Issues issues;
    const io::Answer answer = io::answer(fuzz::catalog(), io::request_from_query(query, issues));
    INFO("PLIMSOLL_LAWS_FROM=" << number << " PLIMSOLL_LAWS=1: " << query);
    if (!answer.ok) continue;
    CHECK(broken_law(answer) == "");
    ++answered;
  }
  WARN(answered << " of " << count << " scenarios from " << from << " on are answered, the others refused");
  CHECK((count < 100 || 10 * answered > count));
}
