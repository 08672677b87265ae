// Words of other tools lead to ours. The tables are not public: they are asked through the answers that people get.
#include "plimsoll/method/fields.hpp"
#include "plimsoll/results/api.hpp"
#include "plimsoll/request/request.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <utility>

using namespace plimsoll;

namespace {

/// The remedy of the first issue of that field.
std::string remedy(const std::string& query, const std::string& field) {
  Issues issues;
  const io::Request request = io::request_from_query(query, issues);
  const io::Answer answer = io::answer(test::catalog(), request, std::move(issues));
  const auto found = std::ranges::find(answer.issues, field, &Issue::field);
  return found == answer.issues.end() ? "" : found->remedy;
}

/// The first word after "Did you mean ".
std::string first_suggestion(const std::string& remedy) {
  const std::string start = "Did you mean ";
  if (!remedy.starts_with(start)) return "";
  const std::string rest = remedy.substr(start.size());
  return rest.substr(0, rest.find_first_of(" ,?="));
}

} // namespace

TEST_CASE("another name of an input is that input") {
  struct Row { const char* typed; const char* ours; const char* value; };
  for (const Row& row : {Row{"max_model_len", "context_tokens", "4096"}, Row{"Seq_Len", "context_tokens", "4096"}, Row{"sequence-length", "context_tokens", "4096"},
                         Row{"tp", "tensor_parallel", "2"}, Row{"gpu", "device", "rtx4090"}, Row{"quantization", "weight_dtype", "q4_k_m"}, Row{"batch_size", "batch", "4"},
                         Row{"gpu_memory_utilization", "memory_fraction", "0.8"}, Row{"engine", "profile", "vllm"}, Row{"Tensor-Parallel", "tensor_parallel", "2"}}) {
    INFO(row.typed);
    Issues issues;
    const io::Answer answer = io::answer(test::catalog(), io::request_from_query("model=llama-3-8b&" + std::string{row.typed} + "=" + row.value, issues));
    CHECK(issues.empty());
    const io::FieldState* const state = answer.find_field(row.ours);
    REQUIRE(state != nullptr);
    CHECK(state->stated);
    CHECK(io::value_text(answer, *state->field) == row.value);
    CHECK(remedy("model=llama-3-8b&" + std::string{row.typed} + "=" + row.value, row.typed).empty()); // nothing to remedy
  }
}

TEST_CASE("an input under two names that differ is told") {
  Issues issues;
  const io::Answer answer = io::answer(test::catalog(), io::request_from_query("model=llama-3-8b&tp=2&tensor_parallel=4", issues));
  CHECK(io::value_text(answer, *find_field("tensor_parallel")) == "4");
  CHECK(std::ranges::any_of(answer.issues, [](const Issue& issue) { return issue.field == "tensor_parallel" && issue.severity == Severity::warning; }));
}

TEST_CASE("shares and prices have their natural unit, and their former names keep theirs") {
  const auto value = [](const std::string& query, std::string_view field) { return io::value_text(io::answer_query(test::catalog(), "model=llama-3-8b&profile=vllm&" + query), *find_field(field)); };
  for (const char* query : {"memory_fraction=0.95", "memory_fraction=.95", "memory_fraction=95%", "memory_permille=950", "gpu_memory_utilization=0.950"}) CHECK(value(query, "memory_fraction") == "0.95");
  for (const char* query : {"price_per_gpu_hour=2.5", "price_per_gpu_hour=$2.50", "price_per_gpu_hour=2500"}) CHECK(value(query, "price_per_gpu_hour") == "2.5");
  CHECK(value("price_per_gpu_hour=2", "price_per_gpu_hour") == "2");
  CHECK(value("acceptance_permille=700", "acceptance_rate") == "0.7");
  CHECK(value("discount=30%", "discount") == "0.3");
  CHECK(value("electricity_price=100", "electricity_price") == "0.1"); // as links of earlier versions write it
  CHECK(value("pue_permille=1100", "pue") == "1.1");
  for (const Field& field : fields()) {
    if (field.decimals == 0) continue;
    INFO(field.name);
    CHECK(find_field(field.former) == &field);
    const std::string training = applies(field, Task::pretrain) ? "task=pretrain&profile=megatron&" : "task=finetune&profile=megatron&";
    const std::string task = applies(field, Task::inference) ? "" : training; // where it has an effect
    for (const std::int64_t at : {field.min, field.max, (field.min + field.max) / 2}) CHECK(value(task + std::string{field.name} + "=" + text_of(field, at), field.name) == text_of(field, at));
  }
}

TEST_CASE("numbers as people write them") {
  const auto value = [](const std::string& query, std::string_view field) { return io::value_text(io::answer_query(test::catalog(), "model=llama-3.1-8b&" + query), *find_field(field)); };
  CHECK(value("context_tokens=128k", "context_tokens") == "131072");
  CHECK(value("context_tokens=8K", "context_tokens") == "8192");
  CHECK(value("context_tokens=32 k", "context_tokens") == "32768");
  CHECK(value("context_tokens=4,096", "context_tokens") == "4096");
  CHECK(value("context_tokens=0.5k", "context_tokens") == "512");
  CHECK(value("batch=2k", "batch") == "2000");
  CHECK(value("usable_bytes=80GB", "usable_bytes") == "80000000000");
  CHECK(value("usable_bytes=24 GiB", "usable_bytes") == "25769803776");
  CHECK(value("usable_bytes=24G", "usable_bytes") == "24000000000");
  CHECK(value("task=pretrain&train_tokens=1.5T", "train_tokens") == "1500000000000");
  CHECK(value("task=pretrain&train_tokens=15T", "train_tokens") == "15000000000000");
  CHECK(value("task=finetune&dataset_tokens=20B", "dataset_tokens") == "20000000000");
  CHECK(value("task=finetune&dataset_tokens=10M", "dataset_tokens") == "10000000");
  CHECK(value("task=finetune&workspace_kib=32MiB", "workspace_kib") == "32768");
  for (const char* bad : {"context_tokens=1.0001k", "context_tokens=8GB", "context_tokens=k", "context_tokens=1.2.3", "context_tokens=$5", "context_tokens=5%", "context_tokens=99999999999999T",
                          "usable_bytes=80XB", "memory_fraction=0.12345", "memory_fraction=95", "price_per_gpu_hour=two", "price_per_gpu_hour=-1"}) {
    INFO(bad);
    const std::string field{std::string_view{bad}.substr(0, std::string_view{bad}.find('='))};
    const io::Answer answer = io::answer_query(test::catalog(), std::string{"model=llama-3.1-8b&"} + bad);
    CHECK(std::ranges::any_of(answer.issues, [&](const Issue& issue) { return issue.field == field && issue.severity == Severity::error; }));
  }
}

TEST_CASE("a number of GPUs is divided as the work is, and says how") {
  const auto degrees = [](const std::string& query) {
    const io::Answer answer = io::answer_query(test::catalog(), "model=llama-3.3-70b&" + query);
    std::string text;
    for (const std::string_view name : {"tensor_parallel", "pipeline_parallel", "data_parallel"}) text += (text.empty() ? "" : " ") + io::value_text(answer, *find_field(name));
    return text;
  };
  CHECK(degrees("device=h100-80-sxm&gpus=8") == "8 1 1");
  CHECK(degrees("device=16xH100") == "8 2 1"); // tensors in a node, layers over nodes
  CHECK(degrees("device=h100-80-sxm&tp=4&gpus=8") == "4 1 2");
  CHECK(degrees("device=2x3090&profile=llama_cpp") == "1 2 1");
  CHECK(degrees("task=finetune&device=8xH100") == "1 1 8");
  CHECK(degrees("task=finetune&device=H100&tp=4&num_gpus=16") == "4 1 4");
  CHECK(degrees("device=h100-80-sxm&gpus=1") == "1 1 1");
  for (const char* bad : {"gpus=0", "gpus=x", "gpus=12&tp=8", "gpus=8&tp=2&dp=2", "device=8xH100&gpus=4", "device=h100-80-sxm&gpus=12"}) {
    INFO(bad);
    const io::Answer answer = io::answer_query(test::catalog(), std::string{"model=llama-3.3-70b&"} + bad);
    CHECK(std::ranges::any_of(answer.issues, [](const Issue& issue) { return issue.field == "gpus" && issue.severity == Severity::error; }));
  }
}

TEST_CASE("a name of another tool leads to the input") {
  struct Row { const char* typed; const char* ours; };
  for (const Row& row : {Row{"vram", "usable_bytes"}, Row{"nodes", "gpus_per_node"}}) {
    INFO(row.typed);
    const std::string suggested = first_suggestion(remedy(std::string{row.typed} + "=1", row.typed));
    CHECK(suggested == row.ours);
    CHECK(find_field(suggested) != nullptr);
  }
  CHECK(first_suggestion(remedy("contxt_tokens=1", "contxt_tokens")) == "context_tokens"); // a slip of the finger still finds its neighbour
}

TEST_CASE("a value of another tool is the choice that means the same, and says so") {
  struct Row { const char* query; const char* field; const char* ours; };
  for (const Row& row : {Row{"task=finetune&method=qlora", "method", "lora"}, Row{"task=finetune&tuning=QLoRA", "weight_dtype", "nf4"}, Row{"task=finetune&qlora=true", "weight_dtype", "nf4"},
                         Row{"task=finetune&lora=true", "method", "lora"}, Row{"task=finetune&lora=true&lora_rank=32", "rank", "32"}, Row{"task=finetune&lora=false", "method", "full"}, Row{"task=sft", "task", "finetune"},
                         Row{"task=finetune&optimizer=adamw", "optimizer", "adamw_fused"}, Row{"task=finetune&sharding=zero3", "sharding", "parameters"},
                         Row{"task=finetune&zero=2&dp=8", "sharding", "gradients"}, Row{"task=finetune&zero_stage=0", "sharding", "none"},
                         Row{"task=finetune&recompute=true", "recompute", "full"}, Row{"task=finetune&gradient_checkpointing=false", "recompute", "none"}}) {
    INFO(row.query);
    const io::Answer answer = io::answer_query(test::catalog(), "model=llama-3-8b&" + std::string{row.query});
    CHECK(io::value_text(answer, *find_field(row.field)) == row.ours);
    CHECK(std::ranges::none_of(answer.issues, [](const Issue& issue) { return issue.severity == Severity::error; }));
  }
  CHECK(first_suggestion(remedy("model=llama-3-8b&task=train", "task")) == "finetune"); // or pretrain: nobody chooses for the asker
}

TEST_CASE("a way of fine-tuning is a task to many, and tokens are the job's") {
  struct Row { const char* query; const char* field; const char* ours; };
  for (const Row& row : {Row{"task=qlora", "task", "finetune"}, Row{"task=QLoRA", "method", "lora"}, Row{"task=qlora", "weight_dtype", "nf4"}, Row{"task=lora", "method", "lora"},
                         Row{"task=grpo", "preference", "grpo"}, Row{"task=DPO", "task", "finetune"}, Row{"method=dora&task=dpo", "method", "dora"}, Row{"task=pretrain&tokens=15T", "train_tokens", "15000000000000"},
                         Row{"tokens=2M&task=sft", "dataset_tokens", "2000000"}, Row{"prompt_len=2000&output_len=300&rps=5", "request_rate", "5"},
                         Row{"prompt=2000&answer=300", "answer_tokens", "300"}, Row{"input_tokens=2000&output_tokens=300&max_concurrency=8", "concurrency", "8"}}) {
    INFO(row.query);
    const io::Answer answer = io::answer_query(test::catalog(), "model=llama-3-8b&" + std::string{row.query});
    CHECK(io::value_text(answer, *find_field(row.field)) == row.ours);
    CHECK(std::ranges::none_of(answer.issues, [](const Issue& issue) { return issue.severity == Severity::error; }));
  }
  CHECK(remedy("model=llama-3-8b&tokens=2M", "tokens").starts_with("Did you mean train_tokens of a pre-training")); // a server has no such input
}

TEST_CASE("programs are found by what people call them") {
  const auto profile = [](const std::string& query) { return io::value_text(io::answer_query(test::catalog(), "model=llama-3-8b&" + query), *find_field("profile")); };
  for (const char* name : {"llama.cpp", "llama_cpp", "LLaMA-cpp", "llama-server"}) CHECK(profile(std::string{"profile="} + name) == "llama_cpp");
  for (const char* name : {"trl", "TRL", "Axolotl", "LLaMA-Factory", "Hugging Face Trainer", "transformers"}) CHECK(profile(std::string{"task=finetune&profile="} + name) == "hf_trainer");
  CHECK(profile("task=finetune&profile=ms-swift") == "ms_swift");
  CHECK(profile("task=finetune&profile=mlx") == "mlx_lm");
  CHECK(profile("profile=MLX-LM") == "mlx_lm");
  CHECK(profile("profile=exllama") == "exllamav3");
  CHECK(profile("profile=transformers") == "transformers");
  CHECK(profile("engine=TRT-LLM") == "tensorrt_llm");
  CHECK(profile("task=pretrain&framework=Megatron-LM") == "megatron");
  CHECK(profile("task=finetune&profile=fsdp") == "fsdp2");
  const io::Answer serving = io::answer_query(test::catalog(), "model=llama-3-8b&profile=trl"); // it does not serve
  CHECK(std::ranges::any_of(serving.issues, [](const Issue& issue) { return issue.field == "profile" && issue.severity == Severity::error && issue.remedy.starts_with("Write autoawq"); }));
}
