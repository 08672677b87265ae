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
  REQUIRE(read.request.find("device") != nullptr);
  CHECK(*read.request.find("device") == before.inputs.hardware.id);
  const io::Answer after = io::answer(test::catalog(), read.request);
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

TEST_CASE("an engine that a form cannot start is replaced by a note's leave") {
  const auto noted = [](const std::string& profile, std::string_view to) {
    const io::ExportedCommand made = written("model=llama-3-8b&task=inference&device=h100-80-sxm" + profile, to);
    REQUIRE(made.ok);
    return std::ranges::any_of(made.issues, [](const Issue& issue) { return issue.field == "profile" && issue.severity == Severity::note && has(issue.message, "vllm is written"); });
  };
  CHECK(noted("", "ray_serve"));
  CHECK(noted("&profile=sglang", "ray_serve"));
  CHECK(!noted("&profile=vllm", "ray_serve"));
  CHECK(!noted("&profile=sglang", "kubernetes"));
}

TEST_CASE("the device comes back, in the form's own words where it has any") {
  const std::string query = "model=llama-3-8b&task=inference&profile=vllm&context_tokens=8192&device=";
  for (const std::string_view device : {"rtx4090", "a100-40-sxm", "h100-80-pcie", "h200-141-sxm", "l40s", "mi300x", "gb200"})
    for (const std::string& to : kServed) {
      const std::string text = written(query + std::string{device}, to).text;
      INFO(text);
      const io::ImportedText read = imported(text);
      REQUIRE(read.request.find("device") != nullptr);
      CHECK(*read.request.find("device") == device);
    }
  CHECK(!has(written(query + "rtx4090", "skypilot").text, "# device="));
  CHECK(has(written(query + "h100-80-pcie", "skypilot").text, "# device=h100-80-pcie: H100 PCIe 80GB"));
  CHECK(has(written(query + "rtx4090&usable_bytes=20000000000", "compose").text, "# usable_bytes=20000000000: of the machines"));
}

TEST_CASE("GPUs that manifests of other people name") {
  const auto device_of = [](const std::string& text) {
    const io::ImportedText read = imported(text);
    INFO(text);
    CHECK(read.ok);
    const std::string* const device = read.request.find("device");
    return device == nullptr ? std::string{} : *device;
  };
  const auto pod = [](const std::string& more) {
    return "kind: Pod\nspec:\n" + more + "  containers:\n  - name: one\n    image: vllm/vllm-openai:v0.11.0\n    command: [vllm, serve, Qwen/Qwen3-8B]\n    args: [--max-model-len, \"8192\"]\n";
  };
  CHECK(device_of(pod("  nodeSelector:\n    nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3\n")) == "h100-80-sxm");
  CHECK(device_of(pod("  nodeSelector:\n    nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB\n")) == "a100-80-sxm");
  CHECK(device_of(pod("  nodeSelector:\n    nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB-MIG-1g.5gb\n")).empty()); // a slice is another device
  CHECK(device_of(pod("  nodeSelector:\n    cloud.google.com/gke-accelerator: nvidia-l4\n")) == "l4");
  CHECK(device_of(pod("  affinity:\n    nodeAffinity:\n      requiredDuringSchedulingIgnoredDuringExecution:\n        nodeSelectorTerms:\n        - matchExpressions:\n          - key: nvidia.com/gpu.product\n"
                      "            operator: In\n            values: [NVIDIA-L40S]\n")) == "l40s");
  const std::string run = "run: vllm serve Qwen/Qwen3-8B\n";
  CHECK(device_of("resources:\n  accelerators: L40S:1\n" + run) == "l40s");
  CHECK(device_of("resources:\n  accelerators: {A100-80GB: 8}\n" + run) == "a100-80-sxm");
  CHECK(device_of("type: service\ncommands: [vllm serve Qwen/Qwen3-8B]\nresources:\n  gpu: A100:80GB:2\n") == "a100-80-sxm");
  CHECK(device_of("type: service\ncommands: [vllm serve Qwen/Qwen3-8B]\nresources:\n  gpu: {name: A100, memory: 40GB, count: 1}\n") == "a100-40-sxm");
  CHECK(device_of("type: service\ncommands: [vllm serve Qwen/Qwen3-8B]\nresources:\n  gpu: 24GB..:1\n").empty());
  CHECK(device_of("applications:\n- args:\n    llm_configs:\n    - model_loading_config: {model_id: Qwen/Qwen3-8B}\n      accelerator_type: A100-40G\n") == "a100-40-sxm");
  CHECK(device_of("#!/bin/bash\n#SBATCH --gres=gpu:h100:8\nvllm serve Qwen/Qwen3-8B\n") == "h100-80-sxm");
  CHECK(device_of("#!/bin/bash\n#SBATCH --gpus-per-node=8\nvllm serve Qwen/Qwen3-8B\n").empty());
  // what is launched stands above a comment that contradicts it
  CHECK(device_of("# device=rtx4090: GeForce RTX 4090 24GB\nresources:\n  accelerators: L40S:1\n" + run) == "l40s");

  const io::ImportedText several = imported("resources:\n  accelerators: [L4:1, L40S:1]\n" + run);
  CHECK(several.request.find("device") == nullptr);
  const auto asked = std::ranges::find(several.questions, "device", &io::OpenQuestion::field);
  REQUIRE(asked != several.questions.end());
  CHECK(asked->choices == std::vector<std::string>{"l4", "l40s"});
}

TEST_CASE("what does not fit is written with its verdict") {
  const io::ExportedCommand made = written("model=llama-3-70b&task=inference&device=rtx4090&profile=vllm", "compose");
  CHECK(made.ok);
  CHECK(has(made.text, "# Does not start."));
}
