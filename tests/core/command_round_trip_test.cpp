// Any scenario that an engine's command line can say becomes that line and again the same memory and the same pool.
#include "plimsoll/files/command_line.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <random>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

using Choices = std::vector<std::string>;

/// Inputs that the engine has options for; "" leaves a field as it is.
struct Sayable {
  std::string engine;
  std::vector<Choices> inputs;
};

const Choices kModels{"model=llama-3-8b", "model=llama-3.1-70b", "model=qwen3-8b", "model=gemma-3-27b", "model=mixtral-8x7b", "model=deepseek-v3-671b", "model=gpt-oss-120b"};
const Choices kContexts{"&context_tokens=2048", "&context_tokens=8192", "&context_tokens=30000"};
const Choices kDegrees{"", "&tensor_parallel=2", "&tensor_parallel=8", "&tensor_parallel=2&pipeline_parallel=2", "&pipeline_parallel=3"};
const Choices kShares{"", "&memory_permille=850", "&memory_permille=701"};
const Choices kPasses{"", "&prefill_tokens=1024", "&prefill_tokens=16384"};
const Choices kSequences{"", "&max_sequences=32", "&max_sequences=7"};

const std::vector<Sayable>& engines() {
  static const std::vector<Sayable> kEngines{
      {"vllm", {kModels, kContexts, kDegrees, kShares, kPasses, kSequences,
                {"", "&kv_dtype=fp8", "&kv_dtype=fp8_per_token_head"},
                {"", "&block_tokens=32"},
                {"", "&draft_tokens=3&drafter=eagle", "&draft_tokens=3&drafter=eagle3", "&draft_tokens=2&drafter=medusa", "&draft_tokens=5&drafter=ngram"},
                {"", "&lora_slots=4&lora_rank=32"}}},
      {"sglang", {kModels, kContexts, kDegrees, kShares, kPasses, kSequences,
                  {"", "&kv_dtype=fp8"},
                  {"", "&block_tokens=64"},
                  {"", "&draft_tokens=4&drafter=eagle3", "&draft_tokens=4&drafter=ngram"}}},
      {"tensorrt_llm", {kModels, kContexts, kDegrees, kShares, kPasses, kSequences}},
      {"llama_cpp", {{"model=llama-3-8b", "model=gemma-3-27b", "model=qwen3-8b", "model=deepseek-v3-671b"}, kContexts, {"", "&pipeline_parallel=2", "&pipeline_parallel=4"},
                     {"&weight_dtype=q4_k_m", "&weight_dtype=q8_0", "&weight_dtype=gguf_f16"}, {"", "&prefill_tokens=1024"}, {"", "&batch=4"},
                     {"&kv_dtype=fp16", "&kv_dtype=q8_0"}, {"", "&flash_attention=on"}, {"", "&gpu_layers=20"}, {"", "&full_window_cache=on"}}},
  };
  return kEngines;
}

std::string random_query(const Sayable& engine, std::mt19937& random) {
  std::string query;
  for (const Choices& choices : engine.inputs) query += choices[random() % choices.size()];
  return query + "&task=inference&device=b200&profile=" + engine.engine;
}

} // namespace

TEST_CASE("random scenarios become command lines, and these the same scenarios") {
  constexpr int kTries = 150;
  for (const Sayable& engine : engines()) {
    std::mt19937 random{20'250'131};
    int valid = 0;
    for (int i = 0; i < kTries; ++i) {
      const std::string query = random_query(engine, random);
      const io::Answer before = io::answer_query(test::catalog(), query);
      if (!before.ok) continue; // degrees that do not divide a model
      ++valid;
      const std::string text = io::export_command_line(test::catalog(), before, engine.engine).text;
      const io::CommandLine line = io::read_command_line(test::catalog(), text);
      const io::Answer after = io::answer_query(test::catalog(), io::to_query(line.request) + "&device=b200");
      INFO(query << "\n" << text);
      CHECK(line.unread.empty());
      REQUIRE(after.ok);
      CHECK(after.estimate.gpus == before.estimate.gpus);
      CHECK(after.judgement.pool.bytes.expected == before.judgement.pool.bytes.expected);
      CHECK(after.judgement.pool.tokens == before.judgement.pool.tokens);
      CHECK(after.scenario.serving.drafter == before.scenario.serving.drafter);
      CHECK(after.estimate.at_peak().total == before.estimate.at_peak().total);
      CHECK(io::export_command_line(test::catalog(), after, engine.engine).text == text);
    }
    INFO(engine.engine);
    CHECK(valid > kTries / 3);
  }
}

TEST_CASE("what TensorRT-LLM reads from a file is no option of its command") {
  const io::Answer answer = io::answer_query(test::catalog(), "model=llama-3.1-70b&device=b200&profile=tensorrt_llm&task=inference&tensor_parallel=2&kv_dtype=fp8&block_tokens=64&draft_tokens=3&drafter=eagle3");
  REQUIRE(answer.ok);
  const std::string text = io::export_command_line(test::catalog(), answer, "tensorrt_llm").text;
  INFO(text);
  CHECK(text.find("--kv_cache_dtype fp8") != std::string::npos);
  CHECK(text.find("--tokens_per_block") == std::string::npos);
  CHECK(text.find("--max_draft_len") == std::string::npos);
  CHECK(text.find("# block_tokens=64: write it as kv_cache_config.tokens_per_block in the file of --config") != std::string::npos);
}
