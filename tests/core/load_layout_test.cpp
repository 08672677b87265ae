// What a load has besides its requests: drafts that are checked, stages of a pipeline, images before a prompt; and that an estimate's decode
// step and prompt are those of the same passes.
#include "plimsoll/method/load.hpp"
#include "plimsoll/method/speed.hpp"
#include "plimsoll/questions/load.hpp"
#include "plimsoll/questions/serving_plan.hpp"
#include "plimsoll/request/request_text.hpp"
#include "plimsoll/results/api.hpp"

#include "method/kernels/choose.hpp"
#include "method/time/load/pass.hpp"
#include "method/time/load/random.hpp"
#include "method/time/load/requests.hpp"
#include "scenarios.hpp"
#include "served.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

using namespace plimsoll;
using test::served;

namespace {

double ms(Nanoseconds time) { return static_cast<double>(time.value) / 1e6; }

constexpr const char* kDense = "model=llama-3.1-70b&device=h100-80-sxm&profile=vllm&tensor_parallel=4&prompt_tokens=1024&answer_tokens=512&concurrency=";

} // namespace

TEST_CASE("answers in passes: 1 token with the prompt, then so many thousandths with each") {
  const timing::AnswerPasses one{1000}, more{2500};
  for (const std::int64_t n : {0, 1, 2, 7, 512}) {
    CHECK(one.tokens(n) == n);
    CHECK(one.passes(n) == n);
    CHECK(more.tokens(more.passes(n)) >= n); // all of them, in no pass too many
    if (n > 1) CHECK(more.tokens(more.passes(n) - 1) < n);
  }
  CHECK(more.passes(512) == 1 + 205); // 511 / 2.5 = 204.4
  CHECK(more.most() == 3);
}

TEST_CASE("drafts that are accepted shorten the time between tokens, and all tokens still come") {
  const Scenario plain = served(std::string{kDense} + "8"), drafted = served(std::string{kDense} + "8&drafter=eagle3&draft_tokens=4&acceptance_rate=0.7");
  const Load without = simulated_load(plain, {}), with = simulated_load(drafted, {});
  constexpr double kAccepted = 1 + 0.7 + 0.49 + 0.343 + 0.2401; // Leviathan et al., equation 1
  const double steps = ms(with.per_token.mean) * kAccepted / ms(without.per_token.mean);
  CHECK(steps > 1.0); // a step that checks five positions and drafts four is longer ...
  CHECK(steps < 1.4); // ... but not much: reading weights decides it
  CHECK(with.simulated == without.simulated);
  CHECK(with.whole.mean < without.whole.mean);
  const Load closed = steady_load(drafted);
  CHECK(std::fabs(ms(closed.per_token.mean) / ms(with.per_token.mean) - 1) < 0.15);
  // Whoever states no acceptance gets the range of what is assumed.
  const Scenario assumed = served(std::string{kDense} + "8&drafter=eagle3&draft_tokens=4");
  const Load load = simulated_load(assumed, {});
  const TimeRange range = per_token_range(assumed, load), stated = per_token_range(drafted, with);
  CHECK(ms(range.high) / ms(range.expected) > ms(stated.high) / ms(stated.expected));
}

TEST_CASE("drafts that nobody accepts cost time") {
  const Load plain = simulated_load(served(std::string{kDense} + "8"), {}), refused = simulated_load(served(std::string{kDense} + "8&drafter=eagle3&draft_tokens=4&acceptance_rate=0.01"), {});
  CHECK(refused.per_token.mean > plain.per_token.mean);
}

TEST_CASE("stages of a pipeline work on requests of their own: many are answered sooner, one is not") {
  const std::string many = std::string{kDense} + "64", two = "&pipeline_parallel=2";
  const Load whole = simulated_load(served(many), {}), staged = simulated_load(served(many + two), {});
  CHECK(staged.answer_tokens > whole.answer_tokens);
  CHECK(staged.per_token.mean < whole.per_token.mean);
  const Load alone = simulated_load(served(std::string{kDense} + "1"), {}), handed = simulated_load(served(std::string{kDense} + "1" + two), {});
  CHECK(handed.per_token.mean > alone.per_token.mean); // it meets all layers, and waits for what is handed over
  CHECK(handed.per_token.mean < Nanoseconds{alone.per_token.mean.value / 100 * 105});
}

TEST_CASE("images are read before the first token, and cost nothing after it") {
  const std::string seen = "model=qwen2.5-vl-7b&device=h100-80-sxm&profile=vllm&prompt_tokens=4096&answer_tokens=64&concurrency=1";
  const Load text = simulated_load(served(seen), {}), images = simulated_load(served(seen + "&images=2&image_width=1024&image_height=1024"), {});
  CHECK(images.first_token.mean > text.first_token.mean);
  CHECK(std::llabs(images.per_token.mean.value - text.per_token.mean.value) < text.per_token.mean.value / 1000);
}

TEST_CASE("an estimate's decode step and prompt are passes as they are under load") {
  for (const std::string query : {"model=llama-3.1-8b&device=h100-80-sxm&profile=vllm", "model=deepseek-v3-671b&device=h200-141-sxm&profile=sglang&tensor_parallel=8", "model=qwen3-32b&device=b200&profile=tensorrt_llm&tensor_parallel=2",
                                  "model=llama-3.1-70b&device=h100-80-sxm&profile=vllm&tensor_parallel=4&pipeline_parallel=2&drafter=eagle3&draft_tokens=3"}) {
    const Scenario scenario = served(query + "&context_tokens=3000&batch=16");
    const auto model = timing::PassModel::of(scenario);
    REQUIRE(model);
    const Speed found = speed(scenario);
    INFO(query);
    const double step = model->at({.decoding = 16, .context = 3000}).total(), prompt = model->at({.prompts = 1, .fresh = 3000, .finished = 1}).total();
    CHECK(std::fabs(static_cast<double>(found.step.expected.value) / step - 1) < 1e-3); // each part is whole nanoseconds, of a layer at the finest
    if (scenario.workload.prefill_tokens >= 3000) CHECK(std::fabs(static_cast<double>(found.first_token.expected.value) / prompt - 1) < 1e-3);
    CHECK(found.step.low < found.step.expected);
    CHECK(found.step.expected < found.step.high);
  }
}

TEST_CASE("multiprocessors are counted by the rate that they have in all, of cards that sum in fp32 at half of it, too") {
  const auto units = [](const char* device) {
    const Scenario scenario = served(std::string{"model=llama-3.1-8b&profile=vllm&device="} + device);
    const KernelTable& table = scenario.profile.inference.times->kernels();
    return kernels::gpu_of(scenario.hardware, *kernels::class_of(table, scenario.hardware), Arithmetic::bf16).units;
  };
  for (const auto& [device, multiprocessors] : {std::pair{"rtx4090", 128}, std::pair{"rtx5090", 170}, std::pair{"rtx3090", 82}, std::pair{"a6000", 84}, std::pair{"h100-80-sxm", 132}}) {
    INFO(device);
    CHECK(std::fabs(units(device) / multiprocessors - 1) < 0.10);
  }
  // 8 GB at 1.79 TB/s are 4.5 ms; a public log of trtllm-bench has 7.66 between tokens (tests/corpus/measured-speed.json, TR-076).
  const Nanoseconds step = speed(served("model=llama-3.1-8b&device=rtx5090&profile=tensorrt_llm&kv_dtype=fp8&weight_dtype=fp8_tensor&context_tokens=100")).step.expected;
  CHECK(step > Nanoseconds{5'500'000});
  CHECK(step < Nanoseconds{8'500'000});
}

TEST_CASE("what no kernels speak of is told by the data sheet, under load as in an estimate") {
  const std::string home = "model=llama-3-8b&device=rtx4090&profile=llama_cpp&weight_dtype=q4_k_m&prompt_tokens=512&answer_tokens=128&concurrency=";
  const auto loaded = [&](const std::string& more) { return simulated_load(served(home + more), {}); };
  const Load one = loaded("1"), four = loaded("4");
  REQUIRE(one.exists);
  CHECK_FALSE(one.measured);
  const Speed alone = speed(served(home + "1"));
  CHECK(std::fabs(ms(one.per_token.mean) / ms(alone.step.expected) - 1) < 0.05); // its context grows to what the estimate has from the start
  CHECK(std::fabs(ms(one.first_token.mean) / ms(speed(served("model=llama-3-8b&device=rtx4090&profile=llama_cpp&weight_dtype=q4_k_m&context_tokens=512")).first_token.expected) - 1) < 0.05);
  CHECK(four.answer_tokens > one.answer_tokens); // weights are read once for all four
  CHECK(four.per_token.mean > one.per_token.mean);
  CHECK(per_token_range(served(home + "4"), four).low < four.per_token.mean);
  CHECK(per_token_range(served(home + "4"), four).high > four.per_token.mean);
  const Load shared = loaded("1&gpu_layers=20"); // the host reads the rest
  CHECK(shared.per_token.mean > one.per_token.mean);
  CHECK(simulated_load(served("model=llama-3.1-8b&device=mi300x&profile=vllm&prompt_tokens=512&answer_tokens=128&concurrency=4"), {}).exists);
  Scenario bare = served("model=llama-3-8b&device=h100-80-sxm&profile=vllm");
  bare.hardware.rates.flop = {};
  CHECK_FALSE(timing::PassModel::of(bare)); // no rate of multiplications: neither way
}

TEST_CASE("servers whose kernels nobody has measured take requests in turn as their sources say") {
  for (const std::string profile : {"lmdeploy", "ollama", "llama_cpp"}) {
    const std::string query = "model=llama-3.1-8b&device=rtx4090&weight_dtype=" + std::string{profile == "lmdeploy" ? "awq_4bit_g128" : "q4_k_m"} + "&prompt_tokens=1000&answer_tokens=100&profile=" + profile;
    const Load one = simulated_load(served(query + "&concurrency=1"), {}), eight = simulated_load(served(query + "&concurrency=8"), {});
    INFO(profile);
    REQUIRE(one.exists);
    CHECK(!one.measured);
    CHECK(eight.per_token.mean > one.per_token.mean);
    CHECK(eight.answer_tokens > one.answer_tokens);
  }
}

TEST_CASE("what a cache has of a prompt is not read, in closed form either") {
  const std::string query = "model=llama-3.1-8b&device=h100-80-sxm&profile=vllm&prompt_tokens=4000&answer_tokens=200&concurrency=32&shared_tokens=3000&host_cache_bytes=100000000000";
  for (const std::string hits : {"&prefix_hits=1", "&prefix_hits=0.5", "&prefix_hits=0&host_hits=1", "&prefix_hits=0"}) {
    const Scenario scenario = served(query + hits);
    const auto off = [](Nanoseconds one, Nanoseconds other) { return std::fabs(std::log(static_cast<double>(one.value) / static_cast<double>(other.value))); };
    const Load steady = steady_load(scenario), simulated = simulated_load(scenario, {});
    INFO(hits);
    CHECK(off(steady.first_token.mean, simulated.first_token.mean) < 0.2);
    CHECK(off(steady.per_token.mean, simulated.per_token.mean) < 0.05);
  }
}

TEST_CASE("requests that come by a rate wait as long in closed form as step by step, while they are answered as they come") {
  for (const std::string profile : {"vllm", "sglang", "tensorrt_llm"})
    for (const std::string rate : {"0.5", "4", "12", "20"}) {
      const Scenario scenario = served("model=qwen3-32b&device=h100-80-sxm&tensor_parallel=4&prompt_tokens=1024&answer_tokens=256&length_spread=200&profile=" + profile + "&request_rate=" + rate);
      const Load steady = steady_load(scenario), simulated = simulated_load(scenario, {});
      INFO(profile << " " << rate);
      const bool keeps_up = simulated.requests.value >= 970 * scenario.workload.traffic.request_rate / 1000;
      CHECK((steady.exists || !keeps_up));
      if (!keeps_up) continue; // the queue of a run of 2,000 is not that of an endless one
      CHECK(std::fabs(std::log(static_cast<double>(steady.per_token.mean.value) / static_cast<double>(simulated.per_token.mean.value))) < 0.10);
      CHECK(std::fabs(std::log(static_cast<double>(steady.first_token.mean.value) / static_cast<double>(simulated.first_token.mean.value))) < 0.45);
    }
  CHECK_FALSE(steady_load(served("model=qwen3-32b&device=h100-80-sxm&tensor_parallel=4&prompt_tokens=1024&answer_tokens=256&profile=vllm&request_rate=500")).exists);
  CHECK_FALSE(steady_load(served("model=qwen3-32b&device=h100-80-sxm&tensor_parallel=4&prompt_tokens=1024&answer_tokens=256&profile=vllm&request_rate=4&arrivals=bursts")).exists);
}

TEST_CASE("slots of an endless load stay full: as many requests run as clients keep in flight (Little's law)") {
  for (const char* profile : {"vllm", "sglang"}) {
    const Load load = simulated_load(served(std::string{"model=qwen3-32b&device=h100-80-sxm&tensor_parallel=4&prompt_tokens=1024&answer_tokens=256&concurrency=32&profile="} + profile), {});
    const double in_flight = static_cast<double>(load.requests.value) / 1000 * static_cast<double>(load.whole.mean.value) / 1e9;
    CHECK(std::fabs(in_flight - 32) < 1.2); // what a request takes outside the scheduler is in its waits alone
  }
}

TEST_CASE("a rate that is too high, or that a concurrency makes idle, is said") {
  Issues issues;
  const auto field = [&](const char* more) {
    const io::LoadReport report = io::load_report(test::catalog(), {}, io::request_from_query(std::string{"model=llama-3.1-8b&device=h100-80-sxm&profile=vllm&prompt_tokens=1000&answer_tokens=200"} + more, issues));
    return report.issues.empty() ? std::string{} : report.issues.back().field;
  };
  CHECK(field("&request_rate=4") == "");
  CHECK(field("&request_rate=500") == "request_rate");
  CHECK(field("&request_rate=4&concurrency=8") == "request_rate");
}

TEST_CASE("a load that nobody can time is said, and its ways are not ranked by guesses") {
  Issues issues;
  const io::Prices prices = io::Prices::load(test::catalog());
  const auto planned = [&](const std::string& profile) {
    return io::plan_serving(test::catalog(), prices, io::request_from_query("model=llama-3.1-8b&device=rtx4090&gpus=1&prompt_tokens=500&answer_tokens=100&profile=" + profile, issues));
  };
  const io::ServingPlan plan = planned("exllamav3");
  CHECK(std::ranges::any_of(plan.issues, [](const Issue& issue) { return issue.field == "device"; }));
  for (const io::ServedWay& way : plan.best) CHECK(!way.timed);
  const io::ServingPlan by_rates = planned("llama_cpp"); // its server's turns are known, and the card's rates
  REQUIRE(!by_rates.best.empty());
  for (const io::ServedWay& way : by_rates.best) CHECK(way.timed);
}

TEST_CASE("lognormal lengths have the mean and the deviation that are stated, and none is longer than the context") {
  CHECK(std::fabs(timing::exponential(1) - 2.718281828459045) < 1e-14);
  CHECK(std::fabs(timing::exponential(-20) / 2.061153622438558e-9 - 1) < 1e-12);
  timing::Chance chance{5};
  double normal = 0, normal_squares = 0, sum = 0, squares = 0;
  constexpr int kDraws = 200'000;
  for (int i = 0; i < kDraws; ++i) {
    const double z = chance.normal(), length = chance.lognormal(1.25);
    normal += z / kDraws, normal_squares += z * z / kDraws, sum += length / kDraws, squares += length * length / kDraws;
  }
  CHECK(std::fabs(normal) < 0.01);
  CHECK(std::fabs(normal_squares - 1) < 0.01);
  CHECK(std::fabs(sum - 1) < 0.01);
  CHECK(std::fabs(squares / sum / sum - 1.25) < 0.01);

  const auto plan = [](const std::string& more) {
    const Scenario scenario = served("model=llama-3.1-8b&device=h100-80-sxm&profile=vllm&request_rate=4&" + more);
    return timing::requests_of(scenario.workload, scenario.serving, scenario.strategy).requests;
  };
  const auto mean = [](const std::vector<timing::Request>& requests, auto length) {
    double all = 0;
    for (const timing::Request& request : requests) all += static_cast<double>(request.*length);
    return all / static_cast<double>(requests.size());
  };
  const auto shared = plan("lengths=sharegpt&context_tokens=100000");
  CHECK(std::fabs(mean(shared, &timing::Request::prompt) / 161 - 1) < 0.05);
  CHECK(std::fabs(mean(shared, &timing::Request::answer) / 338 - 1) < 0.05);
  const auto stated = plan("lengths=sharegpt&prompt_tokens=1000&context_tokens=100000");
  CHECK(std::fabs(mean(stated, &timing::Request::prompt) / 1000 - 1) < 0.05);
  for (const timing::Request& request : plan("lengths=lognormal&prompt_tokens=600&answer_tokens=300&length_deviation=2&context_tokens=1000")) {
    CHECK(request.answer >= 1);
    CHECK(request.prompt + request.answer <= 1000);
  }
  for (const timing::Request& request : plan("lengths=lognormal&prompt_tokens=600&answer_tokens=300&length_deviation=0&context_tokens=1000")) {
    REQUIRE(request.prompt == 600);
    REQUIRE(request.answer == 300);
  }
}

TEST_CASE("lognormal lengths: the closed form and the simulation hold together, and long requests are what others wait for") {
  const std::string query = "model=qwen3-32b&device=h100-80-sxm&tensor_parallel=4&context_tokens=16384&prompt_tokens=1024&answer_tokens=256&lengths=lognormal&profile=";
  for (const std::string load : {"vllm&concurrency=1", "vllm&concurrency=32", "sglang&concurrency=32", "vllm&request_rate=4", "vllm&request_rate=4&arrivals=steady", "sglang&request_rate=8&length_deviation=0.5", "sglang&request_rate=8&length_deviation=0", "sglang&request_rate=4&length_deviation=0.5", "sglang&request_rate=12&length_deviation=0.5", "sglang&request_rate=8", "vllm&request_rate=8", "sglang&request_rate=4"}) {
    const Scenario scenario = served(query + load);
    const Load steady = steady_load(scenario), simulated = simulated_load(scenario, {});
    INFO(load);
    CHECK((steady.exists || load == "sglang&request_rate=8&length_deviation=0.5"));
    if (!steady.exists) continue;
    CHECK(std::fabs(std::log(static_cast<double>(steady.per_token.mean.value) / static_cast<double>(simulated.per_token.mean.value))) < 0.10);
    CHECK(std::fabs(std::log(static_cast<double>(steady.first_token.mean.value) / static_cast<double>(simulated.first_token.mean.value))) < 0.45);
  }
  const Load alike = simulated_load(served(query + "vllm&concurrency=32&length_deviation=0"), {}), apart = simulated_load(served(query + "vllm&concurrency=32"), {});
  CHECK(apart.whole.p99.value > 2 * alike.whole.p99.value);
  CHECK_FALSE(steady_load(served(query + "vllm&concurrency=1&shared_tokens=500")).exists);
}

TEST_CASE("lognormal lengths that say nothing are refused or said") {
  const auto issue = [](const std::string& more) {
    const io::Answer answer = io::answer_query(test::catalog(), "task=inference&model=llama-3.1-8b&device=h100-80-sxm&profile=vllm&concurrency=4&" + more);
    std::string fields;
    for (const Issue& found : answer.issues) fields += found.field + " ";
    return fields;
  };
  CHECK(issue("lengths=gamma&prompt_tokens=10&answer_tokens=10").find("lengths") != std::string::npos);
  CHECK(issue("lengths=lognormal&prompt_tokens=10&answer_tokens=10&length_spread=200").find("length_spread") != std::string::npos);
  CHECK(issue("prompt_tokens=10&answer_tokens=10&length_deviation=2").find("length_deviation") != std::string::npos);
  CHECK(issue("lengths=lognormal&prompt_tokens=9000&answer_tokens=10&context_tokens=4000").find("context_tokens") != std::string::npos);
  CHECK(issue("lengths=lognormal&prompt_tokens=1000&answer_tokens=10&context_tokens=4000").empty());
}
