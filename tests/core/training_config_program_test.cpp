// What programs take by themselves, and what their files look like: facts of their sources, each with its repository and path.
#include "plimsoll/files/training_config.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <string_view>

using namespace plimsoll;

namespace {

io::TrainingConfig read(std::string_view text) { return io::read_training_config(test::catalog(), text); }

/// The input of that name, "" where there is none.
std::string field(std::string_view text, std::string_view name) {
  const io::TrainingConfig config = read(text);
  const std::string* found = config.request.find(name);
  return found != nullptr ? *found : "";
}

bool assumes(const io::TrainingConfig& config, std::string_view part) {
  return std::ranges::any_of(config.assumed, [&](const std::string& sentence) { return sentence.find(part) != std::string::npos; });
}

} // namespace

// huggingface/accelerate, src/accelerate/accelerator.py (prepare_model) and utils/fsdp_utils.py (fsdp2_prepare_model): under mixed precision
// weights that train are raised to fp32; axolotl-ai-cloud/axolotl, src/axolotl/monkeypatch/accelerate/fsdp2.py: its own leaves them.
TEST_CASE("FSDP raises weights that train") {
  const std::string axolotl = "base_model: meta-llama/Meta-Llama-3-8B\nbf16: auto\nfsdp_config:\n  fsdp_offload_params: false\n";
  CHECK(field(axolotl, "precision") == "sharded_bf16");
  CHECK(field(axolotl + "fsdp_version: 2\n", "precision") == "bf16");
  CHECK(field(axolotl + "adapter: lora\nlora_r: 8\n", "precision") == "bf16"); // the base does not train
  const std::string trl = "model_name_or_path: Qwen/Qwen2.5-1.5B\ndtype: bfloat16\nmax_length: 512\n";
  CHECK(field(trl, "precision") == "bf16");
  CHECK(field(trl + "accelerate_config: fsdp2\n", "precision") == "sharded_bf16");
  CHECK(field(trl + "accelerate_config: zero3\n", "precision") == "master_bf16");
  CHECK(field(trl + "accelerate_config: zero3\n", "sharding") == "parameters");
  CHECK(field(trl + "num_processes: 8\n", "data_parallel") == "8");
}

// huggingface/transformers, pull request 45640: version 2 by itself; src/transformers/training_args.py, _process_fsdp_args.
TEST_CASE("transformers shards with FSDP2 where nothing of FSDP1 is said") {
  const auto profile = [](const std::string& section) { return field("{\"output_dir\": \"o\", \"bf16\": true, \"fsdp\": \"full_shard auto_wrap\"" + section + "}", "profile"); };
  CHECK(profile("") == "fsdp2");
  CHECK(profile(", \"fsdp_config\": {\"backward_prefetch\": \"backward_pre\"}") == "fsdp1");
  CHECK(profile(", \"fsdp_config\": {\"version\": 1}") == "fsdp1");
  CHECK(field(R"({"output_dir": "o", "bf16": true, "fsdp": "hybrid_shard"})", "profile") == "fsdp1");
}

// huggingface/trl, trl/trainer/model_config.py (lora_dropout = 0.05), sft_config.py (loss_type: chunked_nll from 1.7 on).
TEST_CASE("what TRL takes by itself") {
  const std::string lora = "model_name_or_path: Qwen/Qwen2.5-1.5B\nuse_peft: true\nlora_r: 8\nlora_target_modules: [q_proj, v_proj]\n";
  CHECK(field(lora, "adapter_dropout") == "true");
  CHECK(field(lora + "lora_dropout: 0.0\n", "adapter_dropout").empty());
  CHECK(assumes(read(lora), "chunked_nll"));
  const std::string grpo = "model_name_or_path: Qwen/Qwen2.5-1.5B\nnum_generations: 8\n"; // trl/trainer/grpo_config.py: max_completion_length = 256
  CHECK(field(grpo, "context_tokens") == "768");
  CHECK(field(grpo + "max_length: 4096\nmax_completion_length: 2048\n", "context_tokens") == "2560"); // it has no max_length
  CHECK(field(grpo + "max_completion_length: 2048\n", "completion_tokens") == "2048");
  CHECK(field(lora + "loss_type: chunked_nll\n", "loss") == "linear_chunked");
  CHECK(field(lora + "activation_offloading: true\n", "recompute") == "offloaded");
}

// hiyouga/LLaMA-Factory, src/llamafactory/model/model_utils/liger_kernel.py, hparams/finetuning_args.py (OFT), hparams/training_args.py (fp8).
TEST_CASE("what LLaMA-Factory takes by itself") {
  const std::string head = "model_name_or_path: meta-llama/Meta-Llama-3-8B-Instruct\nbf16: true\nenable_liger_kernel: true\nfinetuning_type: ";
  CHECK(field(head + "full\nstage: sft\n", "loss") == "liger_fused_linear");
  CHECK(field(head + "full\nstage: dpo\n", "loss") == "liger");
  CHECK(field(head + "oft\n", "method") == "oft");
  CHECK(field(head + "oft\n", "adapter_block_size") == "32");
  CHECK(field(head + "full\nfp8: true\nfp8_enable_fsdp_float8_all_gather: true\n", "fp8") == "gathered");
}

// huggingface/accelerate, src/accelerate/commands/config/config_args.py (ClusterConfig), utils/dataclasses.py (DeepSpeedPlugin: zero_stage = 2).
TEST_CASE("what Accelerate takes by itself, and refuses") {
  CHECK(field("distributed_type: NO\nmixed_precision: no\nnum_processes: 1\n", "precision") == "fp32"); // truths in YAML
  CHECK(read("distributed_type: NO\nmixed_precision: no\nnum_processes: 1\n").unread.empty());
  CHECK(field("distributed_type: DEEPSPEED\nnum_processes: 8\nmixed_precision: bf16\ndeepspeed_config:\n  zero3_init_flag: false\n", "sharding") == "gradients");
  CHECK(field("distributed_type: MULTI_GPU\nnum_processes: 8\ndynamo_config:\n  dynamo_backend: INDUCTOR\n", "norms") == "compiled");
  CHECK(field("distributed_type: MULTI_XPU\nnum_processes: 4\nmixed_precision: bf16\n", "data_parallel") == "4");
  CHECK(field("distributed_type: FSDP\nnum_processes: 8\nparallelism_config:\n  parallelism_config_sp_size: 4\n", "context_method") == "ulysses");
  const io::Answer answer = io::answer_query(test::catalog(), "task=finetune&model=llama-3-8b&profile=fsdp2&sharding=parameters&data_parallel=8&precision=sharded_bf16&micro_batches=4");
  const io::ExportedCommand exported = io::export_training_config(test::catalog(), answer, "accelerate");
  CHECK(exported.text.find("gradient_accumulation_steps:") == std::string::npos); // a key that Accelerate refuses
  CHECK(exported.text.find("# micro_batches=4: not said here") != std::string::npos);
}

// NVIDIA/Megatron-LM, megatron/training/arguments.py; examples/llama/train_llama3_8b_h100_fp8.sh has options in quotes, examples/mixtral
// variables with defaults, tests/functional_tests/test_cases arguments in YAML.
TEST_CASE("Megatron-LM's scripts") {
  const std::string shape = "--num-layers 32 --hidden-size 4096 --num-attention-heads 32 ";
  CHECK(field(shape + "--bf16 --grad-reduce-in-bf16", "gradient_dtype") == "half");
  const std::string aware = shape + "--bf16 --use-precision-aware-optimizer --exp-avg-dtype bf16 --exp-avg-sq-dtype bf16 ";
  CHECK(field(aware, "moment_dtype") == "half");
  CHECK(field(aware, "master_remainders") == "true");
  CHECK(field(aware + "--fp8-format hybrid --fp8-recipe blockwise", "master_remainders").empty()); // main weights are then Megatron's own
  CHECK(field(aware + "--main-grads-dtype bf16", "gradient_dtype") == "half");
  CHECK(field(shape + "--bf16 --use-megatron-fsdp --megatron-fsdp-main-grads-dtype bf16", "gradient_dtype") == "half");
  const std::string tokenizer = "#!/bin/bash\nTOKENIZER_MODEL=Qwen/Qwen3-0.6B\nMODEL_ARGS=\" " + shape + " --micro-batch-size 1 --tokenizer-type HuggingFaceTokenizer --make-vocab-size-divisible-by 1187\"\n";
  CHECK(field(tokenizer, "vocab_size") == "151936"); // of examples/post_training/modelopt/conf; export.sh and others hand it on
  CHECK(field(shape + "--group-query-attention", "kv_heads") == "1"); // --num-query-groups is 1 by itself
  const std::string script = "NODES=${SLURM_NNODES:-2}\nTP=${TP_SIZE:-\"4\"}\nMORE=\"--tensor-model-parallel-size $TP --bf16 \\\n  --micro-batch-size 1\"\nARGS=(\n  \"--fp8-format hybrid\"\n"
                             "  \"--vocab-size 128256\"\n  #   --moe-grouped-gemm\n)\nARGS+=(\"--fp8-param-gather\")\ntorchrun --nproc_per_node 8 --nnodes $NODES pretrain_gpt.py " + shape + "${ARGS[@]} $MORE\n";
  CHECK(field(script, "fp8") == "parameters");
  CHECK(field(script, "tensor_parallel") == "4");
  CHECK(field(script, "data_parallel") == "4");
  CHECK(field(script, "vocab_size") == "128512"); // a multiple of 128 times 4
  CHECK(field(script, "precision") == "master_bf16");
  CHECK(read(script).unread.empty());
  const io::TrainingConfig yaml = read("ENV_VARS:\n  X: 1\nMODEL_ARGS:\n  --num-layers: 32\n  --hidden-size: 4096\n  --num-attention-heads: 32\n  --bf16: true\n  --tensor_model_parallel_size: 2\nMETRICS:\n  - \"lm loss\"\n");
  CHECK(yaml.format == "megatron");
  CHECK(*yaml.request.find("tensor_parallel") == "2");
  CHECK(*yaml.request.find("layers") == "32");
}

// NVIDIA/NeMo, examples/nlp/language_modeling/conf/megatron_gpt_config.yaml; NVIDIA-NeMo/Megatron-Bridge, ConfigContainer as YAML.
TEST_CASE("NeMo's configurations as YAML") {
  const io::TrainingConfig config = read("trainer:\n  devices: 8\n  num_nodes: 1\n  precision: bf16\nmodel:\n  micro_batch_size: 2\n  global_batch_size: 64\n  tensor_model_parallel_size: 2\n"
                                         "  num_layers: 12\n  hidden_size: 768\n  num_attention_heads: 12\n  encoder_seq_length: 512\n  kv_channels: null\n");
  CHECK(config.format == "nemo");
  CHECK(*config.request.find("data_parallel") == "4");
  CHECK(*config.request.find("micro_batches") == "8");
  CHECK(*config.request.find("head_dim") == "64");
}

// pytorch/torchtune, recipes/configs/llama3_1/8B_lora.yaml and llama3_2/8B_to_1B_KD_lora_distributed.yaml.
TEST_CASE("torchtune's recipes") {
  const std::string lora = "model:\n  _component_: torchtune.models.llama3_2.lora_llama3_2_1b\n  lora_attn_modules: ['q_proj', 'v_proj', 'output_proj']\n  apply_lora_to_mlp: True\n  lora_rank: 64\n";
  CHECK(field(lora, "targets") == "q,v,o,gate,up,down");
  const std::string distilled = lora + "teacher_model:\n  _component_: torchtune.models.llama3_1.llama3_1_8b\nkd_loss:\n  _component_: torchtune.modules.loss.ForwardKLWithChunkedOutputLoss\nkd_ratio: 0.5\n";
  CHECK(field(distilled, "preference") == "distillation");
  CHECK(field(distilled, "teacher_model") == "llama-3.1-8b");
  CHECK(read(distilled).unread.empty());
  // recipes/configs/generation.yaml, eleuther_evaluation.yaml, quantization.yaml
  const std::string other = "model:\n  _component_: torchtune.models.llama2.llama2_7b\ntokenizer:\n  _component_: torchtune.models.llama2.llama2_tokenizer\n  max_seq_len: null\ndtype: bf16\n";
  CHECK(read(other).ok);
  CHECK_FALSE(read(other + "prompt:\n  user: Tell me a joke.\nmax_new_tokens: 300\nenable_kv_cache: True\nquantizer: null\n").ok);
  CHECK_FALSE(read(other + "tasks: [truthfulqa_mc2]\nlimit: null\nbatch_size: 8\n").ok);
  const std::string rounds = "quantizer:\n  _component_: torchtune.training.quantization.Int8DynActInt4WeightQuantizer\n  groupsize: 256\n";
  CHECK_FALSE(read(other + rounds).ok);
  CHECK(read(other + rounds + "optimizer:\n  _component_: torch.optim.AdamW\n  fused: True\n").ok); // while it trains
}

// pytorch/torchtitan, torchtitan/models/llama3/infra/parallelize.py, apply_fsdp.
TEST_CASE("torchtitan keeps weights gathered in a pipeline") {
  const std::string file = "[model]\nname = \"llama3\"\nflavor = \"8B\"\n[training]\nlocal_batch_size = 4\n[parallelism]\npipeline_parallel_degree = 2\n";
  CHECK(field(file, "reshard_after_forward") == "false");
  CHECK(field(file + "fsdp_reshard_after_forward = \"always\"\n", "reshard_after_forward").empty());
  CHECK(field("[model]\nname = \"qwen3\"\nflavor = \"30B-A3B\"\n", "model") == "qwen3-30b-a3b");
}

// deepspeedai/DeepSpeed, deepspeed/runtime/zero/offload_config.py.
TEST_CASE("a part of DeepSpeed's states on the host is named") {
  const auto unread = [](const char* ratio) {
    return read("{\"zero_optimization\": {\"stage\": 3, \"offload_optimizer\": {\"device\": \"cpu\", \"ratio\": " + std::string{ratio} + "}}}").unread;
  };
  CHECK(unread("1.0").empty());
  CHECK(unread("0.5") == std::vector<std::string>{"zero_optimization.offload_optimizer.ratio"});
}

// deepspeedai/DeepSpeed, deepspeed/runtime/zero/config.py and offload_config.py.
TEST_CASE("DeepSpeed's bucket sizes and files on NVMe are inputs") {
  const auto zero = [](const std::string& keys) { return "{\"train_micro_batch_size_per_gpu\": 1, \"zero_optimization\": {" + keys + "}}"; };
  const std::string two = zero(R"("stage": 2, "reduce_bucket_size": 2e8, "overlap_comm": true)"), three = zero(R"("stage": 3, "stage3_prefetch_bucket_size": 0, "sub_group_size": 1e8, "overlap_comm": true)");
  CHECK(field(two, "reduce_bucket_size") == "200000000");
  CHECK(field(two, "overlap_comm") == "on");
  CHECK(field(three, "prefetch_bucket_size") == "1");
  CHECK(field(three, "sub_group_size") == "100000000");
  CHECK(field(three, "overlap_comm").empty()); // has no second bucket
  CHECK(read(two).unread.empty());
  CHECK(read(three).unread.empty());
  const std::string drives = zero(R"("stage": 3, "offload_optimizer": {"device": "nvme", "nvme_path": "/n"}, "offload_param": {"device": "cpu"})");
  CHECK(field(drives, "nvme") == "optimizer");
  CHECK(field(drives, "offload") == "parameters");
  CHECK(read(zero(R"("stage": 3, "offload_param": {"device": "nvme", "max_in_cpu": 5})")).unread == std::vector<std::string>{"zero_optimization.offload_param.max_in_cpu"});
}

// hiyouga/LLaMA-Factory, src/llamafactory/hparams/finetuning_args.py, FreezeArguments: two layers by themselves.
TEST_CASE("LLaMA-Factory's second schema freezes by a section of its own") {
  const std::string file = "model: Qwen/Qwen3-4B\ntrain_dataset: data.yaml\nmicro_batch_size: 1\ncutoff_len: 2048\npeft_config:\n  name: freeze\n";
  CHECK(field(file, "method") == "last_layers");
  CHECK(field(file, "trained_layers") == "2"); // FreezeParams
  CHECK(field(file + "  freeze_trainable_layers: 8\n  freeze_trainable_modules: all\n  freeze_extra_modules: null\n", "trained_layers") == "8");
  CHECK_FALSE(read(file + "  freeze_trainable_modules: self_attn\n").ok);
  CHECK_FALSE(read(file + "  freeze_extra_modules: embed_tokens\n").ok);
}

TEST_CASE("LLaMA-Factory's freeze trains the last layers") {
  const std::string file = "stage: sft\nmodel_name_or_path: meta-llama/Meta-Llama-3-8B\ntemplate: llama3\nfinetuning_type: freeze\nbf16: true\n";
  CHECK(field(file, "method") == "last_layers");
  CHECK(field(file, "trained_layers") == "2");
  CHECK(field(file + "freeze_trainable_layers: 8\n", "trained_layers") == "8");
  CHECK(field(file, "weight_dtype") == "bf16");
  CHECK(read(file + "freeze_trainable_layers: -2\n").unread == std::vector<std::string>{"freeze_trainable_layers"});
}

// NVIDIA/Megatron-LM, megatron/core/transformer/moe/moe_utils.py, get_capacity.
TEST_CASE("a capacity factor is the load of the busiest experts") {
  const std::string script = "torchrun pretrain_gpt.py --num-layers 4 --hidden-size 1024 --num-attention-heads 8 --seq-length 2048 --micro-batch-size 1 --global-batch-size 8 "
                             "--num-experts 8 --expert-model-parallel-size 8 --bf16 --moe-expert-capacity-factor 1.25";
  CHECK(field(script + " --moe-pad-expert-input-to-capacity", "expert_load") == "1.25");
  CHECK(assumes(read(script), "expert_load"));
}
