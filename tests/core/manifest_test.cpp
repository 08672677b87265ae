// A scenario becomes a manifest of each format, and this the same scenario again, or what is different stands in it.
#include "plimsoll/files/import.hpp"
#include "plimsoll/files/manifest.hpp"
#include "plimsoll/files/training_config.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace plimsoll;

namespace {

io::ExportedCommand written(const std::string& query, std::string_view to) { return io::export_scenario(test::catalog(), io::answer_query(test::catalog(), query), to); }

io::ImportedText imported(const std::string& text, std::int64_t gpus = 0) {
  io::ImportAnswers answers;
  answers.gpus = gpus;
  const io::ImportText one{text, ""};
  return io::import_texts(test::catalog(), {&one, 1}, answers);
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// Every input of the task that does not come back stands in a comment.
void check_round_trip(const std::string& query, std::string_view to) {
  INFO(query << " " << to);
  const io::Answer before = io::answer_query(test::catalog(), query);
  REQUIRE(before.ok);
  const io::ExportedCommand made = io::export_manifest(test::catalog(), before, to);
  for (const Issue& issue : made.issues) UNSCOPED_INFO(issue.field + ": " + issue.message + " " + issue.remedy);
  REQUIRE(made.ok);
  INFO(made.text);
  const io::ImportedText read = imported(made.text, before.estimate.gpus.value);
  for (const Issue& issue : read.issues) UNSCOPED_INFO(issue.field + ": " + issue.message + " " + issue.remedy);
  REQUIRE(read.ok);
  CHECK(read.unread.empty());
  io::Request request = read.request;
  request.set("device", before.inputs.hardware.id);
  const io::Answer after = io::answer(test::catalog(), request);
  REQUIRE(after.ok);
  CHECK(after.inputs.facts.values == before.inputs.facts.values); // whatever it is called: Megatron-LM describes it
  for (const io::FieldState& state : before.fields) {
    const Field& field = *state.field;
    if (!state.applies || state.idle || field.topic == Topic::model || field.topic == Topic::hardware || field.topic == Topic::cost || field.kind == FieldKind::text) continue;
    const std::string value = io::value_text(before, field), other = io::value_text(after, field);
    INFO(field.name << "=" << value << " was read as " << other);
    CHECK((value == other || has(made.text, "# " + std::string{field.name} + "=")));
  }
}

const std::vector<std::string> kServed{"kubernetes", "leaderworkerset", "kserve", "llm_d", "dynamo", "ray_serve", "compose", "slurm", "skypilot", "dstack"};

} // namespace

TEST_CASE("a served scenario comes back from every manifest") {
  const std::string query = "model=qwen3-32b&task=inference&device=h100-80-sxm&profile=vllm&tensor_parallel=4&context_tokens=32768&memory_permille=850&kv_dtype=fp8&max_sequences=64&batch=8&draft_tokens=3&drafter=ngram";
  for (const std::string& to : kServed) {
    check_round_trip(query, to);
    const io::ImportedText read = imported(written(query, to).text);
    CHECK(*read.request.find("tensor_parallel") == "4");
    CHECK(*read.request.find("context_tokens") == "32768");
    CHECK(*read.request.find("memory_permille") == "850");
  }
}

TEST_CASE("other engines, and formats that start one alone") {
  const std::string query = "model=llama-3-8b&task=inference&device=h100-80-sxm&context_tokens=8192";
  for (const std::string_view engine : {"sglang", "tensorrt_llm", "llama_cpp"})
    for (const std::string_view to : {"kubernetes", "compose", "slurm", "skypilot", "dstack", "kserve", "llm_d"})
      check_round_trip(query + "&profile=" + std::string{engine} + (engine == "llama_cpp" ? "&weight_dtype=q4_k_m" : ""), to);
  check_round_trip(query + "&profile=sglang&tensor_parallel=2", "dynamo");
  check_round_trip("model=llama-3-8b&task=inference&device=rtx4090&profile=ollama&weight_dtype=q4_k_m&context_tokens=8192", "modelfile");
}

TEST_CASE("several nodes") {
  const std::string query = "model=llama-3.1-405b&task=inference&device=h100-80-sxm&tensor_parallel=8&pipeline_parallel=2&context_tokens=8192";
  for (const std::string_view to : {"leaderworkerset", "slurm", "skypilot", "ray_serve"}) check_round_trip(query + "&profile=vllm", to);
  for (const std::string_view to : {"leaderworkerset", "slurm", "skypilot"}) check_round_trip(query + "&profile=sglang", to);
  const std::string set = written(query + "&profile=vllm", "leaderworkerset").text;
  CHECK(has(set, "size: 2"));
  CHECK(has(set, "nvidia.com/gpu: \"8\""));
}

TEST_CASE("a training job is launched where jobs are") {
  const std::string query = "model=llama-3-8b&task=finetune&device=h100-80-sxm&data_parallel=16&sharding=parameters&batch=2&context_tokens=4096";
  for (const std::string_view profile : {"torchtitan", "fsdp2", "megatron"})
    for (const std::string_view to : {"slurm", "skypilot"}) check_round_trip(query + "&profile=" + std::string{profile} + (profile == "megatron" ? "&sharding=optimizer" : ""), to);
  check_round_trip("model=llama-3-8b&task=finetune&device=h100-80-sxm&data_parallel=8&sharding=parameters&profile=torchtitan&context_tokens=4096", "dstack");
}

TEST_CASE("what cannot be launched so is refused with a remedy") {
  const auto refused = [](const std::string& query, std::string_view to) {
    const io::ExportedCommand made = written(query, to);
    CHECK(!made.ok);
    CHECK(made.text.empty());
    REQUIRE(has_errors(made.issues));
    const auto error = std::ranges::find(made.issues, Severity::error, &Issue::severity);
    CHECK(!error->remedy.empty());
    return error->field;
  };
  const std::string served = "model=llama-3-8b&task=inference&device=h100-80-sxm&profile=vllm";
  CHECK(refused(served + "&tensor_parallel=8&data_parallel=2", "kubernetes") == "to");
  CHECK(refused(served, "kubernetes:excel") == "to");
  CHECK(refused(served, "dynamo:llama_cpp") == "to");
  CHECK(refused(served, "nomad") == "to");
  CHECK(refused("model=llama-3-8b&task=finetune&device=h100-80-sxm&profile=torchtitan", "kubernetes") == "task");
  CHECK(refused("model=llama-3-8b&task=finetune&device=h100-80-sxm&profile=litgpt", "slurm") == "profile");
  CHECK(refused("model=lama&task=inference", "kubernetes") == "model");
}

TEST_CASE("a profile that names no engine is served by vLLM, which is said") {
  const io::ExportedCommand made = written("model=llama-3-8b&task=inference&device=rtx4090", "kubernetes");
  REQUIRE(made.ok);
  CHECK(std::ranges::any_of(made.issues, [](const Issue& issue) { return issue.field == "profile" && issue.severity == Severity::note; }));
  CHECK(has(made.text, "# profile="));
}

TEST_CASE("what does not fit is written with its verdict") {
  const io::ExportedCommand made = written("model=llama-3-70b&task=inference&device=rtx4090&profile=vllm", "compose");
  CHECK(made.ok);
  CHECK(has(made.text, "# Does not start."));
}
