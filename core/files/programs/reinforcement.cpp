// verl-project/verl, verl/trainer/config/ppo_trainer.yaml, which its overrides change, and verl/workers/fsdp_workers.py; OpenRLHF/OpenRLHF,
// openrlhf/cli/train_sft.py, train_dpo.py, train_kto.py, train_rm.py and openrlhf/utils/deepspeed. Defaults as of spring 2025.
#include "files/programs/reinforcement.hpp"

#include "files/training/models.hpp"

#include <array>
#include <string>

namespace plimsoll::io::programs {

namespace {

using configs::Document;
using configs::RequestBuilder;
using configs::Effect;

std::string model_text(const RequestBuilder& draft, const std::string& typed) {
  const NamedModel named = configs::model_of_config(draft.catalog, typed);
  return named.row != nullptr ? named.row->id : typed;
}

void read_lora(Document& document, RequestBuilder& draft, const char* key) {
  const auto rank = document.whole(key);
  if (!rank || *rank == 0) return draft.set("method", "full");
  draft.set("method", "lora");
  draft.set("rank", *rank);
  draft.set("targets", "all_linear");
}

// ---- verl

bool is_verl(const Document& document) { return document.has("actor_rollout_ref.model.path"); }

void read_roles(Document& document, RequestBuilder& draft) {
  const std::string estimator = document.text("algorithm.adv_estimator");
  const bool critic = estimator.empty() || estimator == "gae";
  draft.set("preference", critic ? "ppo" : "grpo");
  if (estimator.empty()) draft.assume("preference = ppo: algorithm.adv_estimator is gae by itself");
  const bool loss = document.is_on("actor_rollout_ref.actor.use_kl_loss"), reward = document.is_on("algorithm.use_kl_in_reward");
  draft.set("kl_reference", loss || reward ? "true" : "false");
  if (const std::string path = document.text("critic.model.path"); critic && !path.empty()) draft.set("critic_model", model_text(draft, path));
  const bool learned = document.is_on("reward_model.enable");
  draft.set("learned_reward", learned ? "true" : "false");
  if (const std::string path = document.text("reward_model.model.path"); learned && !path.empty()) draft.set("reward_model", model_text(draft, path));
  if (document.is_on("actor_rollout_ref.ref.fsdp_config.param_offload")) draft.set("offload_roles", "true");
}

void read_rollout(Document& document, RequestBuilder& draft) {
  const std::string engine = document.text("actor_rollout_ref.rollout.name");
  const bool stays = document.truth("actor_rollout_ref.rollout.free_cache_engine") == false;
  draft.set("rollout_engine", engine == "hf" ? "shared" : stays ? "copy" : "sleeping");
  if (engine != "hf") {
    draft.set_if("rollout_tensor_parallel", document.whole("actor_rollout_ref.rollout.tensor_model_parallel_size"));
    draft.set_permille("rollout_memory_permille", document.real("actor_rollout_ref.rollout.gpu_memory_utilization"));
  }
  draft.set_if("step_prompts", document.whole("data.train_batch_size"));
  draft.set_if("answer_epochs", document.whole("actor_rollout_ref.actor.ppo_epochs"));
  draft.set("group_size", document.whole("actor_rollout_ref.rollout.n").value_or(1));
  const std::int64_t prompt = document.whole("data.max_prompt_length").value_or(512), answer = document.whole("data.max_response_length").value_or(512);
  draft.set("context_tokens", (Count{prompt} + Count{answer}).value);
  draft.set("completion_tokens", answer);
}

void read_layout(Document& document, RequestBuilder& draft) {
  const std::int64_t each = document.whole("trainer.n_gpus_per_node").value_or(8), nodes = document.whole("trainer.nnodes").value_or(1);
  const std::int64_t divided = document.whole("actor_rollout_ref.actor.ulysses_sequence_parallel_size").value_or(1);
  if (!document.has("trainer.n_gpus_per_node")) draft.assume("data_parallel: trainer.n_gpus_per_node is 8 by itself");
  if (divided > 1) draft.set("context_parallel", divided);
  const std::int64_t replicas = configs::times((Count{each} * Count{nodes}).value, divided);
  if (replicas > 0) draft.set("data_parallel", replicas);
  if (document.is_on("actor_rollout_ref.actor.use_dynamic_bsz")) document.refuse("actor_rollout_ref.actor.use_dynamic_bsz", "False: how many sequences fit into ppo_max_token_len_per_gpu is not known");
  const auto batch = document.whole("actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu");
  if (!batch || *batch == 0) return;
  draft.set("batch", *batch);
  const std::int64_t sequences = (Count{document.whole("actor_rollout_ref.actor.ppo_mini_batch_size").value_or(256)} * Count{document.whole("actor_rollout_ref.rollout.n").value_or(1)}).value;
  const std::int64_t of_each = replicas > 0 ? configs::times(sequences, replicas) : 0, steps = of_each > 0 ? configs::times(of_each, *batch) : 0;
  if (steps > 0) draft.set("micro_batches", steps);
}

void read_verl(Document& document, RequestBuilder& draft) {
  const std::string strategy = document.text("actor_rollout_ref.actor.strategy");
  if (strategy == "megatron") document.refuse("actor_rollout_ref.actor.strategy", "fsdp or fsdp2");
  draft.set("profile", strategy == "fsdp2" ? "verl_fsdp2" : "verl");
  draft.set("sharding", "parameters");
  draft.set("precision", "sharded_bf16"); // the actor's weights are fp32, gathered in bf16
  draft.set_assumed("optimizer", "adamw_foreach", "torch.optim.AdamW without a choice");
  if (const std::string model = document.text("actor_rollout_ref.model.path"); !model.empty()) draft.name_model(model);
  read_lora(document, draft, "actor_rollout_ref.model.lora_rank");
  const bool again = document.truth("actor_rollout_ref.model.enable_gradient_checkpointing").value_or(true), offloads = document.is_on("actor_rollout_ref.model.enable_activation_offload");
  draft.set("recompute", !again ? "none" : offloads ? "offloaded" : "full");
  if (offloads && !again) draft.set("activation_offload", "kept");
  if (document.is_on("actor_rollout_ref.model.use_remove_padding")) draft.set("batching", "padding_free");
  if (document.is_on("actor_rollout_ref.model.use_liger")) draft.set("loss", "liger_fused_linear");
  read_roles(document, draft);
  read_rollout(document, draft);
  read_layout(document, draft);
}

constexpr std::array kVerlEffects{
    Effect{"actor_rollout_ref.actor.fsdp_config.param_offload actor_rollout_ref.actor.fsdp_config.optimizer_offload critic.model.fsdp_config.*",
           "weights and states are on the host while answers are generated; while they train they are on the GPU."},
    Effect{"actor_rollout_ref.rollout.max_num_batched_tokens actor_rollout_ref.rollout.max_num_seqs",
           "how much the engine that generates takes for itself.", true},
    Effect{"actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu critic.ppo_micro_batch_size_per_gpu", "sequences of one pass of the other roles: scoring_batch.", true},
    Effect{"actor_rollout_ref.actor.ppo_micro_batch_size critic.ppo_micro_batch_size", "sequences of all GPUs together, which newer versions no longer take.", true},
    Effect{"actor_rollout_ref.actor.use_torch_compile actor_rollout_ref.model.use_fused_loss actor_rollout_ref.actor.entropy_coeff", "what the loss keeps."},
};

// ---- OpenRLHF

bool is_openrlhf(const Document& document) { return document.has("pretrain") && (document.has("micro_train_batch_size") || document.has("zero_stage") || document.has("max_len")); }

void read_openrlhf(Document& document, RequestBuilder& draft) {
  static constexpr std::array<std::string_view, 4> kStages{"none", "optimizer", "gradients", "parameters"};
  draft.set("profile", "openrlhf");
  if (const std::string model = document.text("pretrain"); !model.empty()) draft.name_model(model);
  else draft.miss_model("The command");
  const std::int64_t stage = document.whole("zero_stage").value_or(2);
  if (stage > 3) document.refuse("zero_stage", "a stage from 0 to 3");
  else draft.set("sharding", kStages[static_cast<std::size_t>(stage)]);
  if (const auto group = document.whole("zpg")) draft.set_above_one("secondary_group", group);
  const bool stated = document.has("bf16") || document.has("param_dtype");
  const std::string dtype = document.text("param_dtype");
  if (document.is_on("bf16") || dtype == "bf16") draft.set("precision", "master_bf16");
  else if (dtype == "fp16") draft.set("precision", "master_fp16");
  else if (!stated) draft.set_assumed("precision", "master_bf16", "param_dtype is bf16 by itself in newer versions; older ones take --bf16");
  draft.set("optimizer", "adamw_fused");
  if (document.is_on("adam_offload")) draft.set("offload", "optimizer");
  if (const auto batch = document.whole("micro_train_batch_size")) draft.set("batch", *batch);
  else draft.set_assumed("batch", "8", "micro_train_batch_size is 8 by itself");
  if (const auto length = document.whole("max_len")) draft.set("context_tokens", *length);
  else draft.set_assumed("context_tokens", "2048", "max_len is 2048 by itself");
  draft.set("recompute", document.is_on("gradient_checkpointing") ? "full" : "none");
  draft.set("attention", document.is_on("flash_attn") || document.text("attn_implementation") == "flash_attention_2" ? "flash" : "eager");
  if (document.is_on("packing_samples")) draft.set("batching", "packed");
  draft.set_above_one("context_parallel", document.whole("ring_attn_size"));
  draft.set_above_one("tensor_parallel", document.whole("ds_tensor_parallel_size"));
  if (document.is_on("load_in_4bit")) draft.set("weight_dtype", "nf4");
  read_lora(document, draft, "lora_rank");
  draft.assume("micro_batches: train_batch_size over what all GPUs take at once");
}

constexpr std::array kOpenrlhfEffects{
    Effect{"train_batch_size", "sequences of one step on all GPUs: micro_batches.", true},
    Effect{"grad_accum_dtype", "the format in which gradients are summed: gradient_dtype."},
    Effect{"ref_pretrain ref_offload", "the reference model: reference_model and offload_roles."},
    Effect{"aux_loss_coef use_liger_kernel deepcompile", "what the loss keeps."},
    Effect{"target_modules lora_dropout", "which linear maps get adapters: targets."},
};

} // namespace

const configs::Format& verl() noexcept {
  static constexpr std::array kCommands{ // verl/trainer
    configs::Command{.program = "verl.trainer.main_ppo", .reads = configs::Reads::overrides}
  };
  static const configs::Format kFormat{.id = "verl",
                                       .name = "verl",
                                       .source = "verl-project/verl, verl/trainer/config/ppo_trainer.yaml",
                                       .syntax = configs::Syntax::overrides,
                                       .recognises = is_verl,
                                       .read = read_verl,
                                       .write = nullptr,
                                       .harmless = "data.train_files data.val_files data.prompt_key data.val_batch_size data.shuffle data.filter_overlong_prompts* data.truncation data.image_key "
                                                   "data.return_raw_chat data.reward_fn_key actor_rollout_ref.actor.optim.* actor_rollout_ref.actor.kl_loss_coef actor_rollout_ref.actor.kl_loss_type "
                                                   "actor_rollout_ref.actor.clip_ratio* actor_rollout_ref.actor.grad_clip actor_rollout_ref.actor.loss_agg_mode "
                                                   "actor_rollout_ref.rollout.temperature actor_rollout_ref.rollout.top_k actor_rollout_ref.rollout.top_p actor_rollout_ref.rollout.val_kwargs.* "
                                                   "actor_rollout_ref.rollout.mode actor_rollout_ref.rollout.ignore_eos actor_rollout_ref.rollout.load_format critic.optim.* critic.model.tokenizer_path "
                                                   "critic.model.use_remove_padding critic.model.enable_gradient_checkpointing reward_model.reward_manager custom_reward_function.* algorithm.* trainer.*",
                                       .effects = kVerlEffects,
                                       .commands = kCommands};
  return kFormat;
}

const configs::Format& openrlhf() noexcept {
  static constexpr std::array kCommands{ // openrlhf/cli
    configs::Command{.program = "openrlhf.cli.train_sft", .method = "sft"},
    configs::Command{.program = "openrlhf.cli.train_dpo", .method = "dpo"},
    configs::Command{.program = "openrlhf.cli.train_kto", .method = "kto"},
    configs::Command{.program = "openrlhf.cli.train_rm", .method = "reward"}
  };
  static const configs::Format kFormat{.id = "openrlhf",
                                       .name = "OpenRLHF",
                                       .source = "OpenRLHF/OpenRLHF, openrlhf/cli/train_sft.py",
                                       .syntax = configs::Syntax::arguments,
                                       .recognises = is_openrlhf,
                                       .read = read_openrlhf,
                                       .write = nullptr,
                                       .harmless = "save_path save_steps logging_steps eval_steps ckpt_path max_ckpt_num max_ckpt_mem load_checkpoint max_norm seed local_rank disable_trace_cache "
                                                   "gradient_checkpointing_use_reentrant disable_fast_tokenizer max_epochs learning_rate pretrain_mode lr_scheduler l2 adam_betas lora_alpha dataset "
                                                   "dataset_probs train_split eval_split input_key output_key input_template apply_chat_template tokenizer_chat_template max_samples use_wandb wandb_* "
                                                   "beta chosen_key rejected_key prompt_key label_key save_hf_ckpt eval_dataset nll_loss_coef use_tensorboard",
                                       .effects = kOpenrlhfEffects,
                                       .commands = kCommands};
  return kFormat;
}

} // namespace plimsoll::io::programs
