// What a whole scenario costs: an hour of serving and its tokens, or a training job.
#include "plimsoll/answer/answer.hpp"

#include "plimsoll/method/speed.hpp"
#include "plimsoll/method/time.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;

namespace {

const io::Prices& prices() {
  static const io::Prices kAll = io::Prices::load(test::catalog());
  return kAll;
}

io::CostAnswer ask(const std::string& query) {
  Issues issues;
  const io::Request request = io::request_from_query(query, issues);
  io::CostQuestion question = io::scenario_cost_question(test::catalog(), prices(), request, issues);
  return io::answer_cost(test::catalog(), prices(), std::move(question), std::move(issues));
}

const std::string kServe = "model=llama-3-8b&task=inference&batch=16&context_tokens=2048&profile=vllm";
const std::string kTrain = "model=llama-3-8b&task=pretrain&profile=torchtitan&precision=sharded_bf16&sharding=parameters&data_parallel=64&context_tokens=4096&device=h100-80-sxm";

} // namespace

TEST_CASE("serving costs an hour of the instance, and a million tokens at the estimate's rate") {
  const io::CostAnswer answer = ask(kServe + "&device=h100-80-sxm");
  REQUIRE(answer.ok);
  REQUIRE(answer.question.ways.size() == 1);
  const io::DeploymentOption& way = answer.question.ways[0];
  CHECK(way.seconds == Count{3600});
  CHECK(way.token_rate == speed(test::answer_to(kServe + "&device=h100-80-sxm").scenario).total.expected.value);
  REQUIRE(!answer.options.empty());
  const io::PricedOption& first = answer.options.front();
  CHECK(first.option.total == first.option.hourly);
  REQUIRE(first.per_million_tokens);
  CHECK(first.per_million_tokens->expected == Money{cost::per_million_tokens(first.option.hourly, way.token_rate).amount});
  CHECK(first.per_million_tokens->low < first.per_million_tokens->expected);
  CHECK(first.per_million_tokens->expected < first.per_million_tokens->high);
}

TEST_CASE("without a device, every device that has a price and holds it is tried") {
  const io::CostAnswer answer = ask(kServe);
  REQUIRE(answer.ok);
  CHECK(answer.question.ways.size() > 5);
  for (const io::DeploymentOption& way : answer.question.ways) {
    INFO(way.device);
    io::Answer one = test::answer_to(kServe + "&device=" + way.device);
    io::add_footprint(one);
    CHECK(one.footprint->fits);
  }
  for (std::size_t i = 1; i < answer.options.size(); ++i) CHECK(answer.options[i - 1].option.total <= answer.options[i].option.total);
}

TEST_CASE("a training job costs its time on the clock, likely from its fastest to its slowest") {
  const std::string query = kTrain + "&train_tokens=100000000000";
  const io::CostAnswer answer = ask(query);
  REQUIRE(answer.ok);
  REQUIRE(answer.question.ways.size() == 1);
  const io::DeploymentOption& way = answer.question.ways[0];
  const JobTime job = job_time(test::answer_to(query).scenario);
  CHECK(way.gpus == Count{64});
  CHECK(way.seconds.value == (job.wall.expected.value + 999'999'999) / 1'000'000'000);
  REQUIRE(!answer.options.empty());
  CHECK(answer.options.front().low < answer.options.front().option.total);
  CHECK(answer.options.front().option.total < answer.options.front().high);

  io::Answer estimate = test::answer_to(query);
  io::add_cost(estimate, test::catalog(), prices(), "2026-11-22");
  REQUIRE(estimate.cost);
  CHECK(estimate.cost->options.front().option.total == answer.options.front().option.total);
  CHECK(io::estimate_json(estimate).find("\"cost\":{\"gpus\":64,") != std::string::npos);
}

TEST_CASE("what has no time, and what fits nowhere, is said") {
  const io::CostAnswer timeless = ask(kTrain);
  CHECK(!timeless.ok);
  CHECK(timeless.issues.back().field == "task");
  const io::CostAnswer homeless = ask("model=deepseek-v3-671b&task=inference");
  CHECK(!homeless.ok);
  CHECK(homeless.issues.back().field == "device");
  const io::CostAnswer wrong = ask("model=nonsense&task=inference");
  CHECK(!wrong.ok);
  CHECK(wrong.issues.front().field == "model");
}
