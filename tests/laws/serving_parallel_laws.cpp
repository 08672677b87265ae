// What must hold when GPUs divide a model that is served.
#include "scenarios.hpp"

#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/sharding.hpp"
#include "plimsoll/method/speed.hpp"
#include "plimsoll/results/api.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>

using namespace plimsoll;

namespace {

std::string serve(const std::string& model, const std::string& engine) {
  return "task=inference&device=b200&model=" + model + "&profile=" + engine + "&kv_dtype=fp16&weight_dtype=bf16&context_tokens=4096";
}

Bytes part_of(const std::string& query, Part part) { return test::answer_to(query).estimate.at_peak().parts[static_cast<std::size_t>(part)]; }

/// Of one rank.
Bytes part_at(const std::string& query, std::int64_t rank, Part part) {
  return estimate_rank(test::answer_to(query).scenario, rank).at_peak().parts[static_cast<std::size_t>(part)];
}

bool refused(const std::string& query) { return has_errors(io::answer_query(test::catalog(), query).issues); }

Count layers_on(const std::string& query, std::int64_t rank) {
  const Scenario scenario = test::answer_to(query).scenario;
  const Stage stage{scenario.model, scenario.strategy, scenario.workload, rank};
  Count layers;
  for (const LayerGroup& group : scenario.model.groups) layers += stage.held(group);
  return layers;
}

} // namespace

TEST_CASE("stages hold the model's weights and caches between them") {
  for (const char* engine : {"sglang", "tensorrt_llm"}) { // vLLM has a table of cosines on every stage besides
    INFO(engine);
    const std::string base = serve("llama-3.1-70b", engine) + "&batch=4", divided = base + "&pipeline_parallel=4";
    for (const Part part : {Part::weights, Part::kv_cache}) {
      Bytes all;
      for (std::int64_t rank = 0; rank < 4; ++rank) all += part_at(divided, rank, part);
      CHECK(all == part_of(base, part));
    }
    CHECK(test::answer_to(divided).estimate.gpus == Count{4});
  }
  CHECK(test::answer_to(serve("llama-3-8b", "lmdeploy") + "&pipeline_parallel=4").scenario.strategy.pipeline_parallel == 1);
}

// vllm-project/vllm, vllm/distributed/utils.py, get_pp_indices: 61 layers in four are 15, 15, 16, 15; SGLang's last stages have one more,
// TensorRT-LLM's first ones.
TEST_CASE("each engine has its own stages for layers that are left over") {
  const auto sizes = [](const char* engine, const char* stages, std::int64_t count) {
    std::string text;
    for (std::int64_t rank = 0; rank < count; ++rank)
      text += std::to_string(layers_on(serve("deepseek-v3-671b", engine) + "&tensor_parallel=8&pipeline_parallel=" + stages, rank).value) + " ";
    return text;
  };
  CHECK(sizes("vllm", "4", 4) == "15 15 16 15 ");
  CHECK(sizes("sglang", "4", 4) == "15 15 15 16 ");
  CHECK(sizes("tensorrt_llm", "4", 4) == "16 15 15 15 ");
  CHECK(sizes("vllm", "3", 3) == "20 21 20 ");
  CHECK(sizes("llama_cpp", "4", 4) == "16 15 16 14 "); // the head is the 62nd layer
}

TEST_CASE("all stages have pages for as many tokens as the one that is full first") {
  const std::string query = serve("llama-3.1-70b", "vllm") + "&pipeline_parallel=3";
  const io::Answer answer = test::answer_to(query);
  const CachePool& pool = answer.judgement.pool;
  REQUIRE(pool.exists);
  REQUIRE(pool.uniform);
  CHECK(pool.rank >= 0);
  CHECK(pool.rank < 3);
  // A stage with n of 80 layers keeps n * 4096 bytes of a token: no stage's pool is smaller than what the tokens need there.
  const std::int64_t layers = layers_on(query, pool.rank).value;
  CHECK(pool.tokens * Bytes{layers * 4096} <= pool.bytes.expected);
  CHECK((pool.tokens + Count{16}) * Bytes{layers * 4096} > pool.bytes.expected);
  CHECK(pool.tokens > test::answer_to(serve("llama-3.1-70b", "vllm")).judgement.pool.tokens);
}

TEST_CASE("latent vectors are whole on every GPU of a tensor-parallel group, and GPUs that divide the cache keep parts of it") {
  const std::string base = serve("deepseek-v3-671b", "vllm");
  CHECK(part_of(base + "&tensor_parallel=8", Part::kv_cache) == part_of(base, Part::kv_cache));
  CHECK(part_of(base + "&tensor_parallel=8", Part::kv_cache) == Bytes{std::int64_t{4096} * 61 * 576 * 2});
  CHECK(Count{8} * part_of(base + "&tensor_parallel=8&cache_parallel=8", Part::kv_cache) == part_of(base, Part::kv_cache));
  const CachePool one = test::answer_to(base + "&tensor_parallel=16").judgement.pool, eight = test::answer_to(base + "&tensor_parallel=16&cache_parallel=8").judgement.pool;
  CHECK(eight.tokens == Count{8} * one.tokens); // as vLLM's log of Kimi-K2 shows with eight
  CHECK(refused(serve("llama-3.1-70b", "vllm") + "&tensor_parallel=8&cache_parallel=2")); // eight KV heads on eight GPUs
}

TEST_CASE("experts stand on the GPUs of all replicas that share them") {
  const std::string base = serve("deepseek-v3-671b", "vllm") + "&tensor_parallel=4&data_parallel=4";
  const auto experts_of = [](const std::string& query) {
    const Scenario scenario = test::answer_to(query).scenario;
    Count all;
    for (const ModelTensor& part : scenario.model.tensors)
      if (part.tensor.kind == TensorKind::experts) all += part.layers * elements_per_gpu(part.tensor, scenario.strategy);
    return all;
  };
  const Model& model = test::answer_to(base).scenario.model;
  const Count experts = count_parameters(model, TensorKind::experts);
  CHECK(Count{16} * experts_of(base) == experts); // a sixteenth of each expert
  CHECK(Count{16} * experts_of(base + "&expert_parallel=16") == experts); // 16 of 256 experts
  CHECK(part_of(base, Part::weights) == part_of(base + "&expert_parallel=16", Part::weights));
  const auto stored = [](const std::string& degrees) { // quantised weights are divided likewise: 671 GB of fp8 on 16 GPUs
    return part_of("task=inference&device=b200&model=deepseek-v3-671b&profile=vllm&weight_dtype=fp8_block&context_tokens=4096&data_parallel=4&tensor_parallel=4" + degrees, Part::weights);
  };
  CHECK(stored("") < Bytes{std::int64_t{50'000'000'000}});
  CHECK(stored("&expert_parallel=16") < Bytes{std::int64_t{50'000'000'000}});
  CHECK(stored("&data_parallel_attention=off") > Bytes{std::int64_t{160'000'000'000}});
  CHECK(Count{4} * experts_of(base + "&data_parallel_attention=off") == experts);
  const std::string other = serve("deepseek-v3-671b", "sglang") + "&tensor_parallel=4&data_parallel=4";
  CHECK(Count{4} * experts_of(other) == experts);
  CHECK(Count{16} * experts_of(other + "&data_parallel_attention=on") == experts);
  CHECK(part_of(other + "&data_parallel_attention=on", Part::weights) < part_of(base, Part::weights)); // dense MLPs, shared experts and the head too
  CHECK(refused(base + "&expert_parallel=3"));
}

TEST_CASE("prediction layers that draft bring weights and a cache of their own") {
  const std::string base = serve("deepseek-v3-671b", "vllm") + "&tensor_parallel=16", drafts = base + "&draft_tokens=1&predicts_drafts=true";
  const Model& model = test::answer_to(base).scenario.model;
  CHECK(prediction_layers(model) == Count{1});
  CHECK(part_of(drafts, Part::kv_cache) - part_of(base, Part::kv_cache) == Bytes{std::int64_t{4096} * 576 * 2}); // a layer of 61
  const Bytes more = part_of(drafts, Part::weights) - part_of(base, Part::weights);
  CHECK(more > Bytes{0});
  CHECK(more < Count{2} * count_parameters(model, TensorKind::prediction) * Bytes{1});
  CHECK(test::answer_to(drafts).judgement.pool.tokens < test::answer_to(base).judgement.pool.tokens);
  // Their experts stand with the others: 256 × 3 × 7168 × 2048 numbers in one layer.
  const std::string apart = serve("deepseek-v3-671b", "vllm") + "&data_parallel=16", whole = apart + "&draft_tokens=1&predicts_drafts=true";
  const auto added = [&](const std::string& degrees) { return part_of(whole + degrees, Part::weights) - part_of(apart + degrees, Part::weights); };
  constexpr std::int64_t kExperts = std::int64_t{256} * 3 * 7168 * 2048 * 2;
  CHECK(added("&data_parallel_attention=off") - added("&expert_parallel=16") == Bytes{kExperts / 16 * 15});
  CHECK(prediction_layers(test::answer_to(serve("llama-3-8b", "vllm")).scenario.model) == Count{0});
}

TEST_CASE("a pipeline serves as many tokens as its stages let through, and hands them on") {
  const auto step = [](const std::string& query) { return speed(test::answer_to(query).scenario); };
  const std::string base = serve("llama-3.1-70b", "vllm") + "&tensor_parallel=2";
  const Speed alone = step(base), two = step(base + "&pipeline_parallel=2");
  REQUIRE(alone.exists);
  CHECK(two.step.expected > alone.step.expected); // one sequence meets both stages in turn, and one hop more
  CHECK(two.floor == alone.floor);
  const Speed many = step(base + "&batch=256"), divided = step(base + "&batch=256&pipeline_parallel=2");
  CHECK(divided.step.expected < many.step.expected); // two groups of 128 are under way at once
  CHECK(divided.total.expected > many.total.expected);
  for (const Speed& one : {alone, two, many, divided}) CHECK(one.step.low >= one.floor);
}

TEST_CASE("replicas that share experts read fewer of them each, and send tokens to each other") {
  const std::string base = serve("deepseek-v3-671b", "vllm") + "&tensor_parallel=8&batch=64";
  const Speed alone = speed(test::answer_to(base).scenario), two = speed(test::answer_to(base + "&data_parallel=2&expert_parallel=16").scenario);
  REQUIRE(alone.exists);
  CHECK(two.step.expected < alone.step.expected);
  CHECK(two.total.expected > Count{2} * alone.total.expected);
  CHECK(two.step.low >= two.floor);
}
