// Speculative decoding: what drafters weigh, how long drafting takes and how many tokens a step gives.
#include "formula_text.hpp"

#include "plimsoll/method/explain.hpp"
#include "plimsoll/method/speed.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;

namespace {

const std::string kLlama = "task=inference&model=llama-3-8b&device=h100-80-sxm&profile=vllm&context_tokens=4096";
const std::string kLarge = "task=inference&model=llama-3.1-70b&device=h100-80-sxm&profile=vllm&context_tokens=4096&tensor_parallel=4";

Bytes part_of(const std::string& query, Part part) { return test::answer_to(query).estimate.at_peak().parts[static_cast<std::size_t>(part)]; }
Speed speed_of(const std::string& query) { return speed(test::answer_to(query).scenario); }

void check_leaves(const Component& component) {
  for (const Component& part : component.parts) check_leaves(part);
  INFO(component.id << ": " << component.formula);
  if (component.parts.empty() && !component.formula.empty()) CHECK(test::evaluate(component.formula, component.symbols) == component.amount);
}

} // namespace

// Leviathan et al. 2023 (arXiv 2211.17192), equation 1: (1 - a^(n + 1)) / (1 - a). With a = 0.8 and n = 4 that is 3.3616.
TEST_CASE("a step gives 3.362 tokens at an acceptance of 0.8 and four drafts, and 1 without drafts") {
  CHECK(speed_of(kLlama).accepted.expected == Count{1000});
  CHECK(speed_of(kLlama + "&draft_tokens=4").accepted.expected == Count{1000}); // nothing drafts
  const Speed stated = speed_of(kLlama + "&draft_tokens=4&drafter=ngram&acceptance_permille=800");
  CHECK(stated.accepted.expected == Count{3362});
  CHECK(stated.accepted.low == stated.accepted.high);
  CHECK(speed_of(kLlama + "&draft_tokens=1&drafter=ngram&acceptance_permille=500").accepted.expected == Count{1500});
  CHECK(speed_of(kLlama + "&draft_tokens=7&drafter=ngram&acceptance_permille=1000").accepted.expected == Count{8000});
  const Speed assumed = speed_of(kLlama + "&draft_tokens=4&drafter=ngram");
  CHECK(assumed.accepted.low < assumed.accepted.expected);
  CHECK(assumed.accepted.expected < assumed.accepted.high);
  CHECK(assumed.sequence.low < assumed.sequence.expected);
  CHECK(assumed.sequence.expected < assumed.sequence.high);
}

// Llama-3-8B: a layer of 218,112,000 numbers without one norm of 4096, and a map of 2 × 4096 × 4096. EAGLE-3: queries, keys and values of
// 8192 inputs, three norms and a last one, a map of 3 × 4096 × 4096, a head of 32,000 tokens. Medusa: for each token 4096² and the head.
TEST_CASE("drafters made for a model weigh what their shapes say") {
  const auto drafter = [](const std::string& which, const std::string& tokens) {
    return part_of(kLlama + "&draft_tokens=" + tokens + "&drafter=" + which, Part::other_models);
  };
  CHECK(drafter("eagle", "4") == Bytes{2 * (218'112'000 - 4096 + 33'554'432)});
  CHECK(drafter("eagle3", "4") == Bytes{2 * (33'554'432 + 2 * 8'388'608 + 16'777'216 + 176'160'768 + 50'331'648 + 131'072'000 + 4 * 4096)});
  CHECK(drafter("medusa", "3") == Bytes{2 * std::int64_t{3} * (16'777'216 + 525'336'576)});
  CHECK(drafter("ngram", "4") == Bytes{0});
  CHECK(drafter("eagle", "0") == Bytes{0});
  CHECK(part_of(kLlama + "&draft_tokens=4&drafter=eagle", Part::kv_cache) - part_of(kLlama, Part::kv_cache) == Bytes{4096 * 4096}); // one layer of 32
  CHECK(part_of(kLlama + "&draft_tokens=4&drafter=medusa", Part::kv_cache) == part_of(kLlama, Part::kv_cache));
  CHECK(test::answer_to(kLlama + "&draft_tokens=4&drafter=eagle").judgement.pool.tokens < test::answer_to(kLlama).judgement.pool.tokens);
  CHECK(part_of(kLlama + "&draft_tokens=4&drafter=eagle&tensor_parallel=2", Part::other_models) < drafter("eagle", "4"));
}

TEST_CASE("drafting takes time: n-grams none, heads less than models, and what is never accepted only costs") {
  const auto step = [](const std::string& query) { return speed_of(query).step.expected; };
  const std::string drafts = "&draft_tokens=4";
  CHECK(step(kLlama + drafts + "&drafter=ngram&profile=gpt_fast") == step(kLlama + "&profile=gpt_fast")); // reads decide: checking four drafts more is free
  CHECK(step(kLlama + drafts + "&drafter=ngram") < Nanoseconds{step(kLlama).value / 100 * 105}); // but for what kernels of five rows take longer than of one
  CHECK(step(kLarge + drafts + "&drafter=medusa") > step(kLarge));
  CHECK(step(kLarge + drafts + "&drafter=eagle") > step(kLarge));
  CHECK(step(kLarge + drafts + "&drafter=eagle") < step(kLarge + drafts + "&draft_model=llama-3.1-8b"));
  CHECK(step(kLarge + "&draft_tokens=8&drafter=eagle") > step(kLarge + drafts + "&drafter=eagle"));
  const auto rate = [](const std::string& query) { return speed_of(query).sequence.expected; };
  const std::string heads = kLarge + drafts + "&drafter=eagle&acceptance_permille=";
  CHECK(rate(heads + "1") < rate(kLarge));
  CHECK(rate(heads + "800") > rate(kLarge));
  for (int permille = 100; permille < 1000; permille += 100) CHECK(rate(heads + std::to_string(permille)) < rate(heads + std::to_string(permille + 100)));
}

TEST_CASE("checked drafts are multiplied like sequences: a large batch gains less") {
  const auto gain = [](const std::string& batch) {
    const std::string query = kLlama + "&batch=" + batch;
    return static_cast<double>(speed_of(query + "&draft_tokens=4&drafter=ngram&acceptance_permille=800").total.expected.value) / static_cast<double>(speed_of(query).total.expected.value);
  };
  CHECK(gain("1") > 3.3);
  CHECK(gain("1024") < gain("1"));
  const std::string layers = "task=inference&model=deepseek-v3-671b&device=h200-141-sxm&profile=vllm&weight_dtype=fp8_block&tensor_parallel=8&context_tokens=4096";
  CHECK(speed_of(layers + "&draft_tokens=2&drafter=ngram").step.expected > speed_of(layers).step.expected); // more tokens meet more experts
  const Speed predicted = speed_of(layers + "&draft_tokens=1&predicts_drafts=true");
  CHECK(predicted.step.expected > speed_of(layers).step.expected);
  CHECK(predicted.accepted.expected == Count{1700});
}

TEST_CASE("the facts of a step with drafts are the speed's own numbers, and none is faster than the roofline") {
  for (const char* drafter : {"&drafter=eagle", "&drafter=eagle3", "&drafter=medusa", "&drafter=ngram", "&draft_model=llama-3.2-1b"}) {
    const io::Answer answer = test::answer_to(kLlama + "&batch=6&draft_tokens=3" + drafter);
    const Speed found = speed(answer.scenario);
    INFO(drafter);
    CHECK(found.floor <= found.step.low);
    for (const Component& fact : explain(answer.scenario, answer.estimate).facts) {
      check_leaves(fact);
      if (fact.id == "fact.decode_step") CHECK(Nanoseconds{fact.amount} == found.step.expected);
      if (fact.id == "fact.tokens_per_second") CHECK(Count{fact.amount} == found.total.expected);
    }
  }
}

TEST_CASE("the text of engines' buffers evaluates to the code's number") {
  for (const char* query : {"model=deepseek-v3-671b&profile=ik_llama_cpp&weight_dtype=q4_k_m&kv_dtype=fp16&latent_buffer_bytes=536870912", "model=deepseek-v3-671b&profile=llama_cpp&weight_dtype=q4_k_m&kv_dtype=fp16&context_tokens=32768",
                            "model=llama-3-8b&profile=llama_cpp&weight_dtype=q4_k_m&kv_dtype=fp16&pipeline_parallel=3", "model=gemma-3-27b&profile=vllm&pipeline_parallel=2",
                            "model=deepseek-v3-671b&profile=vllm&kv_dtype=fp8_ds_mla", "model=llama-3-8b&profile=vllm&kv_dtype=int8_per_token_head"}) {
    const io::Answer answer = test::answer_to(std::string{"task=inference&device=b200&"} + query);
    INFO(query);
    for (std::int64_t rank = 0; rank < answer.scenario.strategy.pipeline_parallel; ++rank) check_leaves(explain_moment(answer.scenario, Moment::decode, rank));
    for (const Component& fact : explain(answer.scenario, answer.estimate).facts) check_leaves(fact);
  }
}
