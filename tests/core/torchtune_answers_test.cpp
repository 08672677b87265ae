// torchtune's recipes that learn from answers of their own: pytorch/torchtune, recipes/configs/mistral/7B_full_ppo_low_memory.yaml and
// recipes/configs/dev/3B_full_grpo.yaml, in their order.
#include "imports.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>

using namespace plimsoll;
using test::field;
using test::import;

namespace {

const std::string kPpo = R"(# tune run ppo_full_finetune_single_device --config mistral/7B_full_ppo_low_memory
output_dir: data/torchtune/mistral_7B/full_ppo_low_memory
tokenizer:
  _component_: torchtune.models.mistral.mistral_tokenizer
  path: data/Mistral-7B-Instruct-v0.2/tokenizer.model
  max_seq_len: 512
dataset:
  _component_: torchtune.datasets.text_completion_dataset
  source: trl-internal-testing/sentiment-trl-style
policy_model:
  _component_: torchtune.models.mistral.mistral_7b
reward_and_value_model:
  _component_: torchtune.modules.classifier_model
  base_model_path: torchtune.models.mistral.mistral_7b
  num_classes: 1
  vocab_size: 32000
  num_layers: 32
  num_heads: 32
  num_kv_heads: 8
  attn_dropout: 0.0
  embed_dim: 4096
  intermediate_dim: 14336
  max_seq_len: 32768
  norm_eps: 1.0e-05
checkpointer:
  _component_: torchtune.training.FullModelHFCheckpointer
  checkpoint_dir: data/Mistral-7B-Instruct-v0.2/
ref_policy_checkpointer:
  _component_: torchtune.training.FullModelHFCheckpointer
  checkpoint_dir: data/Mistral-7B-Instruct-v0.2/
value_checkpointer:
  _component_: torchtune.training.FullModelHFCheckpointer
  checkpoint_dir: data/RM-Mistral-7B/
reward_checkpointer:
  _component_: torchtune.training.FullModelHFCheckpointer
  checkpoint_dir: data/RM-Mistral-7B/
resume_from_checkpoint: False
batch_size: 128
num_steps: 10000
ppo_epochs: 2
ppo_batch_size: 64
gradient_accumulation_steps: 4
compile: True
optimizer:
  _component_: bitsandbytes.optim.PagedAdamW
  lr: 3e-6
optimizer_in_bwd: False
enable_activation_checkpointing: True
enable_kv_cache: True
dtype: bf16
forward_batch_size: 32
max_generated_tokens: 58
temperature: 0.7
top_k: null
min_response_length: 18
penalise_no_eos: True
reward_penalty: -3
stop_token_ids: [2, 28723]
whiten_rewards: False
gamma: 1
lmbda: 0.95
loss:
  _component_: torchtune.rlhf.loss.PPOLoss
  epsilon: 0.2
  value_coeff: 0.1
  value_clip_range: 0.2
kl_coeff: 0.01
)";

const std::string kGrpo = R"(# tune run --nproc_per_node 4 dev/grpo_full_finetune_distributed --config dev/3B_full_grpo
name: grpo_llama3b
output_dir: data/checkpoints/${name}
base_model_path: data/llama3B_gsm8k_sft_part0/epoch_0
tokenizer:
  _component_: torchtune.models.llama3.llama3_tokenizer
  path: data/Llama-3.2-3B/original/tokenizer.model
  max_seq_len: 256
dataset:
  _component_: torchtune.dev.grpo.gsm8k.gsm8k_dataset
  partition: 1-9/10
model:
  _component_: torchtune.models.llama3_2.llama3_2_3b
checkpointer:
  _component_: torchtune.training.FullModelHFCheckpointer
  checkpoint_dir: ${base_model_path}
ref_checkpointer:
  _component_: torchtune.training.FullModelHFCheckpointer
  checkpoint_dir: ${base_model_path}
  recipe_checkpoint: null
resume_from_checkpoint: False
save_every_n_epochs: 1
batch_size: 2
grpo_samples: 16
forward_batch_size: 1
max_generated_tokens: 512
top_k: null
temperature: 1.0
ppo_epochs: 1
num_steps: 200
clip_grad_norm: 1.0
epochs: 10
optimizer:
  _component_: torch.optim.AdamW
  lr: 1e-5
  fused: True
loss:
  _component_: torchtune.dev.grpo.loss.GRPOSimpleLoss
  kl_coeff: 0.01
  epsilon: 0.2
device: cuda
enable_activation_checkpointing: True
compile: False
dtype: bf16
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) { return text.replace(text.find(what), what.size(), by); }

bool says(const io::ImportedText& made, Severity severity, std::string_view part) {
  return std::ranges::any_of(made.issues, [&](const Issue& issue) { return issue.severity == severity && issue.message.find(part) != std::string::npos; });
}

} // namespace

TEST_CASE("torchtune's PPO: policy and critic train on one device, beside a reference and a reward model") {
  const io::ImportedText made = import(kPpo);
  CHECK(made.ok);
  for (const auto& [name, text] : {std::pair{"model", "mistral-7b-v0.1"}, std::pair{"task", "finetune"}, std::pair{"method", "full"}, std::pair{"preference", "ppo"}, std::pair{"profile", "torchtune"},
                                   std::pair{"precision", "bf16"}, std::pair{"optimizer", "paged_adamw"}, std::pair{"recompute", "full"}, std::pair{"rollout_engine", "shared"},
                                   std::pair{"rollout_prompts", "32"}, std::pair{"scoring_batch", "32"}, std::pair{"step_prompts", "128"}, std::pair{"answer_epochs", "2"}, std::pair{"batch", "16"},
                                   std::pair{"micro_batches", "4"}, std::pair{"context_tokens", "570"}, std::pair{"completion_tokens", "58"}, std::pair{"data_parallel", "1"}}) {
    INFO(name);
    CHECK(field(made, name) == text);
  }
  CHECK(field(made, "reward_model").empty()); // the policy's model
  CHECK(field(made, "critic_model").empty());
  CHECK(made.unread.empty());
  CHECK(made.issues.empty());
}

TEST_CASE("torchtune's PPO: what the other models are, and what is not followed") {
  const io::ImportedText wider = import(replaced(kPpo, "vocab_size: 32000", "vocab_size: 32001")); // as it is published: a token to pad with
  CHECK(wider.ok);
  CHECK(says(wider, Severity::warning, "reward_and_value_model.vocab_size"));
  const io::ImportedText llama = import(replaced(replaced(kPpo, "torchtune.modules.classifier_model", "torchtune.models.llama2.llama2_reward_7b"), "  base_model_path: torchtune.models.mistral.mistral_7b\n", ""));
  CHECK(field(llama, "reward_model") == "llama-2-7b");
  CHECK(field(llama, "critic_model") == "llama-2-7b");
  CHECK_FALSE(import(replaced(kPpo, "base_model_path: torchtune.models.mistral.mistral_7b", "base_model_path: my.models.tiny")).ok);
  CHECK_FALSE(import(replaced(kPpo, "ppo_batch_size: 64", "ppo_batch_size: 63")).ok);
  CHECK(says(import(replaced(kPpo, "enable_kv_cache: True", "enable_kv_cache: False")), Severity::warning, "enable_kv_cache"));
}

TEST_CASE("torchtune's GRPO: groups of answers in one pass, a policy that stays gathered, and a reference") {
  const io::ImportedText made = import(kGrpo);
  CHECK(made.ok);
  for (const auto& [name, text] : {std::pair{"model", "llama-3.2-3b"}, std::pair{"preference", "grpo"}, std::pair{"kl_reference", "true"}, std::pair{"group_size", "16"}, std::pair{"batch", "32"},
                                   std::pair{"rollout_prompts", "1"}, std::pair{"scoring_batch", "16"}, std::pair{"context_tokens", "768"}, std::pair{"completion_tokens", "512"},
                                   std::pair{"sharding", "parameters"}, std::pair{"reshard_after_forward", "false"}, std::pair{"optimizer", "adamw_fused"}, std::pair{"rollout_engine", "shared"}}) {
    INFO(name);
    CHECK(field(made, name) == text);
  }
  CHECK(made.unread.empty());
  CHECK(std::ranges::any_of(made.questions, [](const io::OpenQuestion& each) { return each.field == "gpus"; })); // the launcher says it
  const io::ImportedText open = import(replaced(kGrpo, "max_seq_len: 256", "max_seq_len: null"));
  CHECK(field(open, "context_tokens").empty());
  CHECK(says(open, Severity::note, "sequences are as long as the data"));
  CHECK(says(import(kGrpo + "orchestration:\n  num_inference_workers: 4\n"), Severity::error, "asynchronous"));
}
