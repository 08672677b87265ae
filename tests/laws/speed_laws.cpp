// What must hold of times of serving.
#include "scenarios.hpp"

#include "plimsoll/method/explain.hpp"
#include "plimsoll/method/speed.hpp"
#include "plimsoll/results/api.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

using namespace plimsoll;

namespace {

/// Every engine with models of every kind of layer, on devices of every class.
std::vector<Scenario> served() {
  std::vector<Scenario> scenarios;
  for (const io::Catalog::ProfileRow& profile : test::catalog().profiles())
    for (const char* model : {"llama-3-8b", "gemma-3-27b", "deepseek-v3-671b", "qwen3-next-80b-a3b", "gpt-oss-120b", "mamba-2-2.7b"})
      for (const char* device : {"h100-80-sxm", "a100-80-pcie", "rtx4090", "m1-max-64", "m3-max-128", "b200"})
        if (profile.for_inference)
          for (const std::string& weights : {std::string{}, std::string{"&weight_dtype=bf16"}, std::string{"&weight_dtype=q4_k_m"}}) {
            Issues issues;
            io::Answer answer = io::answer(test::catalog(), io::request_from_query("task=inference&kv_dtype=fp16&model=" + std::string{model} + "&device=" + device + "&profile=" + profile.id + weights, issues));
            if (answer.ok) scenarios.push_back(std::move(answer.scenario)); // no engine loads everything everywhere
          }
  REQUIRE(scenarios.size() > 500);
  return scenarios;
}

void each_leaf(const Component& component, const auto& visit) {
  if (component.parts.empty()) visit(component);
  for (const Component& part : component.parts) each_leaf(part, visit);
}

} // namespace

TEST_CASE("every engine says how fast it is, and never faster than the data sheet") {
  for (const Scenario& scenario : served())
    for (std::int64_t batch : {1, 32, 4096}) {
      Scenario asked = scenario;
      asked.workload.batch = batch;
      const Speed found = speed(asked);
      INFO(asked.model.id << " " << asked.hardware.id << " " << asked.profile.id << " " << batch);
      REQUIRE(found.exists);
      CHECK(found.floor > Nanoseconds{0});
      CHECK(found.floor <= found.step.low);
      CHECK(found.step.low <= found.step.expected);
      CHECK(found.step.expected <= found.step.high);
      CHECK(found.sequence.low <= found.sequence.expected);
      CHECK(found.sequence.expected <= found.sequence.high);
      CHECK(found.computes == (found.crossover > Count{0} && Count{batch} >= found.crossover));
    }
}

TEST_CASE("more sequences never give fewer tokens in all, and none of them more") {
  for (const Scenario& scenario : served())
    for (std::int64_t batch : {1, 7, 64, 1000}) {
      Scenario one = scenario, two = scenario;
      one.workload.batch = batch;
      two.workload.batch = 2 * batch;
      INFO(one.model.id << " " << one.hardware.id << " " << one.profile.id << " " << batch);
      CHECK(speed(two).total.expected + Count{1} >= speed(one).total.expected);
      CHECK(speed(two).sequence.expected <= speed(one).sequence.expected);
    }
}

TEST_CASE("a longer context and a slower memory are never faster") {
  for (const Scenario& scenario : served()) {
    Scenario longer = scenario, faster = scenario;
    longer.workload.context_tokens *= 2;
    faster.hardware.rates.memory += faster.hardware.rates.memory / 10; // and still of the same class
    INFO(scenario.model.id << " " << scenario.hardware.id << " " << scenario.profile.id);
    CHECK(speed(scenario).step.expected <= speed(longer).step.expected);
    CHECK(speed(scenario).first_token.expected <= speed(longer).first_token.expected);
    CHECK(speed(faster).step.expected <= speed(scenario).step.expected);
  }
}

TEST_CASE("layers on the host make a step slower, and GPUs that share a model make its reads faster") {
  const auto step = [](const std::string& query) { return speed(test::answer_to(query).scenario).step.expected; };
  const std::string llama = "task=inference&model=llama-3-8b&kv_dtype=fp16&weight_dtype=q4_k_m&device=rtx4090&profile=llama_cpp&gpu_layers=";
  CHECK(step(llama + "32") < step(llama + "24"));
  CHECK(step(llama + "24") < step(llama + "0"));
  const std::string large = "task=inference&model=llama-3-70b&device=h100-80-sxm&profile=vllm&tensor_parallel=";
  CHECK(step(large + "4") < step(large + "2"));
  CHECK(speed(test::answer_to(large + "4").scenario).floor > Nanoseconds{step(large + "1").value / 6});
}

TEST_CASE("a device without published rates has no speed, and training neither") {
  Scenario scenario = test::answer_to("task=inference&model=llama-3-8b").scenario;
  scenario.hardware.rates = {};
  CHECK_FALSE(speed(scenario).exists);
  CHECK_FALSE(speed(test::answer_to("task=pretrain&model=llama-3-8b").scenario).exists);
}

TEST_CASE("without the rate of its matrix units a device decodes, and no prompt is timed") {
  Scenario scenario = test::answer_to("task=inference&model=llama-3-8b").scenario;
  scenario.hardware.rates.flop = {};
  CHECK(speed(scenario).exists);
  CHECK_FALSE(speed(scenario).has_prefill);
  CHECK(speed(scenario).crossover == Count{0});
}

TEST_CASE("the facts of a step and of a prompt are the speed's own numbers") {
  for (const char* query : {"task=inference&model=llama-3-8b&batch=8", "task=inference&model=qwen3-next-80b-a3b&batch=3&tensor_parallel=2&profile=vllm"}) {
    const io::Answer answer = test::answer_to(query);
    const Speed found = speed(answer.scenario);
    std::int64_t step = 0, prompt = 0, rate = 0;
    for (const Component& fact : explain(answer.scenario, answer.estimate).facts) {
      std::int64_t leaves = 0;
      each_leaf(fact, [&](const Component& leaf) { leaves += leaf.amount; });
      if (fact.id == "fact.decode_step") step = leaves;
      if (fact.id == "fact.prefill") prompt = leaves;
      if (fact.id == "fact.tokens_per_second") rate = leaves;
    }
    INFO(query);
    CHECK(Nanoseconds{step} == found.step.expected);
    CHECK(Nanoseconds{prompt} == found.first_token.expected);
    CHECK(Count{rate} == found.total.expected);
  }
}
