// verl-project/verl: verl/trainer/config/ppo_trainer.yaml and ppo_megatron_trainer.yaml, which its overrides change, with the files that they name
// (actor, engine, optim, rollout); verl/workers/fsdp_workers.py and megatron_workers.py; verl/trainer/config/sft_trainer.yaml and
// sft_trainer_engine.yaml. As of January 2026; what takes micro-batches of all GPUs together is of February 2025 or before, and sharded with FSDP1.
#include "files/programs/learning_step.hpp"
#include "files/programs/reinforcement.hpp"
#include "files/training/adapters.hpp"
#include "files/training/megatron_keys.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace plimsoll::io::programs {

namespace {

using configs::Document;
using configs::Effect;
using configs::RequestBuilder;

constexpr std::int64_t kUsualTokens = 16384; ///< ppo_max_token_len_per_gpu

std::int64_t degree(const RequestBuilder& draft, std::string_view field) { return configs::whole_number(draft.text(field)).value_or(1); }

/// Sequences of one pass on each replica: "…_per_gpu", or until February 2025 those of all replicas together, which the workers divide
/// (verl/workers/fsdp_workers.py: "//= self.device_mesh.size() // self.ulysses_sequence_parallel_size"; megatron_workers.py likewise).
std::optional<std::int64_t> of_one_pass(Document& document, RequestBuilder& draft, const std::string& key) {
  const auto each = document.whole(key + "_per_gpu"), all = document.whole(key);
  if ((each && *each > 0) || !all || *all == 0) return each;
  return std::max<std::int64_t>(*all / std::max<std::int64_t>(degree(draft, "data_parallel"), 1), 1);
}

void read_adapters(Document& document, RequestBuilder& draft, const std::string& rank, const std::string& targets) {
  const auto given = document.whole(rank);
  if (!given || *given == 0) {
    document.take(targets);
    return draft.set("method", "full");
  }
  configs::read_lora(document, draft, {.rank = rank, .targets = targets, .dropout = {}, .dora = {}, .usual_targets = "all_linear"});
}

/// FSDP's engine: verl/trainer/config/engine/fsdp.yaml. The weights are fp32 and gathered in bf16, unless they are bf16 themselves.
void read_fsdp(Document& document, RequestBuilder& draft, const std::string& strategy, const std::string& dtype) {
  draft.set("profile", strategy == "fsdp2" ? "verl_fsdp2" : "verl");
  draft.set("sharding", "parameters");
  const std::string format = document.text(dtype);
  const bool half = format == "bf16" || format == "bfloat16";
  draft.set("precision", half ? "bf16" : "sharded_bf16");
  if (!half && !format.empty() && format != "fp32" && format != "float32") document.refuse(dtype, "fp32 or bfloat16");
  draft.set_assumed("optimizer", "adamw_foreach", "torch.optim.AdamW without a choice");
}

void read_checkpointing(Document& document, RequestBuilder& draft, const std::string& model) {
  const bool again = document.truth(model + "enable_gradient_checkpointing").value_or(true), offloads = document.is_on(model + "enable_activation_offload");
  if (!document.has(model + "enable_gradient_checkpointing")) draft.assume("recompute = full: enable_gradient_checkpointing is on by itself since January 2025");
  draft.set("recompute", !again ? "none" : offloads ? "offloaded" : "full");
  if (offloads && !again) draft.set("activation_offload", "kept");
}

/// Groups of so many GPUs shard, and hold the same among them. `gpus` are all of them, 0 where nobody told.
void read_shards(Document& document, RequestBuilder& draft, const std::string& key, std::int64_t gpus) {
  const auto shards = document.real(key); // -1: all
  if (shards && *shards > 1 && (gpus == 0 || *shards < static_cast<double>(gpus))) draft.set("shard_group", static_cast<std::int64_t>(*shards));
}

/// Operations that are fused, as the estimate has them anyway; and a part of a stage's output that is freed.
constexpr std::string_view kFused =
    "masked_softmax_fusion bias_activation_fusion bias_dropout_fusion gradient_accumulation_fusion persist_layer_norm moe_grouped_gemm moe_shared_expert_overlap deallocate_pipeline_outputs "
    "apply_rope_fusion moe_permute_fusion moe_enable_deepep attention_backend moe_aux_loss_coeff moe_router_load_balancing_type";

/// Settings of Megatron Core's TransformerConfig whose arguments are without effect (files/training/megatron_keys.cpp).
void take_harmless(Document& document, const std::string& section) {
  for (configs::Leaf& leaf : document.leaves()) {
    if (!leaf.path.starts_with(section)) continue;
    const std::string name = leaf.path.substr(section.size());
    std::string argument = name;
    std::ranges::replace(argument, '_', '-');
    if (configs::names(kFused, name) || configs::names(configs::megatron_harmless(), argument)) leaf.state = configs::LeafState::read;
  }
}

/// Megatron's engine: verl/trainer/config/engine/megatron.yaml and optim/megatron.yaml. `engine` and `optim` are the sections' names.
void read_megatron(Document& document, RequestBuilder& draft, const std::string& engine, const std::string& optim) {
  draft.set("profile", "verl_megatron");
  draft.set("sharding", document.truth(engine + "use_distributed_optimizer").value_or(true) ? "optimizer" : "none");
  draft.set("precision", "master_bf16");
  draft.set("optimizer", "adamw_fused");
  draft.set("hidden_dropout", "false");
  draft.set("attention_dropout", "false");
  if (const std::string kind = document.text(optim + "optimizer"); !kind.empty() && kind != "adam") document.refuse(optim + "optimizer", "adam");
  if (const std::string format = document.text(engine + "dtype"); !format.empty() && format != "bfloat16") document.refuse(engine + "dtype", "bfloat16");
  draft.set_above_one("tensor_parallel", document.whole(engine + "tensor_model_parallel_size"));
  draft.set_above_one("pipeline_parallel", document.whole(engine + "pipeline_model_parallel_size"));
  draft.set_above_one("context_parallel", document.whole(engine + "context_parallel_size"));
  draft.set_above_one("expert_parallel", document.whole(engine + "expert_model_parallel_size"));
  if (const auto tensor = document.whole(engine + "expert_tensor_parallel_size"); tensor && draft.has("expert_parallel")) draft.set("expert_tensor_parallel", *tensor);
  if (draft.has("tensor_parallel") && document.truth(engine + "sequence_parallel").value_or(true)) draft.set("sequence_parallel", "true");
  if (const auto chunks = document.whole(engine + "virtual_pipeline_model_parallel_size"); draft.has("pipeline_parallel")) draft.set_above_one("virtual_stages", chunks);
  const std::string model = engine + "override_transformer_config.";
  draft.set_if("first_stage_layers", document.whole(model + "num_layers_in_first_pipeline_stage"));
  draft.set_if("last_stage_layers", document.whole(model + "num_layers_in_last_pipeline_stage"));
  if (document.is_on(model + "account_for_embedding_in_pipeline_split")) draft.set("embedding_in_split", "true");
  if (document.is_on(model + "account_for_loss_in_pipeline_split")) draft.set("loss_in_split", "true");
  if (const std::string kind = document.text(model + "moe_token_dispatcher_type"); kind == "flex" || kind == "allgather") draft.set("dispatch", kind == "flex" ? "once" : "all_gather");
  take_harmless(document, model);
  const std::string granularity = document.text(model + "recompute_granularity"), method = document.text(model + "recompute_method");
  const auto layers = document.whole(model + "recompute_num_layers");
  draft.set("recompute", granularity == "full" ? (method == "block" ? "block" : "full") : granularity == "selective" ? "selective" : "none");
  if (granularity == "full") draft.set("recompute_layers", std::max<std::int64_t>(layers.value_or(1), 1));
  const std::string own = optim + "override_optimizer_config.";
  if (document.is_on(own + "optimizer_cpu_offload")) draft.set("offload", "optimizer");
  if (const auto share = document.real(own + "optimizer_offload_fraction"); share && *share < 1 && draft.has("offload"))
    document.refuse(own + "optimizer_offload_fraction", "1: only a part of the optimizer on the host is not covered");
  if (document.is_on(own + "use_precision_aware_optimizer") && !draft.has("offload")) draft.set("master_remainders", "true");
}

// ---- reinforcement learning

/// The sections of the actor, by the engine that trains it.
bool is_megatron(Document& document) {
  const std::string strategy = document.text("actor_rollout_ref.actor.strategy"), file = document.text("config_name");
  return strategy.empty() ? file.find("megatron") != std::string::npos : strategy == "megatron";
}

/// Keys that newer versions leave empty: in those that read them there is always a reference, which became a choice in March 2025
/// (verl/trainer/main_ppo.py, role_worker_mapping).
bool always_references(const Document& document) {
  for (const char* key : {"actor_rollout_ref.actor.ppo_micro_batch_size", "actor_rollout_ref.rollout.log_prob_micro_batch_size", "actor_rollout_ref.ref.log_prob_micro_batch_size", "critic.ppo_micro_batch_size"})
    if (document.has(key)) return true;
  return false;
}

void read_roles(Document& document, RequestBuilder& draft, bool megatron) {
  const std::string estimator = document.text("algorithm.adv_estimator");
  const bool loss = document.is_on("actor_rollout_ref.actor.use_kl_loss"), reward = document.is_on("algorithm.use_kl_in_reward");
  set_roles(draft, {.critic = estimator.empty() || estimator == "gae",
                    .references = loss || reward || always_references(document),
                    .learned = document.is_on("reward_model.enable"),
                    .offloads = document.is_on(megatron ? "actor_rollout_ref.ref.megatron.param_offload" : "actor_rollout_ref.ref.fsdp_config.param_offload"),
                    .critic_model = document.text("critic.model.path"),
                    .reward_model = document.text("reward_model.model.path")});
  if (estimator.empty()) draft.assume("preference = ppo: algorithm.adv_estimator is gae by itself");
}

/// What waits on the host while the engine generates.
void read_offload(Document& document, RequestBuilder& draft, const std::string& engine) {
  const bool weights = document.is_on(engine + "param_offload"), states = document.is_on(engine + "optimizer_offload");
  document.take(engine + "grad_offload");
  const std::string critic = document.has_section("critic.megatron") ? "critic.megatron." : "critic.model.fsdp_config."; // leaves with the actor here
  document.take(critic + "grad_offload");
  const bool alike = document.is_on(critic + "param_offload") == weights && document.is_on(critic + "optimizer_offload") == states;
  if (!alike && draft.text("preference") == "ppo") document.differs(critic + "param_offload", "as the actor's");
  if (const std::string where = draft.text("rollout_engine"); where == "shared" || where == "separate") return;
  if (states) draft.set("trainer_offload", weights ? "all" : "states");
  else if (weights) document.differs(engine + "param_offload", "off without optimizer_offload");
}

/// An engine on nodes of its own, one step ahead or by the shares of verl/experimental/fully_async_policy/config/fully_async_ppo_trainer.yaml, where a
/// step is what is trained on between two versions of its weights.
void read_engine_apart(Document& document, RequestBuilder& draft) {
  draft.set("rollout_gpus", (Count{document.whole("rollout.n_gpus_per_node").value_or(8)} * Count{document.whole("rollout.nnodes").value_or(1)}).value);
  document.take("actor_rollout_ref.rollout.free_cache_engine");
  if (!document.has_section("async_training")) return draft.set("rollout_ahead", "1");
  if (const std::string share = document.text("async_training.staleness_threshold"); !share.empty()) draft.set("rollout_ahead", share);
  else draft.set_assumed("rollout_ahead", "0.1", "async_training.staleness_threshold is 0.1 by itself");
  const Count updates{document.whole("async_training.trigger_parameter_sync_step").value_or(4)}, batches{document.whole("async_training.require_batches").value_or(1)};
  draft.set("step_prompts", (updates * batches * Count{document.whole("actor_rollout_ref.actor.ppo_mini_batch_size").value_or(256)}).value);
}

void read_rollout(Document& document, RequestBuilder& draft) {
  const std::string engine = document.text("actor_rollout_ref.rollout.name");
  const bool stays = document.truth("actor_rollout_ref.rollout.free_cache_engine") == false, apart = document.has_section("rollout"), streams = document.has_section("async_training");
  draft.set("rollout_engine", apart ? "separate" : engine == "hf" ? "shared" : stays ? "copy" : "sleeping");
  if (document.truth("algorithm.rollout_correction.bypass_mode").value_or(streams)) draft.set("policy_logprobs", "false");
  if (engine != "hf") {
    draft.set_if("rollout_tensor_parallel", document.whole("actor_rollout_ref.rollout.tensor_model_parallel_size"));
    draft.set_permille("rollout_memory_permille", document.real("actor_rollout_ref.rollout.gpu_memory_utilization"));
  }
  if (const auto prompts = document.whole("data.train_batch_size"); prompts && !streams) draft.set("step_prompts", *prompts);
  if (apart) read_engine_apart(document, draft);
  draft.set_if("answer_epochs", document.whole("actor_rollout_ref.actor.ppo_epochs"));
  draft.set("group_size", document.whole("actor_rollout_ref.rollout.n").value_or(1));
  const std::int64_t prompt = document.whole("data.max_prompt_length").value_or(512), answer = document.whole("data.max_response_length").value_or(512);
  draft.set("context_tokens", (Count{prompt} + Count{answer}).value);
  draft.set("completion_tokens", answer);
}

/// Sequences of one pass that scores answers: stated, or as many as its tokens take. Where neither is, those of the actor.
void read_scoring(Document& document, RequestBuilder& draft, bool fills) {
  const std::int64_t length = degree(draft, "context_tokens"), divided = degree(draft, "context_parallel");
  std::int64_t most = 0;
  for (const char* role : {"actor_rollout_ref.rollout.", "actor_rollout_ref.ref."}) {
    const std::string keys{role};
    const std::int64_t stated = of_one_pass(document, draft, keys + "log_prob_micro_batch_size").value_or(0), tokens = document.whole(keys + "log_prob_max_token_len_per_gpu").value_or(0);
    const bool filled = document.truth(keys + "log_prob_use_dynamic_bsz").value_or(fills);
    most = std::max(most, !filled ? stated : tokens > 0 ? filled_sequences((Count{tokens} * Count{divided}).value, length) : 0);
  }
  if (most > 0) draft.set("scoring_batch", most);
}

void read_layout(Document& document, RequestBuilder& draft, bool megatron) {
  const std::int64_t each = document.whole("trainer.n_gpus_per_node").value_or(8), nodes = document.whole("trainer.nnodes").value_or(1), all = (Count{each} * Count{nodes}).value;
  if (!document.has("trainer.n_gpus_per_node")) draft.assume("data_parallel: trainer.n_gpus_per_node is 8 by itself");
  if (!megatron) {
    draft.set_above_one("context_parallel", document.whole("actor_rollout_ref.actor.ulysses_sequence_parallel_size"));
    read_shards(document, draft, "actor_rollout_ref.actor.fsdp_config.fsdp_size", all);
  }
  if (draft.gpus == 0) draft.gpus = all;
  draft.take_gpus();
  const Count sequences = Count{document.whole("actor_rollout_ref.actor.ppo_mini_batch_size").value_or(256)} * Count{document.whole("actor_rollout_ref.rollout.n").value_or(1)};
  const std::int64_t of_each = of_each_replica(draft, sequences.value);
  const bool fills = document.is_on("actor_rollout_ref.actor.use_dynamic_bsz");
  const auto tokens = document.whole("actor_rollout_ref.actor.ppo_max_token_len_per_gpu"), batch = of_one_pass(document, draft, "actor_rollout_ref.actor.ppo_micro_batch_size");
  read_scoring(document, draft, fills);
  if (fills) {
    fill_batches(draft, (Count{tokens.value_or(kUsualTokens)} * Count{degree(draft, "context_parallel")}).value, degree(draft, "context_tokens"), of_each, "ppo_max_token_len_per_gpu");
    return;
  }
  if (batch && *batch > 0) set_batches(draft, *batch, of_each);
}

bool is_verl(const Document& document) { return document.has("actor_rollout_ref.model.path"); }

void read_verl(Document& document, RequestBuilder& draft) {
  const std::string newer = document.text("actor_rollout_ref.actor.fsdp_config.strategy"), strategy = newer.empty() ? document.text("actor_rollout_ref.actor.strategy") : newer;
  const bool megatron = is_megatron(document);
  if (!strategy.empty() && strategy != "fsdp" && strategy != "fsdp2" && !megatron) document.refuse("actor_rollout_ref.actor.strategy", "fsdp, fsdp2 or megatron");
  if (const std::string model = document.text("actor_rollout_ref.model.path"); !model.empty()) draft.name_model(model);
  if (megatron) {
    read_megatron(document, draft, "actor_rollout_ref.actor.megatron.", "actor_rollout_ref.actor.optim.");
    read_adapters(document, draft, "actor_rollout_ref.model.lora.rank", "actor_rollout_ref.model.lora.target_modules");
  } else {
    read_fsdp(document, draft, strategy, "actor_rollout_ref.actor.fsdp_config.model_dtype");
    read_adapters(document, draft, "actor_rollout_ref.model.lora_rank", "actor_rollout_ref.model.target_modules");
    read_checkpointing(document, draft, "actor_rollout_ref.model.");
  }
  if (document.is_on("actor_rollout_ref.model.use_remove_padding")) draft.set("batching", "padding_free");
  if (document.is_on("actor_rollout_ref.model.use_liger") && !megatron) draft.set("loss", "liger_fused_linear");
  read_roles(document, draft, megatron);
  read_rollout(document, draft);
  read_offload(document, draft, megatron ? "actor_rollout_ref.actor.megatron." : "actor_rollout_ref.actor.fsdp_config.");
  read_layout(document, draft, megatron);
}

constexpr std::array kVerlEffects{
    Effect{"critic.model.fsdp_config.* critic.megatron.*", "where the critic's weights and states are, and what divides them: as the actor's here.", true},
    Effect{"actor_rollout_ref.actor.fsdp_config.offload_policy", "weights and states are on the host all the time: offload.", false, configs::Weight::decides},
    Effect{"actor_rollout_ref.rollout.max_num_batched_tokens actor_rollout_ref.rollout.max_num_seqs actor_rollout_ref.rollout.expert_parallel_size actor_rollout_ref.rollout.data_parallel_size "
           "actor_rollout_ref.rollout.max_model_len actor_rollout_ref.rollout.quantization actor_rollout_ref.rollout.engine_kwargs.*",
           "how much the engine that generates takes for itself.", true},
    Effect{"critic.ppo_micro_batch_size critic.ppo_micro_batch_size_per_gpu critic.ppo_max_token_len_per_gpu critic.forward_max_token_len_per_gpu critic.use_dynamic_bsz critic.ulysses_sequence_parallel_size",
           "sequences of one pass of the critic, which takes those of the actor here.", true},
    Effect{"actor_rollout_ref.actor.use_torch_compile actor_rollout_ref.model.use_fused_loss actor_rollout_ref.model.use_fused_kernels actor_rollout_ref.actor.entropy_coeff "
           "actor_rollout_ref.actor.entropy_from_logits_with_chunking actor_rollout_ref.actor.entropy_checkpointing",
           "what the loss keeps."},
    Effect{"actor_rollout_ref.actor.freeze_vision_tower", "which parts train: train."},
    Effect{"actor_rollout_ref.actor.megatron.override_transformer_config.* actor_rollout_ref.actor.megatron.override_ddp_config.* actor_rollout_ref.actor.optim.override_optimizer_config.*",
           "the model is built, or its states are kept, otherwise."},
    Effect{"actor_rollout_ref.model.mtp.enable_train", "layers that predict further tokens train too."},
    Effect{"actor_rollout_ref.model.exclude_modules actor_rollout_ref.model.lora.exclude_modules", "which linear maps get adapters: targets."},
    Effect{"critic.model.lora.rank", "adapters of the critic."},
    Effect{"critic.strategy", "another engine for the critic than for the actor."},
    Effect{"reward_model.rollout.*", "an engine that scores answers."},
    Effect{"async_training.use_dynamic_resource_scheduling", "GPUs that train generate answers too.", false, configs::Weight::decides},
};

constexpr std::string_view kVerlHarmless =
    "config_name config_path data.train_files data.val_files data.prompt_key data.val_batch_size data.shuffle data.filter_overlong_prompts* data.truncation data.image_key data.return_raw_chat "
    "data.reward_fn_key data.trust_remote_code data.gen_batch_size data.custom_cls.* data.apply_chat_template_kwargs.* data.seed data.dataloader_num_workers data.tool_config_path "
    "actor_rollout_ref.actor.optim.lr* actor_rollout_ref.actor.optim.weight_decay actor_rollout_ref.actor.optim.clip_grad actor_rollout_ref.actor.optim.min_lr* "
    "actor_rollout_ref.actor.optim.warmup_style actor_rollout_ref.actor.optim.betas actor_rollout_ref.actor.optim.override_optimizer_config.overlap_cpu_optimizer_d2h_h2d "
    "actor_rollout_ref.actor.kl_loss_coef actor_rollout_ref.actor.kl_loss_type actor_rollout_ref.actor.clip_ratio* actor_rollout_ref.actor.grad_clip actor_rollout_ref.actor.loss_* "
    "actor_rollout_ref.actor.policy_loss.* actor_rollout_ref.actor.checkpoint.* actor_rollout_ref.actor.profiler.* actor_rollout_ref.actor.router_replay.* actor_rollout_ref.actor.shuffle "
    "actor_rollout_ref.actor.load_weight actor_rollout_ref.actor.fsdp_config.wrap_policy* actor_rollout_ref.actor.fsdp_config.forward_prefetch actor_rollout_ref.actor.use_rollout_log_probs "
    "actor_rollout_ref.actor.megatron.use_mbridge actor_rollout_ref.actor.megatron.vanilla_mbridge actor_rollout_ref.actor.megatron.use_dist_checkpointing "
    "actor_rollout_ref.actor.megatron.dist_checkpointing_path "
    "actor_rollout_ref.actor.megatron.seed actor_rollout_ref.actor.tau_* actor_rollout_ref.actor.calculate_* actor_rollout_ref.actor.use_prefix_grouper data.sampler.* "
    "actor_rollout_ref.actor.fsdp_config.use_orig_params actor_rollout_ref.model.mtp.* actor_rollout_ref.model.fused_kernel_options.* actor_rollout_ref.model.lora.lora_A_init_method "
    "actor_rollout_ref.model.lora.merge critic.model.lora.* actor_rollout_ref.rollout.checkpoint_engine.* actor_rollout_ref.rollout.prometheus.* actor_rollout_ref.rollout.enable_rollout_routing_replay "
    "actor_rollout_ref.ref.* actor_rollout_ref.model.use_shm actor_rollout_ref.model.trust_remote_code actor_rollout_ref.model.lora_alpha actor_rollout_ref.model.lora.alpha "
    "actor_rollout_ref.model.override_config.max_position_embeddings actor_rollout_ref.model.external_lib actor_rollout_ref.nccl_timeout actor_rollout_ref.hybrid_engine "
    "actor_rollout_ref.rollout.temperature actor_rollout_ref.rollout.top_k actor_rollout_ref.rollout.top_p actor_rollout_ref.rollout.val_kwargs.* actor_rollout_ref.rollout.mode "
    "actor_rollout_ref.rollout.ignore_eos actor_rollout_ref.rollout.load_format actor_rollout_ref.rollout.layered_summon actor_rollout_ref.rollout.enable_chunked_prefill "
    "actor_rollout_ref.rollout.enable_prefix_caching actor_rollout_ref.rollout.enforce_eager actor_rollout_ref.rollout.multi_turn.* actor_rollout_ref.rollout.agent.* "
    "actor_rollout_ref.rollout.calculate_log_probs actor_rollout_ref.rollout.disable_log_stats actor_rollout_ref.rollout.free_cache_engine actor_rollout_ref.rollout.multi_stage_wake_up "
    "actor_rollout_ref.rollout.trace.* actor_rollout_ref.rollout.do_sample actor_rollout_ref.rollout.over_sample_rate actor_rollout_ref.rollout.dtype actor_rollout_ref.rollout.update_weights_bucket_megabytes "
    "actor_rollout_ref.rollout.prompt_length actor_rollout_ref.rollout.response_length actor_rollout_ref.rollout.cudagraph_capture_sizes actor_rollout_ref.rollout.skip_* "
    "critic.optim.* critic.model.tokenizer_path critic.model.use_remove_padding critic.model.enable_gradient_checkpointing critic.profiler.* critic.cliprange* critic.checkpoint.* critic.load_weight "
    "critic.model.use_shm critic.model.trust_remote_code critic.ppo_mini_batch_size critic.ppo_epochs critic.shuffle critic.grad_clip critic.model.external_lib critic.rollout_n critic.enable "
    "reward_model.* custom_reward_function.* reward_manager.* algorithm.* trainer.* global_profiler.* ray_kwargs.* ray_init.* env.* hydra.* reward.* rollout.* async_training.partial_rollout "
    "async_training.use_trainer_do_validate async_training.concurrent_samples_per_replica async_training.dynamic_*";

// ---- supervised

bool is_sft(const Document& document) {
  return document.has("model.partial_pretrain") || (document.has("model.path") && (document.has("data.max_length") || document.has("data.max_token_len_per_gpu") || document.has("data.micro_batch_size_per_gpu")));
}

/// Two generations: sft_trainer.yaml with "partial_pretrain", whose keys stand at the top, and sft_trainer_engine.yaml with sections of its engine.
void read_sft(Document& document, RequestBuilder& draft) {
  const bool former = document.has("model.partial_pretrain"), megatron = !former && (document.text("engine") == "megatron" || document.text("engine.strategy") == "megatron");
  const std::string model = document.text(former ? "model.partial_pretrain" : "model.path"), strategy = document.text(former ? "model.strategy" : "engine.strategy");
  draft.set("preference", "none");
  draft.name_model(model);
  if (megatron) {
    read_megatron(document, draft, "engine.", "optim.");
    read_adapters(document, draft, "model.lora.rank", "model.lora.target_modules");
  } else {
    read_fsdp(document, draft, former && strategy.empty() && !document.has("data.micro_batch_size") ? "fsdp2" : strategy, former ? "model.fsdp_config.model_dtype" : "engine.model_dtype");
    read_adapters(document, draft, "model.lora_rank", "model.target_modules");
    read_checkpointing(document, draft, "model.");
    draft.set_above_one("context_parallel", document.whole(former ? "ulysses_sequence_parallel_size" : "engine.ulysses_sequence_parallel_size"));
    read_shards(document, draft, "engine.fsdp_size", 0);
    if (document.is_on("model.use_liger")) draft.set("loss", "liger_fused_linear");
  }
  const bool packs = former ? document.is_on("use_remove_padding") : document.text("data.pad_mode").empty() || document.text("data.pad_mode") == "no_padding";
  draft.set("batching", packs ? "padding_free" : "padded");
  const auto length = document.whole("data.max_length");
  if (length) draft.set("context_tokens", *length);
  else draft.set_assumed("context_tokens", "1024", "data.max_length is 1024 by itself");
  draft.miss_gpus();
  document.take("data.train_batch_size");
  draft.assume("micro_batches: data.train_batch_size over what all GPUs take at once");
  if (!former && document.truth("data.use_dynamic_bsz").value_or(true)) {
    constexpr std::int64_t kUsualSftTokens = 8192;
    const auto tokens = document.whole("data.max_token_len_per_gpu");
    document.take("data.micro_batch_size_per_gpu");
    fill_batches(draft, (Count{tokens.value_or(kUsualSftTokens)} * Count{degree(draft, "context_parallel")}).value, degree(draft, "context_tokens"), 0, "max_token_len_per_gpu");
    return;
  }
  const auto batch = document.whole("data.micro_batch_size_per_gpu"), all = document.whole("data.micro_batch_size"); // "//= dp_size" until February 2025 (verl/trainer/fsdp_sft_trainer.py)
  if (batch) draft.set("batch", *batch);
  else if (all) draft.set("batch", std::max<std::int64_t>(*all * degree(draft, "context_parallel") / std::max<std::int64_t>(draft.gpus, 1), 1));
  else draft.set_assumed("batch", "4", "data.micro_batch_size_per_gpu is 4 by itself");
}

constexpr std::array kSftEffects{
    Effect{"model.fsdp_config.cpu_offload model.fsdp_config.offload_params engine.offload_policy engine.param_offload engine.optimizer_offload", "weights or states are on the host: offload.", false,
           configs::Weight::decides},
    Effect{"engine.override_transformer_config.* engine.override_ddp_config.* optim.override_optimizer_config.*", "the model is built, or its states are kept, otherwise."},
    Effect{"model.use_fused_kernels engine.use_torch_compile", "what the loss keeps."},
};

} // namespace

const configs::Format& verl() noexcept {
  static constexpr std::array kCommands{ // verl/trainer, and recipes that change its algorithm alone
    configs::Command{.program = "verl.trainer.main_ppo", .reads = configs::Reads::overrides},
    configs::Command{.program = "recipe.dapo.main_dapo", .reads = configs::Reads::overrides},
    configs::Command{.program = "verl.experimental.fully_async_policy.fully_async_main", .reads = configs::Reads::overrides},
    configs::Command{.program = "recipe.fully_async_policy.fully_async_main", .reads = configs::Reads::overrides},
    configs::Command{.program = "verl.experimental.one_step_off_policy.main_ppo", .reads = configs::Reads::overrides},
    configs::Command{.program = "recipe.one_step_off_policy.main_ppo", .reads = configs::Reads::overrides}
  };
  static const configs::Format kFormat{.id = "verl",
                                       .name = "verl",
                                       .source = "verl-project/verl, verl/trainer/config/ppo_trainer.yaml",
                                       .syntax = configs::Syntax::overrides,
                                       .recognises = is_verl,
                                       .read = read_verl,
                                       .write = nullptr,
                                       .harmless = kVerlHarmless,
                                       .effects = kVerlEffects,
                                       .commands = kCommands};
  return kFormat;
}

const configs::Format& verl_sft() noexcept {
  static constexpr std::array kCommands{
    configs::Command{.program = "verl.trainer.sft_trainer", .reads = configs::Reads::overrides},
    configs::Command{.program = "verl.trainer.fsdp_sft_trainer", .reads = configs::Reads::overrides}
  };
  static const configs::Format kFormat{.id = "verl_sft",
                                       .name = "verl",
                                       .source = "verl-project/verl, verl/trainer/config/sft_trainer.yaml",
                                       .syntax = configs::Syntax::overrides,
                                       .recognises = is_sft,
                                       .read = read_sft,
                                       .write = nullptr,
                                       .harmless = "data.train_files data.val_files data.prompt_key data.response_key data.prompt_dict_keys data.response_dict_keys data.multiturn.* data.messages_key "
                                                   "data.tools_key data.enable_thinking_key data.truncation data.train_max_samples data.val_max_samples data.custom_cls.* data.use_shm data.num_workers "
                                                   "data.ignore_input_ids_mismatch data.apply_chat_template_kwargs.* data.balance_dp_token data.image_key "
                                                   "model.use_shm model.trust_remote_code model.lora_alpha model.lora.alpha model.external_lib model.use_remove_padding model.fsdp_config.wrap_policy* "
                                                   "optim optim.lr* optim.betas optim.weight_decay optim.clip_grad optim.min_lr* optim.total_training_steps optim.warmup_style "
                                                   "engine.use_mbridge engine.vanilla_mbridge engine.use_dist_checkpointing engine.use_remove_padding engine.seed engine.wrap_policy* engine.forward_prefetch "
                                                   "trainer.* checkpoint.* profiler.* hydra.*",
                                       .effects = kSftEffects,
                                       .commands = kCommands};
  return kFormat;
}

} // namespace plimsoll::io::programs
