// Forty scenarios of each writer become its text and are read again: every input comes back, or the text or its messages say which did not.
#include "plimsoll/files/import.hpp"
#include "plimsoll/files/manifest.hpp"
#include "plimsoll/files/training_config.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace plimsoll;

namespace {

using Choices = std::vector<std::string>;

/// What a writer is asked for; "" leaves an input as it is.
struct Writer {
  std::vector<const char*> targets;
  std::string task;
  std::vector<Choices> inputs;
};

const Choices kServed{"&model=llama-3.1-8b", "&model=qwen3-32b", "&model=gemma-3-27b", "&model=mixtral-8x7b", "&model=deepseek-v3-671b", "&model=gpt-oss-120b"};
const Choices kTuned{"&model=llama-3.1-8b", "&model=qwen2.5-7b", "&model=qwen3-8b", "&model=mistral-7b-v0.3", "&model=gemma-2-9b"};
const Choices kContexts{"&context_tokens=2048", "&context_tokens=8192", "&context_tokens=30000"};
const Choices kDegrees{"", "&tensor_parallel=2", "&tensor_parallel=8", "&tensor_parallel=4&data_parallel=2", "&tensor_parallel=2&pipeline_parallel=2"};
const Choices kBatches{"", "&batch=2", "&batch=4&micro_batches=8"};
const Choices kRecompute{"", "&recompute=full"};
const Choices kShardings{"&data_parallel=8&sharding=parameters", "&data_parallel=8&sharding=gradients", "&data_parallel=4&sharding=optimizer"};
const Choices kAdapters{"&method=lora&rank=16", "&method=lora&rank=64&weight_dtype=nf4_double_quant", "&method=full"};
const Choices kOptimizers{"", "&optimizer=adamw_8bit", "&optimizer=paged_adamw_8bit"};

std::vector<Choices> served(const char* engine) {
  return {{std::string{"&profile="} + engine}, kServed, kContexts, kDegrees, {"", "&memory_permille=850"}, {"", "&kv_dtype=fp8"}, {"", "&batch=16", "&max_sequences=32"}, {"", "&prefill_tokens=1024"}};
}

const std::vector<Writer>& writers() {
  static const std::vector<Writer> kWriters{
      {{"vllm", "kubernetes", "leaderworkerset", "kserve", "llm_d", "dynamo", "ray_serve", "compose", "slurm", "skypilot", "dstack"}, "inference", served("vllm")},
      {{"sglang", "kubernetes:sglang", "compose:sglang", "slurm:sglang"}, "inference", served("sglang")},
      {{"tensorrt_llm"}, "inference", served("tensorrt_llm")},
      {{"llama_cpp"}, "inference",
       {{"&profile=llama_cpp"}, {"&model=llama-3.1-8b", "&model=gemma-3-27b", "&model=qwen3-8b"}, {"&weight_dtype=q4_k_m", "&weight_dtype=q8_0"}, kContexts, {"", "&kv_dtype=q8_0"}, {"", "&batch=4"}, {"", "&gpu_layers=20"}}},
      {{"modelfile"}, "inference", {{"&profile=ollama"}, {"&model=llama-3.1-8b", "&model=qwen3-8b", "&model=gpt-oss-20b"}, {"", "&weight_dtype=q8_0"}, kContexts, {"", "&gpu_layers=20"}}},
      {{"deepspeed"}, "finetune", {{"&profile=deepspeed"}, kTuned, kContexts, kBatches, kShardings, kRecompute, {"", "&offload=optimizer"}}},
      {{"accelerate"}, "finetune", {{"&profile=fsdp2"}, kTuned, kContexts, kBatches, {"&data_parallel=8&sharding=parameters", "&data_parallel=4&sharding=parameters"}, kRecompute}},
      {{"trainer"}, "finetune", {{"&profile=hf_trainer"}, kTuned, kContexts, kBatches, kOptimizers, kRecompute, {"", "&precision=mixed_bf16"}}},
      {{"axolotl", "llama_factory", "ms_swift", "trl"}, "finetune", {{"&profile=peft"}, kTuned, kContexts, kBatches, kAdapters, kOptimizers, kRecompute}},
      {{"torchtune"}, "finetune", {{"&profile=torchtune"}, kTuned, kContexts, kBatches, {"&method=full", "&method=lora&rank=16"}, kRecompute, {"", "&data_parallel=4&sharding=parameters"}}},
      {{"torchtitan"}, "pretrain", {{"&profile=torchtitan"}, {"&model=llama-3.1-8b", "&model=llama-3.1-70b"}, kContexts, kBatches, {"&data_parallel=8&sharding=parameters", "&data_parallel=4&sharding=parameters&tensor_parallel=2"}, kRecompute}},
      {{"megatron", "nemo"}, "pretrain", {{"&profile=megatron"}, {"&model=llama-3.1-8b", "&model=qwen3-8b", "&model=mixtral-8x7b"}, kContexts, kBatches, {"&data_parallel=4&tensor_parallel=2", "&data_parallel=2&tensor_parallel=2&pipeline_parallel=2"}, kRecompute}},
  };
  return kWriters;
}

/// Whether a message of one of both ways names the input, or the text has it in a comment.
bool is_stated(const io::ExportedCommand& made, const io::ImportedText& read, std::string_view name) {
  const std::string field{name};
  const auto names = [&](const Issue& issue) { return issue.field == field; };
  const auto has = [&](const std::string& text, const std::string& before = "") { return text.find(before + field + (before.empty() ? "" : "=")) != std::string::npos; };
  return has(made.text, "# ") || has(made.text, "\"") || std::ranges::any_of(made.issues, names) || std::ranges::any_of(read.issues, names) ||
         std::ranges::any_of(read.assumed, [&](const std::string& text) { return has(text); }) || std::ranges::any_of(read.questions, [&](const io::OpenQuestion& question) { return question.field == field; });
}

/// The inputs that are others after both ways, and that nothing says; "" where all came back.
std::string lost(const std::string& query, std::string_view to, int& stated) {
  const io::Answer before = io::answer_query(test::catalog(), query);
  const io::ExportedCommand made = io::export_scenario(test::catalog(), before, to);
  INFO(query << " to " << to << "\n" << made.text);
  REQUIRE(made.ok);
  io::ImportAnswers answers;
  answers.gpus = before.estimate.gpus.value;
  const io::ImportText one{made.text, ""};
  const io::ImportedText read = io::import_texts(test::catalog(), {&one, 1}, answers);
  for (const Issue& issue : read.issues) UNSCOPED_INFO(issue.field << ": " << issue.message);
  REQUIRE(read.ok);
  CHECK(read.unread.empty());
  io::Request request = read.request;
  request.set("device", before.inputs.hardware.id);
  if (request.find("model") == nullptr) request.set("model", before.inputs.model.id); // files of launchers know none
  const io::Answer after = io::answer(test::catalog(), request);
  for (const Issue& issue : after.issues) UNSCOPED_INFO(issue.field << ": " << issue.message);
  REQUIRE(after.ok);
  std::string silent;
  bool differs = false;
  for (const io::FieldState& state : before.fields) {
    const Field& field = *state.field;
    if (!state.applies || state.idle || field.topic == Topic::model || field.topic == Topic::hardware || field.topic == Topic::cost || field.kind == FieldKind::text) continue;
    const std::string value = io::value_text(before, field), other = io::value_text(after, field);
    if (value == other) continue;
    differs = true;
    if (!is_stated(made, read, field.name)) silent += " " + std::string{field.name} + " " + value + " -> " + other;
  }
  stated += differs ? 1 : 0;
  return silent;
}

} // namespace

TEST_CASE("forty scenarios of each writer come back, or what did not is stated") {
  constexpr int kScenarios = 40, kTries = 400;
  for (const Writer& writer : writers())
    for (const char* const target : writer.targets) {
      std::mt19937 random{20'261'123};
      int done = 0, stated = 0;
      for (int i = 0; i < kTries && done < kScenarios; ++i) {
        std::string query = "task=" + writer.task + "&device=b200";
        for (const Choices& choices : writer.inputs) query += choices[random() % choices.size()];
        const io::Answer before = io::answer_query(test::catalog(), query);
        if (!before.ok || !io::export_scenario(test::catalog(), before, target).ok) continue; // degrees that do not divide a model, what a writer refuses
        ++done;
        INFO(query << " to " << target);
        const std::string silent = lost(query, target, stated);
        CHECK(silent == "");
      }
      std::printf("%-18s %d scenarios, %d with a stated difference\n", target, done, stated);
      CHECK(done == kScenarios);
    }
}
