// Conversations: each turn has all that was said before in its prompt, and an engine reads again what it has not kept of it.
#include "plimsoll/method/load.hpp"
#include "plimsoll/questions/load.hpp"
#include "plimsoll/request/request_text.hpp"
#include "plimsoll/results/api.hpp"

#include "method/time/load/histories.hpp"
#include "method/time/load/requests.hpp"
#include "scenarios.hpp"
#include "served.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstdint>
#include <string>

using namespace plimsoll;
using test::served;

namespace {

const std::string kVllm = "model=llama-3.1-8b&device=h100-80-sxm&profile=vllm&prompt_tokens=1000&answer_tokens=200";
const std::string kForgets = "model=llama-3.1-8b&device=h100-80-sxm&profile=lmdeploy&prompt_tokens=1000&answer_tokens=200"; // without --enable-prefix-caching

Load loaded(const std::string& query, std::int64_t room = 0) { return simulated_load(served(query), {Count{room}}); }

double share_found(const Load& load) { return static_cast<double>(load.found_tokens.value) / static_cast<double>(load.prompt_tokens.value); }

double far(Nanoseconds one, Nanoseconds other) { return std::fabs(std::log(static_cast<double>(one.value) / static_cast<double>(other.value))); }

} // namespace

TEST_CASE("one turn is the load without conversations") {
  for (const std::string more : {"&concurrency=16", "&concurrency=16&requests=64", "&request_rate=5", "&concurrency=8&length_spread=300", "&request_rate=3&arrivals=bursts"}) {
    const Load one = loaded(kVllm + more + "&turns=1"), none = loaded(kVllm + more);
    CHECK(one.first_token.mean == none.first_token.mean);
    CHECK(one.whole.p99 == none.whole.p99);
    CHECK(one.steps == none.steps);
    CHECK(one.found_tokens == Count{0});
  }
}

TEST_CASE("prompts of a conversation grow by answers and by what is added; whole pages of them are found") {
  // 1000, 1500, 2000, 2500 tokens; of 1199, 1699, 2199 known ones 1184, 1696, 2192 are whole pages of 16
  const std::string talk = "&concurrency=1&turns=4&turn_tokens=300&requests=4";
  const Load kept = loaded(kVllm + talk), forgotten = loaded(kForgets + talk);
  const auto of_each = [](const Load& load, Count tokens) { return static_cast<double>(tokens.value) / static_cast<double>(load.requests.value) * 4; };
  constexpr double kRounding = 7000 * 0.001; // rates are thousandths
  CHECK(std::fabs(of_each(kept, kept.prompt_tokens) - 7000) < kRounding);
  CHECK(std::fabs(of_each(forgotten, forgotten.prompt_tokens) - 7000) < kRounding);
  CHECK(std::fabs(of_each(kept, kept.found_tokens) - (1184 + 1696 + 2192)) < kRounding);
  CHECK(forgotten.found_tokens == Count{0});
  CHECK(served(kVllm + "&concurrency=1&turns=4&turn_tokens=300").workload.context_tokens == 2700);
  CHECK(served(kVllm + "&concurrency=1&turns=4").workload.context_tokens == 4800);
  CHECK(served(kVllm + "&concurrency=1&turns=4&shared_tokens=900").workload.traffic.turn_tokens == 100);
  // more requests than turns: the conversation ends, and another begins
  const Load two = loaded(kVllm + "&concurrency=1&turns=4&turn_tokens=300&requests=8");
  CHECK(std::fabs(of_each(two, two.prompt_tokens) - 7000) < kRounding);
}

TEST_CASE("longer conversations never lower the wait for a first token where nothing is kept") {
  Nanoseconds before{0};
  for (const char* const turns : {"1", "2", "4", "8", "16"}) {
    const Load load = loaded(kForgets + "&concurrency=8&turns=" + turns);
    CHECK(load.first_token.mean >= before);
    before = load.first_token.mean;
  }
  const Load one = loaded(kVllm + "&concurrency=8"), many = loaded(kVllm + "&concurrency=8&turns=8"), forgotten = loaded(kForgets + "&concurrency=8&turns=8"), first = loaded(kForgets + "&concurrency=8");
  CHECK(share_found(many) > 0.75);
  // What is kept is not read again: the wait grows by attention to it alone.
  CHECK(many.first_token.mean.value < 2 * one.first_token.mean.value);
  CHECK(forgotten.first_token.mean.value > 2 * first.first_token.mean.value);
}

TEST_CASE("a cache that has no room for all conversations forgets those that are longest idle") {
  const std::string talk = kVllm + "&concurrency=16&turns=8&max_sequences=4"; // 12 wait; whole conversations have 9,600 tokens
  double before = -1;
  for (const std::int64_t room : {12'000, 40'000, 80'000, 160'000, 1'000'000}) {
    const double found = share_found(loaded(talk, room));
    CHECK(found >= before);
    before = found;
  }
  CHECK(share_found(loaded(talk, 12'000)) < 0.3);
  CHECK(share_found(loaded(talk, 1'000'000)) > 0.75);
  // Who thinks for a minute meanwhile loses the place to others.
  const std::string thinks = kVllm + "&concurrency=64&turns=8&think_seconds=";
  CHECK(share_found(loaded(thinks + "60", 150'000)) < share_found(loaded(thinks + "0", 700'000)));
  CHECK(share_found(loaded(thinks + "60", 1'000'000)) > 0.75);
}

TEST_CASE("the host's memory brings back what left the GPU, and drives what left the host's") {
  const std::string talk = kVllm + "&concurrency=16&turns=8&max_sequences=4";
  constexpr std::int64_t kRoom = 12'000;
  const Load none = loaded(talk, kRoom), host = loaded(talk + "&host_cache_bytes=100000000000", kRoom), small = loaded(talk + "&host_cache_bytes=2000000000", kRoom),
             drives = loaded(talk + "&host_cache_bytes=2000000000&drive_cache_bytes=100000000000", kRoom);
  CHECK(share_found(host) > 0.75);
  CHECK(share_found(none) == 0);
  CHECK(share_found(small) < share_found(host));
  CHECK(share_found(drives) > 0.75);
  CHECK(host.answer_tokens > none.answer_tokens);
}

TEST_CASE("an engine with slots knows what they last held") {
  const std::string home = "model=llama-3-8b&device=rtx4090&profile=llama_cpp&weight_dtype=q4_k_m&prompt_tokens=512&answer_tokens=128&turns=4&max_sequences=4&concurrency=";
  const Load enough = loaded(home + "4"), few = loaded(home + "8");
  CHECK(share_found(enough) > 0.6);
  CHECK(share_found(few) < 0.1); // each slot goes to who waits longest, and that is never the one who left it
}

TEST_CASE("recurrent states stand at the end of what was read: nothing of a conversation is found again") {
  CHECK(loaded("model=qwen3-next-80b-a3b&device=h100-80-sxm&profile=vllm&tensor_parallel=4&prompt_tokens=1000&answer_tokens=100&concurrency=4&turns=4").found_tokens == Count{0});
}

TEST_CASE("conversations that come by a rate: as many requests as asked, whatever the turns") {
  for (const std::string more : {"&turns=5", "&turns=5&think_seconds=10", "&turns=3&arrivals=steady"}) {
    const Load load = loaded(kVllm + "&request_rate=4" + more);
    INFO(more);
    CHECK(load.requests.value > 3'850);
    CHECK(load.requests.value < 4'150);
    CHECK(share_found(load) > 0.5); // of 3 turns 55 %, of 5 more
  }
}

TEST_CASE("turns: the closed form and the simulation hold together") {
  for (const std::string& base : {kVllm, std::string{"model=qwen3-32b&device=h100-80-sxm&profile=sglang&tensor_parallel=4&prompt_tokens=1000&answer_tokens=200"}})
    for (const std::string more : {"&concurrency=1&turns=4", "&concurrency=8&turns=4", "&concurrency=32&turns=8", "&concurrency=16&turns=3&length_spread=300", "&request_rate=2&turns=4", "&concurrency=8&turns=10&turn_tokens=100&shared_tokens=500"}) {
      const Scenario scenario = served(base + more);
      const Load steady = steady_load(scenario), simulated = simulated_load(scenario, {});
      INFO(base + more);
      REQUIRE(steady.exists);
      CHECK(far(steady.per_token.mean, simulated.per_token.mean) < 0.10);
      CHECK(far(steady.first_token.mean, simulated.first_token.mean) < 0.45);
      CHECK(std::fabs(share_found(steady) - share_found(simulated)) < 0.05);
    }
  const auto exists = [](const std::string& more, std::int64_t room) { return steady_load(served(kVllm + more), {Count{room}}).exists; };
  CHECK(exists("&concurrency=8&turns=4", 100'000));
  CHECK_FALSE(exists("&concurrency=8&turns=4", 30'000)); // 8 of 4,800 tokens: some are forgotten
  CHECK_FALSE(exists("&concurrency=8&turns=4&think_seconds=1", 0));
  CHECK_FALSE(exists("&concurrency=8&turns=4&requests=32", 0));
  CHECK_FALSE(steady_load(served(kForgets + "&concurrency=8&turns=4")).exists);
}

TEST_CASE("conversations that cannot be are refused") {
  const auto issue = [](const std::string& more) {
    std::string fields;
    for (const Issue& found : io::answer_query(test::catalog(), "task=inference&" + kVllm + more).issues) fields += found.field + " ";
    return fields;
  };
  CHECK(issue("&concurrency=4&turns=4").empty());
  CHECK(issue("&concurrency=4&turns=0").find("turns") != std::string::npos);
  CHECK(issue("&concurrency=4&turns=4&context_tokens=2000").find("turns") != std::string::npos);
  CHECK(issue("&concurrency=4&think_seconds=4").find("think_seconds") != std::string::npos);
  CHECK(issue("&turns=4&trace=0,100,10").find("turns") != std::string::npos);
  CHECK(loaded(kVllm + "&concurrency=4&turns=4", 4'000).too_long);
  Issues issues;
  const io::LoadReport apart = io::load_report(test::catalog(), {}, io::request_from_query("task=inference&" + kVllm + "&concurrency=4&turns=4&data_parallel=2&disaggregation=decode&prefill_replicas=1", issues));
  const io::LoadReport thinks = io::load_report(test::catalog(), {}, io::request_from_query("task=inference&" + kVllm + "&concurrency=4&turns=4&think_seconds=1", issues));
  CHECK(thinks.ok);
  CHECK_FALSE(thinks.steady);
  CHECK(thinks.issues.back().field == "turns");
  CHECK_FALSE(apart.ok);
  CHECK(apart.issues.back().field == "turns");
}

TEST_CASE("what leaves one place goes to the next, and no token is lost or made") {
  using timing::Histories;
  Histories histories{4, 500, 10'000};
  histories.keep(0, 1000);
  histories.keep(1, 600);
  histories.shrink(1200, Histories::kAnyNumber);
  CHECK(histories.of(0) == Histories::Kept{600, 400, 0}); // its end
  histories.shrink(700, Histories::kAnyNumber);
  CHECK(histories.of(0) == Histories::Kept{100, 500, 400});
  histories.take(0);
  CHECK(histories.on_gpu() == 600);
  histories.keep(2, 50);
  histories.shrink(Histories::kAnyNumber, 1);
  CHECK(histories.of(1) == Histories::Kept{0, 500, 100});
  CHECK(histories.of(2) == Histories::Kept{50, 0, 0});
}
