// ms-swift's commands and files: what swift/cli/main.py, swift/arguments and swift/megatron/arguments of modelscope/ms-swift take by themselves.
#include "imports.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>

using namespace plimsoll;
using test::field;
using test::import;

namespace {

bool is_refused(const io::ImportedText& imported, std::string_view name) {
  return !imported.ok && std::ranges::any_of(imported.issues, [&](const Issue& issue) { return issue.severity == Severity::error && issue.field == name; });
}

bool is_asked(const io::ImportedText& imported, std::string_view name) { return std::ranges::find(imported.questions, name, &io::OpenQuestion::field) != imported.questions.end(); }

const std::string kSft = "swift sft --model Qwen/Qwen2.5-7B-Instruct --dataset a b --max_length 2048 ";

} // namespace

TEST_CASE("swift sft: adapters on what runs again, sixteen sequences of a step, processes by the environment") {
  const io::ImportedText one = import("CUDA_VISIBLE_DEVICES=0 " + kSft);
  CHECK(one.ok);
  CHECK(one.format == "ms_swift");
  CHECK(field(one, "profile") == "ms_swift");
  CHECK(field(one, "method") == "lora");
  CHECK(field(one, "rank") == "8");
  CHECK(field(one, "targets") == "all_linear");
  CHECK(field(one, "adapter_dropout") == "true");
  CHECK(field(one, "recompute") == "full");
  CHECK(field(one, "precision") == "bf16");
  CHECK(field(one, "batch") == "1");
  CHECK(field(one, "micro_batches") == "16");
  CHECK(field(one, "data_parallel") == "1");
  const io::ImportedText four = import("NPROC_PER_NODE=2 \\\nNNODES=2 \\\n" + kSft + "--tuner_type full --per_device_train_batch_size 2 --deepspeed zero2");
  CHECK(field(four, "data_parallel") == "4");
  CHECK(field(four, "micro_batches") == "2");
  CHECK(field(four, "sharding") == "gradients");
  CHECK(field(four, "reduce_bucket_size") == "200000000"); // swift/config/zero2.json
  CHECK(field(four, "precision") == "master_bf16");
  CHECK(is_asked(import("NNODES=2 " + kSft), "gpus"));
  CHECK(is_refused(import("CUDA_VISIBLE_DEVICES=0,1 " + kSft), "device_map")); // one process spreads the layers
  CHECK(import("CUDA_VISIBLE_DEVICES=0,1 NPROC_PER_NODE=2 " + kSft).ok);
}

TEST_CASE("ms-swift: sharding, quantised weights, formats and kernels") {
  CHECK(field(import("NPROC_PER_NODE=8 " + kSft + "--fsdp fsdp2 --tuner_type full"), "profile") == "fsdp2");
  CHECK(field(import("NPROC_PER_NODE=8 " + kSft + "--deepspeed zero3_offload"), "offload") == "parameters");
  CHECK(is_refused(import("NPROC_PER_NODE=8 " + kSft + "--deepspeed zero1_offload"), "deepspeed"));
  CHECK(field(import(kSft + "--quant_method bnb --quant_bits 4"), "weight_dtype") == "nf4_double_quant");
  CHECK(field(import(kSft + "--quant_method bnb --quant_bits 8"), "weight_dtype") == "int8_bnb");
  CHECK(is_refused(import(kSft + "--quant_method hqq --quant_bits 4"), "quant_method"));
  CHECK(field(import(kSft + "--attn_impl eager"), "attention") == "eager");
  CHECK(field(import(kSft + "--packing true --packing_length 4096"), "context_tokens") == "4096");
  CHECK(field(import(kSft + "--optimizer muon"), "optimizer") == "muon");
  CHECK(field(import("NPROC_PER_NODE=8 " + kSft + "--sequence_parallel_size 4"), "data_parallel") == "2");
  CHECK(is_refused(import(kSft + "--task_type seq_cls"), "task_type"));
  CHECK(is_refused(import(kSft + "--tuner_type longlora"), "tuner_type"));
  const std::string oss = "swift sft --model openai/gpt-oss-20b --dataset a --max_length 2048"; // transformers trains nothing beside MXFP4
  CHECK(field(import(oss), "weight_dtype") == "bf16");
}

TEST_CASE("swift rlhf: the method by its name, pairs that share a packed row, answers beside a prompt") {
  const std::string rlhf = "swift rlhf --model Qwen/Qwen2.5-7B-Instruct --dataset a --max_length 8192 ";
  CHECK(field(import(rlhf), "preference") == "dpo"); // by itself
  CHECK(field(import(rlhf + "--rlhf_type cpo"), "preference") == "simpo");
  CHECK(field(import(rlhf + "--rlhf_type dpo --packing true"), "context_tokens") == "4096");
  CHECK(field(import(rlhf + "--rlhf_type kto --packing true"), "context_tokens") == "8192");
  const io::ImportedText grpo = import(rlhf + "--rlhf_type grpo --use_vllm true --vllm_mode colocate --sleep_level 1 --vllm_gpu_memory_utilization 0.4 --offload_model true --beta 0");
  CHECK(field(grpo, "context_tokens") == "8704"); // a prompt, and max_completion_length = 512
  CHECK(field(grpo, "rollout_engine") == "sleeping");
  CHECK(field(grpo, "rollout_memory_permille") == "400");
  CHECK(field(grpo, "trainer_offload") == "all");
  CHECK(field(grpo, "kl_reference") == "false");
  CHECK(field(grpo, "group_size") == "8");
  CHECK(field(import(rlhf + "--rlhf_type ppo --reward_model Qwen/Qwen2.5-1.5B --response_length 1024"), "context_tokens") == "9216");
  CHECK(is_refused(import(rlhf + "--rlhf_type grpo --teacher_model Qwen/Qwen2.5-32B"), "teacher_model"));
}

TEST_CASE("megatron sft: Megatron Core's arguments by ms-swift's defaults") {
  const std::string sft = "NPROC_PER_NODE=8 megatron sft --model Qwen/Qwen3-30B-A3B --dataset a --max_length 4096 --tensor_model_parallel_size 2 --expert_model_parallel_size 4 --sequence_parallel true --micro_batch_size 2 ";
  const io::ImportedText made = import(sft);
  CHECK(made.ok);
  CHECK(field(made, "profile") == "megatron");
  CHECK(field(made, "task") == "finetune");
  CHECK(field(made, "method") == "full");
  CHECK(field(made, "precision") == "master_bf16");
  CHECK(field(made, "data_parallel") == "4");
  CHECK(field(made, "sharding") == "optimizer");
  CHECK(field(made, "expert_tensor_parallel") == "1");
  CHECK(field(made, "loss") == "megatron_fused");
  CHECK(field(made, "attention") == "flash");
  CHECK(field(made, "batching") == "padding_free");
  CHECK(field(made, "micro_batches") == "2"); // global_batch_size is 16 by itself
  CHECK(field(import(sft + "--tuner_type lora --lora_rank 16"), "rank") == "16");
  CHECK(field(import(sft + "--use_distributed_optimizer false"), "sharding").empty());
}

TEST_CASE("a file of ms-swift says how many processes it starts, and serving is the engine's line") {
  const std::string yaml = "model: Qwen/Qwen2.5-7B\ntuner_type: lora\ndataset: [a]\nmax_length: 2048\nENV:\n  NPROC_PER_NODE: 4\n";
  CHECK(import(yaml).format == "ms_swift");
  CHECK(field(import(yaml), "data_parallel") == "4");
  const io::ImportedText deploy = import("swift deploy --model Qwen/Qwen2.5-7B-Instruct --infer_backend vllm --vllm_tensor_parallel_size 2 --vllm_max_model_len 8192 --vllm_enforce_eager true");
  CHECK(field(deploy, "task") == "inference");
  CHECK(field(deploy, "tensor_parallel") == "2");
  CHECK(field(deploy, "context_tokens") == "8192");
  CHECK(!import("swift infer --model Qwen/Qwen2.5-7B-Instruct --infer_backend transformers").ok);
  CHECK(!import("swift export --model Qwen/Qwen2.5-7B-Instruct --quant_method awq --quant_bits 4").ok);
}

// A file that transformers' fsdp_config, or ms-swift's fsdp, names.
TEST_CASE("FSDP's settings in a file of their own are asked for, and read where they are given") {
  const std::string command = "NPROC_PER_NODE=8 " + kSft + "--tuner_type full --fsdp conf/fsdp.json";
  CHECK(is_asked(import(command), "conf/fsdp.json"));
  const std::string file = R"({"fsdp": "full_shard auto_wrap offload", "fsdp_config": {"fsdp_version": 2, "reshard_after_forward": false}})";
  const std::vector<io::ImportText> texts{{command, "run.sh"}, {file, "fsdp.json"}};
  const io::ImportedText made = io::import_texts(test::catalog(), texts, {});
  CHECK(made.ok);
  CHECK(field(made, "offload") == "parameters");
  CHECK(field(made, "reshard_after_forward") == "false");
  CHECK(is_asked(import("accelerate launch run_clm.py --model_name_or_path Qwen/Qwen2.5-7B --per_device_train_batch_size 1 --bf16 true --fsdp full_shard --fsdp_config my.json"), "my.json"));
}
