// OpenRLHF/OpenRLHF, openrlhf/cli/train_sft.py, train_dpo.py, train_kto.py, train_rm.py and train_ppo_ray.py, and openrlhf/utils/deepspeed: options with
// sections as of August 2026, and those of 2023 to 2025, which had none.
#include "files/programs/learning_step.hpp"
#include "files/programs/reinforcement.hpp"
#include "files/training/adapters.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace plimsoll::io::programs {

namespace {

using configs::Document;
using configs::Effect;
using configs::RequestBuilder;

class Reader {
public:
  Reader(Document& document, RequestBuilder& draft) : document_(document), draft_(draft) {}

  void run() {
    draft_.set("profile", "openrlhf");
    if (const std::string model = text({"model.model_name_or_path", "actor.model_name_or_path", "pretrain"}); !model.empty()) draft_.name_model(model);
    else draft_.miss_model("The command");
    read_states();
    read_layers();
    if (is_reinforcement()) read_reinforcement();
    else read_supervised();
  }

private:
  using Keys = std::initializer_list<const char*>;

  /// The first of them that is there: an option has one name in each generation.
  const char* key(Keys keys) const {
    const auto at = std::ranges::find_if(keys, [&](const char* each) { return document_.has(each); });
    return at == keys.end() ? *keys.begin() : *at;
  }
  std::string text(Keys keys) { return document_.text(key(keys)); }
  bool is_on(Keys keys) { return document_.is_on(key(keys)); }
  std::optional<std::int64_t> whole(Keys keys) { return document_.whole(key(keys)); }

  bool is_reinforcement() const {
    return document_.has_section("rollout") || document_.has("rollout_batch_size") || document_.has("actor.model_name_or_path") || document_.has("n_samples_per_prompt") || document_.has("actor_num_gpus_per_node");
  }

  void read_states() {
    static constexpr std::array<std::string_view, 4> kStages{"none", "optimizer", "gradients", "parameters"};
    const Keys stages{"ds.zero_stage", "zero_stage"};
    const std::int64_t stage = whole(stages).value_or(2);
    if (stage > 3) document_.refuse(key(stages), "a stage from 0 to 3");
    else draft_.set("sharding", kStages[static_cast<std::size_t>(stage)]);
    draft_.set_above_one("secondary_group", whole({"ds.zpg", "zpg"}));
    const std::string dtype = text({"ds.param_dtype", "param_dtype"});
    const bool bf16 = document_.is_on("bf16") || dtype == "bf16";
    if (dtype == "fp16") draft_.set("precision", "master_fp16");
    else if (bf16) draft_.set("precision", "master_bf16");
    else draft_.set_assumed("precision", "master_bf16", "param_dtype is bf16 by itself in newer versions; older ones take --bf16");
    const Keys optimizers{"actor.optim", "optim"};
    if (const std::string optimizer = text(optimizers); optimizer == "muon") draft_.set("optimizer", "muon");
    else if (!optimizer.empty() && optimizer != "adam") document_.refuse(key(optimizers), "adam or muon");
    else draft_.set("optimizer", "adamw_fused");
    if (is_on({"ds.adam_offload", "adam_offload"})) draft_.set("offload", "optimizer");
    if (is_on({"ds.load_in_4bit", "load_in_4bit"})) draft_.set("weight_dtype", "nf4");
    const Keys ranks{"ds.lora.rank", "lora_rank"}, targets{"ds.lora.target_modules", "target_modules"}, dropouts{"ds.lora.dropout", "lora_dropout"};
    const auto rank = whole(ranks);
    if (!rank || *rank == 0) draft_.set("method", "full");
    else configs::read_lora(document_, draft_, {.rank = key(ranks), .targets = key(targets), .dropout = key(dropouts), .dora = {}, .usual_targets = "all_linear"});
  }

  void read_layers() {
    draft_.set("recompute", is_on({"model.gradient_checkpointing_enable", "actor.gradient_checkpointing_enable", "gradient_checkpointing"}) ? "full" : "none");
    const std::string attention = text({"ds.attn_implementation", "attn_implementation"});
    const bool packs = is_on({"ds.packing_samples", "packing_samples"}), former = !document_.has_section("ds");
    const bool flash = packs || document_.is_on("flash_attn") || attention.find("flash") != std::string::npos || (attention.empty() && !former);
    draft_.set("attention", flash ? "flash" : attention == "sdpa" ? "sdpa" : "eager");
    if (packs) draft_.set("batching", "packed");
    draft_.set_above_one("context_parallel", whole({"ds.ring_attn_size", "ring_attn_size"}));
    draft_.set_above_one("tensor_parallel", whole({"ds.tensor_parallel_size", "ds_tensor_parallel_size"}));
  }

  void read_supervised() {
    if (const auto batch = whole({"train.micro_batch_size", "micro_train_batch_size"})) draft_.set("batch", *batch);
    else draft_.set_assumed("batch", "8", "micro_train_batch_size is 8 by itself");
    read_length();
    draft_.miss_gpus();
    document_.take(key({"train.batch_size", "train_batch_size"}));
    draft_.assume("micro_batches: train_batch_size over what all GPUs take at once");
  }

  void read_length() {
    const auto prompt = document_.whole("prompt_max_len"), answer = document_.whole("generate_max_len");
    if (const auto length = whole({"data.max_len", "max_len"})) draft_.set("context_tokens", *length);
    else if (prompt || answer) draft_.set("context_tokens", (Count{prompt.value_or(1024)} + Count{answer.value_or(1024)}).value);
    else draft_.set_assumed("context_tokens", "2048", "max_len is 2048 by itself");
  }

  void read_reinforcement() {
    const std::string estimator = text({"algo.advantage.estimator", "advantage_estimator"}), reward = text({"reward.model_name_or_path", "reward_pretrain"});
    const auto penalty = document_.real(key({"algo.kl.init_coef", "init_kl_coef"}));
    const bool elsewhere = document_.has("reward.remote_url") || document_.has("remote_rm_url") || document_.has("train.agent_func_path") || document_.has("agent_func_path");
    Roles roles{.critic = estimator.empty() || estimator == "gae",
                .references = !penalty || *penalty > 0,
                .learned = !reward.empty() && !elsewhere,
                .offloads = document_.any_on({"ref.offload", "reward.offload", "ref_reward_offload"}),
                .critic_model = text({"critic.model_name_or_path", "critic_pretrain"}),
                .reward_model = reward};
    if (roles.critic_model.empty() && roles.learned) roles.critic_model = reward; // as the reward model, where none is named
    set_roles(draft_, roles);
    if (estimator.empty()) draft_.assume("preference = ppo: advantage.estimator is gae by itself");
    read_length();
    if (const auto answer = whole({"rollout.max_new_tokens", "generate_max_len"})) draft_.set("completion_tokens", *answer);
    draft_.set("group_size", whole({"rollout.n_samples_per_prompt", "n_samples_per_prompt"}).value_or(1));
    draft_.set("step_prompts", whole({"rollout.batch_size", "rollout_batch_size"}).value_or(1024));
    draft_.set_if("answer_epochs", whole({"train.max_epochs", "max_epochs"}));
    read_gpus(roles);
    read_batches();
  }

  /// Each role has GPUs of its own unless it is placed beside another; what is trained beside it, and the answers, is told for the actor's.
  void read_gpus(const Roles& roles) {
    const auto of = [&](Keys each, Keys nodes) { return Count{whole(each).value_or(8)} * Count{whole(nodes).value_or(1)}; };
    const Count actor = of({"actor.num_gpus_per_node", "actor_num_gpus_per_node"}, {"actor.num_nodes", "actor_num_nodes"});
    const bool together = is_on({"train.colocate_all", "colocate_all_models"}), pair = is_on({"train.colocate_actor_ref", "colocate_actor_ref"});
    if (!together && (roles.critic || roles.learned || (roles.references && !pair))) {
      draft_.refuse(key({"train.colocate_all", "colocate_all_models"}), "Some roles (reference, reward model or critic) have GPUs of their own, and an estimate places all of them on those of the actor.",
                    "Set colocate_all, or state the actor's training by hand: preference, kl_reference and data_parallel.");
    }
    if (draft_.gpus == 0) draft_.gpus = actor.value;
    draft_.take_gpus();
    const auto engines = whole({"vllm.num_engines", "vllm_num_engines"}), divided = whole({"vllm.tensor_parallel_size", "vllm_tensor_parallel_size"});
    const bool sleeps = is_on({"vllm.enable_sleep", "vllm_enable_sleep"}), none = !engines || *engines == 0;
    draft_.set("rollout_engine", none ? "shared" : !together ? "separate" : sleeps ? "sleeping" : "copy");
    if (none) return;
    if (together && is_on({"ds.enable_sleep", "deepspeed_enable_sleep"})) draft_.set("trainer_offload", "states"); // offload_deepspeed_states leaves the 16-bit weights
    draft_.set("rollout_tensor_parallel", divided.value_or(1));
    if (!together) draft_.set("rollout_gpus", (Count{*engines} * Count{divided.value_or(1)}).value);
    if (!draft_.set_permille("rollout_memory_permille", document_.real(key({"vllm.gpu_memory_utilization", "vllm_gpu_memory_utilization"}))))
      draft_.set_permille("rollout_memory_permille", 0.95); // by itself
    if (is_on({"train.async_enable", "async_train"}) && !together) draft_.set("rollout_ahead", "1");
  }

  void read_batches() {
    const auto number = [&](std::string_view field) { return configs::whole_number(draft_.text(field)); };
    const std::int64_t length = number("context_tokens").value_or(0), divided = number("context_parallel").value_or(1);
    const std::int64_t of_each = of_each_replica(draft_, whole({"train.batch_size", "train_batch_size"}).value_or(128));
    const auto scored = whole({"rollout.micro_batch_size", "micro_rollout_batch_size"}), batch = whole({"train.micro_batch_size", "micro_train_batch_size"});
    const Keys fills{"train.dynamic_batch_enable", "use_dynamic_batch"};
    if (is_on(fills)) {
      constexpr std::int64_t kUsualTokens = 16192;
      const std::int64_t tokens = whole({"train.max_tokens_per_gpu", "train_max_tokens_per_gpu"}).value_or(kUsualTokens);
      const std::int64_t scoring = whole({"rollout.max_tokens_per_gpu", "rollout_max_tokens_per_gpu"}).value_or(tokens);
      fill_batches(draft_, (Count{tokens} * Count{divided}).value, length, of_each, "max_tokens_per_gpu");
      if (length > 0) draft_.set("scoring_batch", filled_sequences((Count{scoring} * Count{divided}).value, length));
      return;
    }
    set_batches(draft_, batch.value_or(1), of_each);
    draft_.set("scoring_batch", scored.value_or(1));
  }

  Document& document_;
  RequestBuilder& draft_;
};

bool is_openrlhf(const Document& document) {
  return (document.has("pretrain") && (document.has("micro_train_batch_size") || document.has("zero_stage") || document.has("max_len"))) || document.has("actor.model_name_or_path") ||
         (document.has("model.model_name_or_path") && (document.has("ds.zero_stage") || document.has("data.max_len")));
}

void read(Document& document, RequestBuilder& draft) { Reader{document, draft}.run(); }

constexpr std::array kEffects{
    Effect{"train_batch_size train.batch_size", "sequences of one step on all GPUs: micro_batches.", true},
    Effect{"grad_accum_dtype ds.grad_accum_dtype", "the format in which gradients are summed: gradient_dtype."},
    Effect{"ref_pretrain ref_offload ref.model_name_or_path ref.offload", "the reference model: reference_model and offload_roles."},
    Effect{"aux_loss_coef model.aux_loss_coef actor.aux_loss_coef use_liger_kernel ds.use_liger_kernel deepcompile ds.deepcompile entropy_loss_coef actor.entropy_coef", "what the loss keeps."},
    Effect{"enable_ema train.enable_ema", "a second copy of the weights, on the host."},
    Effect{"ptx_coef pretrain_data", "a second loss over pre-training data.", false, configs::Weight::decides},
    Effect{"actor.freeze_visual_encoder", "which parts train: train."},
};

constexpr std::string_view kHarmless =
    "save_path save_steps logging_steps eval_steps ckpt_path max_ckpt_num max_ckpt_mem load_checkpoint max_norm seed local_rank disable_trace_cache gradient_checkpointing_use_reentrant "
    "disable_fast_tokenizer max_epochs learning_rate pretrain_mode lr_scheduler l2 adam_betas lora_alpha dataset dataset_probs train_split eval_split input_key output_key input_template "
    "apply_chat_template tokenizer_chat_template max_samples use_wandb wandb_* beta chosen_key rejected_key prompt_key label_key save_hf_ckpt eval_dataset nll_loss_coef use_tensorboard "
    "num_episodes eps_clip* value_clip lambd gamma normalize_reward top_p temperature full_determinism freezing_actor_steps save_value_network actor_learning_rate critic_learning_rate "
    "lr_warmup_ratio kl_target kl_horizon kl_estimator reward_clip_range use_kl_loss no_advantage_std_norm ring_head_stride remote_rm_url value_head_prefix agent_func_path prompt_data* "
    "prompt_split eval_temperature eval_n_samples_per_prompt perf use_ms vllm_sync_* enable_prefix_caching enforce_eager disable_ds_ckpt use_ds_universal_ckpt actor_init_on_gpu overlap_comm "
    "ref_num_* reward_num_* critic_num_* colocate_critic_reward ema_beta dynamic_filtering* overlong_* packing_samples "
    "ckpt.* logger.* eval.* data.* algo.* adam.* muon.* lr_warmup* min_lr_ratio actor.adam.* actor.muon.* actor.lr_* actor.min_lr_ratio actor.max_norm actor.eps_clip* actor.dual_clip "
    "actor.policy_loss_type actor.gradient_checkpointing_reentrant critic.* reward.* ref.num_* model.gradient_checkpointing_reentrant model.pretrain_mode_enable model.beta model.ipo_enable "
    "model.label_smoothing model.nll_loss_coef model.compute_fp32_loss_enable model.margin_loss_enable model.loss_type ds.lora.alpha ds.ring_attn_head_stride ds.overlap_comm "
    "ds.use_universal_ckpt ds.experts_implementation ds.value_head_prefix train.max_epochs train.num_episodes train.seed train.full_determinism_enable train.ema_beta train.async_queue_size "
    "train.partial_rollout_enable train.agent_func_path train.colocate_critic_reward rollout.temperature rollout.top_p rollout.vllm_generate_batch_size vllm.sync_* vllm.enable_prefix_caching "
    "vllm.enforce_eager";

} // namespace

const configs::Format& openrlhf() noexcept {
  static constexpr std::array kCommands{ // openrlhf/cli
    configs::Command{.program = "openrlhf.cli.train_sft", .method = "sft"},
    configs::Command{.program = "openrlhf.cli.train_dpo", .method = "dpo"},
    configs::Command{.program = "openrlhf.cli.train_kto", .method = "kto"},
    configs::Command{.program = "openrlhf.cli.train_rm", .method = "reward"},
    configs::Command{.program = "openrlhf.cli.train_ppo_ray"},
    configs::Command{.program = "openrlhf.cli.train_ppo"}
  };
  static const configs::Format kFormat{.id = "openrlhf",
                                       .name = "OpenRLHF",
                                       .source = "OpenRLHF/OpenRLHF, openrlhf/cli/train_sft.py",
                                       .syntax = configs::Syntax::arguments,
                                       .recognises = is_openrlhf,
                                       .read = read,
                                       .write = nullptr,
                                       .harmless = kHarmless,
                                       .effects = kEffects,
                                       .commands = kCommands};
  return kFormat;
}

} // namespace plimsoll::io::programs
