// verl and OpenRLHF: reinforcement learning and supervised tuning by their command lines.
#include "imports.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace plimsoll;
using test::field;
using test::import;

namespace {

bool refuses(const io::ImportedText& imported, std::string_view key) {
  return std::ranges::any_of(imported.issues, [&](const Issue& issue) { return issue.severity == Severity::error && issue.field == key; });
}

const std::string kVerl = "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.model.path=Qwen/Qwen3-8B actor_rollout_ref.rollout.name=vllm trainer.n_gpus_per_node=8 ";

} // namespace

TEST_CASE("verl and OpenRLHF by command lines of 2025") {
  const io::ImportedText verl = import("PYTHONUNBUFFERED=1 python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.max_prompt_length=512 data.max_response_length=1024 "
                                       "actor_rollout_ref.model.path=Qwen/Qwen3-8B actor_rollout_ref.actor.ppo_mini_batch_size=256 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=32 "
                                       "actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.n=5 trainer.n_gpus_per_node=8 trainer.nnodes=1 $@");
  CHECK(field(verl, "model") == "qwen3-8b");
  CHECK(field(verl, "preference") == "grpo");
  CHECK(field(verl, "kl_reference") == "true");
  CHECK(field(verl, "context_tokens") == "1536");
  CHECK(field(verl, "group_size") == "5");
  CHECK(field(verl, "data_parallel") == "8");
  CHECK(field(verl, "micro_batches") == "5"); // 256 x 5 answers of 8 GPUs, 32 at once
  CHECK(field(verl, "recompute") == "full");
  CHECK(field(verl, "profile") == "verl");
  const io::ImportedText second = import("python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.model.path=Qwen/Qwen3-8B actor_rollout_ref.actor.strategy=fsdp2 data.train_batch_size=1024 "
                                         "actor_rollout_ref.actor.ppo_epochs=2 actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.tensor_model_parallel_size=2 actor_rollout_ref.rollout.gpu_memory_utilization=0.6 "
                                         "trainer.n_gpus_per_node=8");
  CHECK(field(second, "profile") == "verl_fsdp2");
  CHECK(field(second, "step_prompts") == "1024");
  CHECK(field(second, "answer_epochs") == "2");
  CHECK(field(second, "rollout_tensor_parallel") == "2");
  CHECK(field(second, "rollout_memory_permille") == "600");
  const io::ImportedText open = import("deepspeed --num_gpus 8 --module openrlhf.cli.train_dpo --pretrain Qwen/Qwen3-8B --micro_train_batch_size 1 --max_len 8192 --zero_stage 3 --bf16 --gradient_checkpointing --flash_attn");
  CHECK(field(open, "preference") == "dpo");
  CHECK(field(open, "profile") == "openrlhf");
  CHECK(field(open, "sharding") == "parameters");
  CHECK(field(open, "data_parallel") == "8");
  CHECK(field(open, "context_tokens") == "8192");
}

TEST_CASE("verl fills micro-batches up to a number of tokens: as few as hold all, alike among them") {
  const std::string filled = kVerl + "data.max_prompt_length=2048 data.max_response_length=8192 actor_rollout_ref.actor.use_dynamic_bsz=True actor_rollout_ref.actor.ppo_mini_batch_size=32 actor_rollout_ref.rollout.n=16 trainer.nnodes=8 ";
  const io::ImportedText made = import(filled + "actor_rollout_ref.actor.ppo_max_token_len_per_gpu=20480 actor_rollout_ref.rollout.log_prob_max_token_len_per_gpu=30720 actor_rollout_ref.actor.ulysses_sequence_parallel_size=4");
  CHECK(field(made, "data_parallel") == "16");
  CHECK(field(made, "batch") == "8"); // 32 x 16 answers on 16 replicas; 4 x 20,480 tokens hold 8 of 10,240
  CHECK(field(made, "micro_batches") == "4");
  CHECK(field(made, "scoring_batch") == "12");
  const io::ImportedText uneven = import(filled + "actor_rollout_ref.actor.ppo_max_token_len_per_gpu=24576 actor_rollout_ref.actor.fsdp_config.fsdp_size=8");
  CHECK(field(uneven, "shard_group") == "8");
  CHECK(field(uneven, "micro_batches") == "4"); // 8 answers of 10,240 tokens need 3.3 micro-batches
  CHECK(field(uneven, "batch") == "2");
  CHECK(field(import(filled + "actor_rollout_ref.actor.fsdp_config.model_dtype=bfloat16"), "precision") == "bf16");
  CHECK(field(import(kVerl + "data.max_prompt_length=0 data.max_response_length=0 actor_rollout_ref.actor.use_dynamic_bsz=True actor_rollout_ref.rollout.log_prob_max_token_len_per_gpu=8"), "scoring_batch") == "1");
}

TEST_CASE("verl's Megatron engine is told by its file or strategy, and divides as Megatron does") {
  const std::string degrees = "actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2 actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=2 actor_rollout_ref.actor.megatron.expert_model_parallel_size=4 "
                              "+actor_rollout_ref.actor.megatron.override_transformer_config.recompute_granularity=full +actor_rollout_ref.actor.megatron.override_transformer_config.recompute_method=uniform "
                              "+actor_rollout_ref.actor.megatron.override_transformer_config.recompute_num_layers=1 +actor_rollout_ref.actor.megatron.override_transformer_config.moe_permute_fusion=True ";
  for (const char* told : {"--config-path=config --config-name='ppo_megatron_trainer.yaml'", "actor_rollout_ref.actor.strategy=megatron"}) {
    const io::ImportedText made = import(kVerl + degrees + told);
    CHECK(made.ok);
    CHECK(field(made, "profile") == "verl_megatron");
    CHECK(field(made, "sharding") == "optimizer");
    CHECK(field(made, "precision") == "master_bf16");
    CHECK(field(made, "tensor_parallel") == "2");
    CHECK(field(made, "sequence_parallel") == "true");
    CHECK(field(made, "data_parallel") == "2");
    CHECK(field(made, "recompute") == "full");
    CHECK(made.unread.empty());
  }
  CHECK(refuses(import(kVerl + "actor_rollout_ref.actor.strategy=veomni"), "actor_rollout_ref.actor.strategy"));
}

TEST_CASE("what waits on the host while answers are generated") {
  const std::string fsdp = "actor_rollout_ref.actor.fsdp_config.", megatron = "actor_rollout_ref.actor.strategy=megatron actor_rollout_ref.actor.megatron.";
  CHECK(field(import(kVerl + fsdp + "param_offload=True " + fsdp + "optimizer_offload=True"), "trainer_offload") == "all");
  CHECK(field(import(kVerl + fsdp + "optimizer_offload=True"), "trainer_offload") == "states");
  CHECK(field(import(kVerl + fsdp + "param_offload=False"), "trainer_offload").empty());
  CHECK(field(import(kVerl + megatron + "param_offload=True actor_rollout_ref.actor.megatron.optimizer_offload=True"), "trainer_offload") == "all");
}

TEST_CASE("verl's engine on nodes of its own: one step ahead, or by the share that may be stale") {
  const std::string apart = kVerl + "actor_rollout_ref.hybrid_engine=False actor_rollout_ref.actor.fsdp_config.strategy=fsdp2 trainer.nnodes=2 trainer.n_gpus_per_node=8 rollout.nnodes=4 rollout.n_gpus_per_node=8 ";
  const io::ImportedText one = import(apart);
  CHECK(one.ok);
  CHECK(field(one, "profile") == "verl_fsdp2");
  CHECK(field(one, "rollout_engine") == "separate");
  CHECK(field(one, "rollout_gpus") == "32");
  CHECK(field(one, "rollout_ahead") == "1");
  CHECK(field(one, "policy_logprobs").empty());
  const std::string stream = "data.train_batch_size=0 actor_rollout_ref.actor.ppo_mini_batch_size=32 async_training.staleness_threshold=0.5 async_training.trigger_parameter_sync_step=4 async_training.require_batches=4 async_training.partial_rollout=True";
  const io::ImportedText streams = import(apart + stream);
  CHECK(streams.ok);
  CHECK(field(streams, "rollout_ahead") == "0.5");
  CHECK(field(streams, "step_prompts") == "512"); // 4 x 4 x 32 between two versions of the weights
  CHECK(field(streams, "policy_logprobs") == "false");
  CHECK(streams.unread.empty());
  CHECK(field(import(apart + stream + " algorithm.rollout_correction.bypass_mode=False"), "policy_logprobs").empty());
  CHECK(refuses(import(apart + stream + " async_training.use_dynamic_resource_scheduling=True"), "async_training.use_dynamic_resource_scheduling"));
}

TEST_CASE("verl's supervised tuning, of both generations") {
  const io::ImportedText former = import("torchrun --standalone --nnodes=1 --nproc_per_node=4 -m verl.trainer.fsdp_sft_trainer data.train_files=a.parquet data.max_length=4096 data.micro_batch_size_per_gpu=2 "
                                         "model.partial_pretrain=Qwen/Qwen3-8B model.lora_rank=32 model.target_modules=all-linear use_remove_padding=true");
  CHECK(former.ok);
  CHECK(field(former, "profile") == "verl_fsdp2");
  CHECK(field(former, "preference") == "none");
  CHECK(field(former, "method") == "lora");
  CHECK(field(former, "rank") == "32");
  CHECK(field(former, "batch") == "2");
  CHECK(field(former, "context_tokens") == "4096");
  CHECK(field(former, "data_parallel") == "4");
  CHECK(field(former, "batching") == "padding_free");
  const io::ImportedText engine = import("torchrun --nproc_per_node=8 -m verl.trainer.sft_trainer model.path=Qwen/Qwen3-8B data.max_length=4096 data.max_token_len_per_gpu=8192 engine=megatron "
                                         "engine.tensor_model_parallel_size=4 optim.lr=1e-5");
  CHECK(engine.ok);
  CHECK(field(engine, "profile") == "verl_megatron");
  CHECK(field(engine, "tensor_parallel") == "4");
  CHECK(field(engine, "data_parallel") == "2");
  CHECK(field(engine, "batch") == "2");
}

TEST_CASE("OpenRLHF's options have sections since 2026; roles share the actor's GPUs, or it is refused") {
  const std::string ppo = "python3 -m openrlhf.cli.train_ppo_ray --actor.num_nodes 1 --actor.num_gpus_per_node 8 --ref.num_gpus_per_node 8 --vllm.num_engines 4 --vllm.tensor_parallel_size 2 "
                          "--vllm.gpu_memory_utilization 0.6 --actor.model_name_or_path meta-llama/Meta-Llama-3-8B --ds.zero_stage 3 --ds.param_dtype bf16 --data.max_len 2048 --train.batch_size 128 "
                          "--rollout.batch_size 128 --rollout.n_samples_per_prompt 8 --actor.gradient_checkpointing_enable --ds.packing_samples --vllm.enable_sleep ";
  const std::string group = "--algo.advantage.estimator group_norm --reward.remote_url reward.py ";
  const io::ImportedText made = import(ppo + group + "--train.colocate_all --ds.enable_sleep --train.micro_batch_size 8");
  CHECK(made.ok);
  CHECK(field(made, "preference") == "grpo");
  CHECK(field(made, "learned_reward") == "false");
  CHECK(field(made, "kl_reference") == "true");
  CHECK(field(made, "sharding") == "parameters");
  CHECK(field(made, "rollout_engine") == "sleeping");
  CHECK(field(made, "trainer_offload") == "states");
  CHECK(field(made, "rollout_memory_permille") == "600");
  CHECK(field(made, "batch") == "8");
  CHECK(field(made, "micro_batches") == "2");
  CHECK(field(made, "data_parallel") == "8");
  const io::ImportedText filled = import(ppo + group + "--train.colocate_all --train.dynamic_batch_enable --train.max_tokens_per_gpu 16384");
  CHECK(field(filled, "batch") == "8");
  CHECK(field(filled, "scoring_batch") == "8");
  CHECK(refuses(import(ppo + "--reward.model_name_or_path meta-llama/Meta-Llama-3-8B"), "train.colocate_all"));
  const io::ImportedText apart = import(ppo + group + "--train.colocate_actor_ref --train.async_enable");
  CHECK(field(apart, "rollout_engine") == "separate");
  CHECK(field(apart, "rollout_gpus") == "8");
  CHECK(field(apart, "rollout_ahead") == "1");
  const io::ImportedText former = import("python3 -m openrlhf.cli.train_ppo_ray --pretrain meta-llama/Meta-Llama-3-8B --reward_pretrain meta-llama/Meta-Llama-3-8B --actor_num_gpus_per_node 8 --colocate_all_models "
                                         "--vllm_num_engines 8 --vllm_enable_sleep --prompt_max_len 1024 --generate_max_len 1024 --micro_train_batch_size 2 --train_batch_size 128 --zero_stage 3 --bf16");
  CHECK(former.ok);
  CHECK(field(former, "preference") == "ppo");
  CHECK(field(former, "learned_reward") == "true");
  CHECK(field(former, "context_tokens") == "2048");
  CHECK(field(former, "completion_tokens") == "1024");
  CHECK(field(former, "rollout_memory_permille") == "950");
}

TEST_CASE("a here-document's lines go on behind a backslash: OpenRLHF's scripts keep their command in a variable") {
  const io::ImportedText made = import("read -r -d '' training_commands <<EOF\nopenrlhf.cli.train_sft \\\n   --data.max_len 2048 \\\n   --train.micro_batch_size 4 \\\n   --model.model_name_or_path Qwen/Qwen3-8B \\\n"
                                       "   --ds.zero_stage 2 \\\n   --ds.lora.rank 64\nEOF\nif [[ ${1} != \"slurm\" ]]; then\n    deepspeed --module $training_commands\nfi\n");
  CHECK(made.ok);
  CHECK(field(made, "model") == "qwen3-8b");
  CHECK(field(made, "sharding") == "gradients");
  CHECK(field(made, "rank") == "64");
  CHECK(field(made, "batch") == "4");
}

TEST_CASE("verl: Ray places workers, whatever srun starts; a date in a name is asked by nobody") {
  const std::string run = "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.model.path=Qwen/Qwen3-8B data.train_batch_size=64 data.max_prompt_length=512 data.max_response_length=512 "
                          "actor_rollout_ref.actor.ppo_mini_batch_size=64 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=1 actor_rollout_ref.actor.ulysses_sequence_parallel_size=4 trainer.nnodes=1 trainer.experiment_name=$EXP trainer.n_gpus_per_node=";
  const io::ImportedText made = import("#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --gpus-per-node=8\nNOW=$(date +%Y%m%d)\nexport EXP=run-${NOW}\nsrun --nodes=1 --ntasks=1 -w \"$head\" " + run + "$SLURM_GPUS_PER_NODE\n");
  CHECK(made.ok);
  CHECK(field(made, "data_parallel") == "2");
  CHECK(field(made, "context_parallel") == "4");
  CHECK(made.questions.size() == 1); // the device
  CHECK(import("N=$(nvidia-smi -L | wc -l)\n" + run + "$N\n").questions.size() == 2);
}

// NVIDIA-NeMo/RL, examples/run_grpo.py and examples/configs/grpo_math_1B.yaml.
TEST_CASE("NeMo RL's programs change the file that they start with, whose base is asked for") {
  const std::string command = "uv run examples/run_grpo.py --config conf/mine.yaml policy.model_name=Qwen/Qwen3-8B cluster.num_nodes=2 ++grpo.num_generations_per_prompt=8";
  const std::string base = "policy:\n  model_name: Qwen/Qwen2.5-1.5B\n  train_global_batch_size: 64\n  train_micro_batch_size: 4\n  max_total_sequence_length: 1024\n  draft:\n    enabled: false\n    loss_weight: 0.1\n"
                           "  generation:\n    backend: vllm\ngrpo:\n  num_prompts_per_step: 32\n  num_generations_per_prompt: 16\nloss_fn:\n  reference_policy_kl_penalty: 0.01\ncluster:\n  gpus_per_node: 8\n  num_nodes: 1\n";
  const std::vector<io::ImportText> one{{command, "run.sh"}, {base, "mine.yaml"}};
  const io::ImportedText made = io::import_texts(test::catalog(), one, {});
  CHECK(made.ok);
  CHECK(field(made, "model") == "qwen3-8b");
  CHECK(field(made, "data_parallel") == "16");
  CHECK(field(made, "group_size") == "8");
  const auto asks = [](const io::ImportedText& imported, std::string_view name) { return std::ranges::find(imported.questions, name, &io::OpenQuestion::field) != imported.questions.end(); };
  CHECK(asks(import(command), "conf/mine.yaml"));
  const std::vector<io::ImportText> recipe{{"uv run examples/run_grpo.py --config conf/mine.yaml", "run.sh"}, {"defaults: ../base.yaml\ncluster:\n  num_nodes: 4\ngrpo:\n  num_prompts_per_step: 64\n", "mine.yaml"}};
  CHECK(asks(io::import_texts(test::catalog(), recipe, {}), "../base.yaml"));
  const std::string other = "defaults: ../../nemo_gym/grpo_nanov3.yaml\npolicy:\n  model_name: Qwen/Qwen3-8B\n  train_global_batch_size: 16\ncluster:\n  num_nodes: 2\ngrpo:\n  num_prompts_per_step: 2\n";
  CHECK(asks(import(other), "../../nemo_gym/grpo_nanov3.yaml")); // which engine trains stands there
  CHECK(!asks(import("defaults: ../../grpo_math_1B.yaml" + other.substr(other.find('\n'))), "../../grpo_math_1B.yaml"));
}
