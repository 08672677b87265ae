// Inputs that are sets and lists: what adapters stand beside, layers of each chunk of a pipeline. And what an engine's own log says of its cache.
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

using namespace plimsoll;

namespace {

const std::string kLora = "model=llama-3-8b&device=h100-80-sxm&task=finetune&method=lora&rank=8&targets=";
const std::string kPipeline = "model=llama-3-8b&device=h100-80-sxm&task=pretrain&pipeline_parallel=4&data_parallel=8&sharding=optimizer&micro_batches=4";
const std::string kEngine = "model=llama-3-8b&device=h100-80-sxm&task=inference&profile=vllm";

io::Answer ask(const std::string& query) { return io::answer_query(test::catalog(), query); }

std::string error_of(const std::string& query) {
  for (const Issue& issue : ask(query).issues)
    if (issue.severity == Severity::error) return issue.field;
  return "";
}

} // namespace

TEST_CASE("a set of targets is written with its parts, and with its name where it has one") {
  CHECK(test::answer_to(kLora + "q,v,down").inputs.tuning.targets == (kTargetQuery | kTargetValue | kTargetDown));
  CHECK(test::answer_to(kLora + " V , Q").inputs.tuning.targets == kTargetQueryValue);
  CHECK(io::canonical_query(test::answer_to(kLora + "down,v,q")).find("targets=q%2Cv%2Cdown") != std::string::npos);
  CHECK(io::canonical_query(test::answer_to(kLora + "o,v,k,q")).find("targets=attention") != std::string::npos);
  for (const char* wrong : {"q,", "q,w", ",", "qv,o"}) CHECK(error_of(kLora + wrong) == "targets");
}

TEST_CASE("layers of each chunk: 9, 9, 7 and 7 of 32; others are refused with what there is") {
  const io::Answer answer = test::answer_to(kPipeline + "&chunk_layers=9,9,7,7");
  CHECK(answer.scenario.strategy.chunk_layers == std::vector<std::int64_t>{9, 9, 7, 7});
  CHECK(test::answer_to(kPipeline + "&chunk_layers=8,8,8,8").estimate.at_peak().total == test::answer_to(kPipeline).estimate.at_peak().total);
  CHECK(answer.estimate.at_peak().total != test::answer_to(kPipeline).estimate.at_peak().total);
  CHECK(test::answer_to(io::canonical_query(answer)).estimate.at_peak().total == answer.estimate.at_peak().total);
  for (const char* wrong : {"9,9,7,8", "16,16", "9,9,7,x", "9,9,,7", "-1,11,11,11"}) CHECK(error_of(kPipeline + "&chunk_layers=" + wrong) == "chunk_layers");
  CHECK(error_of(kPipeline + "&chunk_layers=9,9,7,7&pipeline_schedule=dualpipe") == "chunk_layers");
  CHECK(test::answer_to(kPipeline + "&chunk_layers=").estimate.at_peak().total == test::answer_to(kPipeline).estimate.at_peak().total);
}

// vllm-project/vllm, vllm/config/cache.py: kv_cache_memory_bytes takes the place of gpu_memory_utilization.
TEST_CASE("an engine's cache of 16 GiB holds 131,072 tokens of Llama-3-8B; what its log says was taken before leaves the rest of its share") {
  constexpr std::int64_t kGib = std::int64_t{1} << 30;
  CHECK(test::answer_to(kEngine + "&kv_cache_memory_bytes=17179869184").judgement.pool.tokens == Count{131'072});
  const io::Answer answer = test::answer_to(kEngine + "&memory_permille=900&memory_before_cache_bytes=" + std::to_string(20 * kGib));
  CHECK(answer.judgement.pool.bytes.expected.value == answer.scenario.hardware.usable_bytes * 900 / 1000 - 20 * kGib);
  CHECK(answer.judgement.pool.bytes.low == answer.judgement.pool.bytes.high);
}

TEST_CASE("prediction layers train where somebody says so") {
  const std::string query = "model=deepseek-v3-671b&device=b200&task=pretrain&profile=megatron&expert_parallel=64&data_parallel=64&pipeline_parallel=8&micro_batches=8";
  const io::Answer plain = test::answer_to(query + "&chunk_layers=8,8,8,8,8,7,7,7"), predicting = test::answer_to(query + "&chunk_layers=8,8,8,8,8,7,7,7&trains_prediction=true");
  CHECK(plain.scenario.model.prediction_depths == Count{0});
  CHECK(predicting.scenario.model.prediction_depths == Count{1});
  const std::size_t last = 7;
  CHECK(predicting.estimate.ranks[last].total > plain.estimate.ranks[last].total);
}

TEST_CASE("a head that is quantised as the other maps are weighs a quarter") {
  const std::string query = "model=llama-3-8b&device=h100-80-sxm&task=finetune&method=lora&weight_dtype=nf4";
  const auto weights = [&](const std::string& more) { return test::answer_to(query + more).estimate.at_peak().parts[static_cast<std::size_t>(Part::weights)].value; };
  constexpr std::int64_t kHead = std::int64_t{128'256} * 4096; // 2 bytes each; in NF4 half a byte and 4 bytes for each 64, with a table of 64 bytes
  CHECK(weights("") - weights("&quantised_head=true") == 2 * kHead - (kHead / 2 + kHead / 64 * 4 + 64));
}
