// NVIDIA-NeMo/RL: examples/configs/grpo_math_1B.yaml, sft.yaml and dpo.yaml, which recipes change; nemo_rl/models/policy/workers
// (dtensor_policy_worker.py, megatron_policy_worker.py) for what a worker keeps.
#include "files/training/adapters.hpp"
#include "files/training/format.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace plimsoll::io::configs {

namespace {

/// What a file has that recipes change, for what they do not say: examples/configs, the section policy. `tensor` is of Megatron's workers.
struct Base {
  std::string_view file, section;
  std::int64_t batch, tokens, global, tensor;
  bool packs;
};
constexpr std::array kBases{Base{"grpo_math_1B.yaml", "grpo", 4, 512, 512, 1, true}, Base{"sft.yaml", "sft", 1, 1024, 32, 1, false}, Base{"dpo.yaml", "dpo", 2, 1024, 128, 2, false},
                            Base{"vlm_grpo_3B.yaml", "", 1, 2048, 128, 1, false}};

/// By the name of the file that it changes, or by the section of the method that it has.
const Base& base_of(const Document& document) {
  const Json* const changed = document.peek("defaults");
  for (const Base& base : kBases)
    if (changed != nullptr && changed->is_string() ? changed->text().substr(changed->text().find_last_of('/') + 1) == base.file : !base.section.empty() && document.has_section(base.section)) return base;
  return kBases.front();
}

std::string as_in(const Base& base) { return "as examples/configs/" + std::string{base.file} + " has it"; }

/// A file that changes another one need not say much itself: nemo_rl/utils/config.py, load_config_with_inheritance.
bool changes_another(const Document& document) {
  const Json* base = document.peek("defaults");
  return base != nullptr && base->is_string() && base->text().ends_with(".yaml");
}

bool recognises(const Document& document) {
  int signs = 0;
  for (const char* section : {"policy", "cluster", "grpo", "dpo", "sft", "rm", "loss_fn", "checkpointing", "data", "env", "logger", "data_plane"}) signs += document.has_section(section) ? 1 : 0;
  if (document.has_section("recipe") || document.has_section("train")) return false; // of Megatron Bridge
  return changes_another(document) ? signs >= 1 : document.has_section("policy") && signs >= 3;
}

/// nemo_rl/algorithms/async_utils/trajectory_collector.py, prepare_for_refit: unless weights may change in flight, all answers that were begun end first.
void read_ahead(Document& document, RequestBuilder& draft) {
  const auto steps = document.whole("grpo.async_grpo.max_trajectory_age_steps");
  const bool in_flight = document.is_on("grpo.async_grpo.in_flight_weight_updates");
  if (!steps) draft.set_assumed("rollout_ahead", "1", "max_trajectory_age_steps is 1 in examples/configs/grpo_math_1B.yaml");
  else draft.set("rollout_ahead", in_flight ? *steps : std::min<std::int64_t>(*steps, 1));
  if (steps && *steps > 1 && !in_flight) draft.assume("rollout_ahead = 1: without in_flight_weight_updates all answers that were begun end before new weights come");
}

void read_method(Document& document, RequestBuilder& draft) {
  if (document.has_section("distillation")) draft.refuse("distillation", "Distillation runs a second model, which is not covered.", "State the student's training by hand.");
  if (document.has_section("sft") || document.has_section("dpo") || document.has_section("rm")) {
    draft.set("preference", document.has_section("dpo") ? "dpo" : document.has_section("rm") ? "reward_model" : "none");
    return;
  }
  draft.set("preference", "grpo");
  const auto answers = document.whole("grpo.num_generations_per_prompt");
  if (answers) draft.set("group_size", *answers);
  else draft.set_assumed("group_size", "16", as_in(kBases.front()));
  const auto penalty = document.real("loss_fn.reference_policy_kl_penalty");
  draft.set("kl_reference", penalty && *penalty == 0 ? "false" : "true");
  if (!penalty || *penalty != 0) draft.set("offload_roles", "true"); // the reference's weights wait on the host and change places with the policy's
  draft.set("learned_reward", "false");
  // nemo_rl/algorithms/grpo.py, _resolve_logprob_skip_flags
  if (document.is_on("loss_fn.force_on_policy_ratio") && !document.real("grpo.seq_logprob_error_threshold")) draft.set("policy_logprobs", "false");
  const bool apart = document.truth("policy.generation.colocated.enabled") == false;
  const bool megatron = document.text("policy.generation.backend") == "megatron";
  draft.set("rollout_engine", megatron && !apart ? "shared" : apart ? "separate" : "sleeping");
  draft.set_if("step_prompts", document.whole("grpo.num_prompts_per_step"));
  const bool sglang = document.text("policy.generation.backend") == "sglang";
  const auto divided = document.whole(sglang ? "policy.generation.sglang_cfg.tp_size" : "policy.generation.vllm_cfg.tensor_parallel_size");
  if (divided) draft.set("rollout_tensor_parallel", *divided);
  else if (!megatron) draft.set_assumed("rollout_tensor_parallel", "1", as_in(kBases.front()));
  const auto share = document.real(sglang ? "policy.generation.sglang_cfg.mem_fraction_static" : "policy.generation.vllm_cfg.gpu_memory_utilization");
  if (!megatron) draft.set_permille("rollout_memory_permille", share);
  if (apart && document.is_on("grpo.async_grpo.enabled")) read_ahead(document, draft);
  if (apart && document.text("policy.generation.refit_transport").find("reshard") != std::string::npos) draft.set("weight_transfer", "shards");
  if (const auto tokens = document.whole("policy.generation.max_new_tokens")) draft.set("completion_tokens", *tokens);
  if (const auto batch = document.whole("policy.logprob_batch_size")) draft.set("scoring_batch", *batch);
}

void read_degrees(Document& document, RequestBuilder& draft, const std::string& section, bool megatron) {
  const Base& base = base_of(document);
  const auto tensor = document.whole(section + (megatron ? "tensor_model_parallel_size" : "tensor_parallel_size"));
  draft.set_above_one("tensor_parallel", tensor);
  if (megatron && !tensor && base.tensor > 1) draft.set_assumed("tensor_parallel", std::to_string(base.tensor), as_in(base));
  draft.set_above_one("context_parallel", document.whole(section + "context_parallel_size"));
  if (document.truth(section + "sequence_parallel").value_or(megatron && base.tensor > 1) && draft.has("tensor_parallel")) draft.set("sequence_parallel", "true");
  draft.set("recompute", document.is_on(section + "activation_checkpointing") ? "full" : "none");
  draft.set_above_one("expert_parallel", document.whole(section + (megatron ? "expert_model_parallel_size" : "expert_parallel_size")));
  if (!megatron) return;
  draft.set_above_one("pipeline_parallel", document.whole(section + "pipeline_model_parallel_size"));
  const auto expert_tensor = document.whole(section + "expert_tensor_parallel_size");
  if (draft.has("expert_parallel")) draft.set("expert_tensor_parallel", expert_tensor.value_or(1));
  draft.set_if("first_stage_layers", document.whole(section + "num_layers_in_first_pipeline_stage"));
  draft.set_if("last_stage_layers", document.whole(section + "num_layers_in_last_pipeline_stage"));
}

/// Where no maps are named, all have adapters: examples/configs/sft.yaml.
void read_adapters(Document& document, RequestBuilder& draft, const std::string& section, bool megatron) {
  const std::string keys = section + (megatron ? "peft." : "lora_cfg.");
  if (!document.is_on(keys + "enabled")) return;
  const std::string rank = keys + "dim", targets = keys + "target_modules", dropout = keys + "dropout";
  if (!megatron && document.truth(keys + "match_all_linear").value_or(true)) {
    document.take(targets);
    draft.set_assumed("targets", "all_linear", "match_all_linear is on, or not stated");
  }
  read_lora(document, draft, {.rank = rank, .targets = targets, .dropout = dropout, .dora = {}, .usual_rank = 8, .usual_targets = "all_linear"});
  if (!document.texts(keys + "exclude_modules").empty()) document.refuse(keys + "exclude_modules", "empty, with the maps under target_modules");
}

/// GPUs that train: all but those that a generator has for itself.
void read_cluster(Document& document, RequestBuilder& draft) {
  const auto each = document.whole("cluster.gpus_per_node"), nodes = document.whole("cluster.num_nodes");
  const bool apart = document.truth("policy.generation.colocated.enabled") == false;
  const auto taken = document.whole("policy.generation.colocated.resources.gpus_per_node"), taken_nodes = document.whole("policy.generation.colocated.resources.num_nodes");
  if (!each) return draft.miss_gpus();
  Count gpus = Count{*each} * Count{nodes.value_or(1)};
  const Count generating = apart && taken ? Count{*taken} * Count{taken_nodes.value_or(1)} : Count{0};
  gpus = gpus - generating;
  if (generating > Count{0}) draft.set("rollout_gpus", generating.value);
  if (draft.gpus == 0 && gpus > Count{0}) draft.gpus = gpus.value;
  draft.take_gpus();
}

void read_batches(Document& document, RequestBuilder& draft) {
  const Base& base = base_of(document);
  if (const auto batch = document.whole("policy.train_micro_batch_size")) draft.set("batch", *batch);
  else draft.set_assumed("batch", std::to_string(base.batch), as_in(base));
  if (const auto length = document.whole("policy.max_total_sequence_length")) draft.set("context_tokens", *length);
  else draft.set_assumed("context_tokens", std::to_string(base.tokens), as_in(base));
  const bool packs = document.truth("policy.sequence_packing.enabled").value_or(base.packs), dynamic = document.is_on("policy.dynamic_batching.enabled");
  draft.set("batching", packs ? "packed" : "padded");
  if (!document.has("policy.sequence_packing.enabled")) draft.assume("batching = " + draft.text("batching") + ": " + as_in(base));
  if (dynamic) draft.assume("batch: dynamic batches hold as many tokens as train_micro_batch_size sequences of full length");
  const std::int64_t global = document.whole("policy.train_global_batch_size").value_or(base.global), replicas = whole_number(draft.text("data_parallel")).value_or(0);
  const std::int64_t count = times(global, (Count{whole_number(draft.text("batch")).value_or(1)} * Count{replicas}).value);
  if (count > 0) draft.set("micro_batches", count);
}

void read(Document& document, RequestBuilder& draft) {
  draft.set("task", "finetune");
  draft.set("method", "full");
  const bool megatron = document.is_on("policy.megatron_cfg.enabled");
  const std::string section = megatron ? "policy.megatron_cfg." : "policy.dtensor_cfg.";
  const std::string_view idle = megatron ? "policy.dtensor_cfg." : "policy.megatron_cfg.";
  document.take("policy.dtensor_cfg.enabled");
  for (Leaf& leaf : document.leaves())
    if (leaf.path.starts_with(idle)) leaf.state = LeafState::read; // a worker of the other kind has it
  if (const std::string name = document.text("policy.model_name"); !name.empty()) draft.name_model(name);
  else draft.miss_model("The file");
  draft.set("profile", megatron ? "nemo_rl" : "nemo_rl_dtensor");
  draft.set("sharding", megatron ? "optimizer" : "parameters");
  draft.set("precision", megatron ? "master_bf16" : "sharded_bf16"); // DTensor keeps fp32 weights and gathers them in bf16
  if (const std::string name = document.text("policy.optimizer.name"); !megatron && !name.empty() && name != "torch.optim.AdamW") document.refuse("policy.optimizer.name", "torch.optim.AdamW");
  draft.set("optimizer", megatron ? "adamw_fused" : "adamw_forloop"); // torch.optim.AdamW with foreach and fused off
  if (const std::string precision = document.text("policy.precision"); !precision.empty() && precision != "bfloat16") document.refuse("policy.precision", "bfloat16");
  if (megatron) draft.set("hidden_dropout", "false"), draft.set("attention_dropout", "false");
  if (document.is_on("policy.dtensor_cfg.cpu_offload") && !megatron) draft.set("offload", "parameters");
  read_adapters(document, draft, section, megatron);
  read_degrees(document, draft, section, megatron);
  if (const std::string kind = document.text("policy.megatron_cfg.moe_token_dispatcher_type"); megatron && (kind == "flex" || kind == "allgather"))
    draft.set("dispatch", kind == "flex" ? "once" : "all_gather");
  read_cluster(document, draft);
  if (!document.is_on("policy.draft.enabled")) document.take_section("policy.draft");
  if (document.text("policy.generation.backend") != "megatron") document.take_section("policy.generation.mcore_generation_config");
  read_method(document, draft);
  read_batches(document, draft);
  if (document.has("defaults"))
    draft.say(Severity::note, "defaults", "The file changes " + document.text("defaults") + "; what it does not say is taken " + as_in(base_of(document)) + ".", "Give that file too.");
}

constexpr std::array kEffects{
    Effect{"policy.generation.vllm_cfg.pipeline_parallel_size policy.generation.vllm_cfg.expert_parallel_size "
           "policy.generation.vllm_cfg.max_model_len policy.generation.vllm_cfg.precision policy.generation.vllm_cfg.kv_cache_dtype policy.generation.vllm_kwargs.* policy.generation.sglang_cfg.* "
           "policy.generation.trtllm_cfg.* policy.generation.trtllm_kwargs.* policy.generation.mcore_generation_config*",
           "how much the engine that generates takes for itself.", true},
    Effect{"policy.logprob_chunk_size policy.megatron_cfg.defer_fp32_logits policy.megatron_cfg.use_fused_linear_logprobs", "what the loss keeps."},
    Effect{"policy.dtensor_cfg.automodel_kwargs*", "kernels of the model, and which of its parts train."},
    Effect{"policy.megatron_cfg.cuda_graph_impl", "CUDA graphs keep a pool of their own."},
    Effect{"policy.megatron_cfg.fine_grained_activation_offloading policy.megatron_cfg.offload_modules", "activations that wait on the host: offload_modules.", false, Weight::decides},
    Effect{"policy.megatron_cfg.recompute_granularity policy.megatron_cfg.recompute_modules", "what runs again in backward: recompute and recompute_modules."},
    Effect{"policy.megatron_cfg.mtp_num_layers policy.megatron_cfg.mtp_use_repeated_layer", "layers that predict further tokens train too."},
    Effect{"policy.megatron_cfg.freeze_*", "parts of the model that do not train."},
    Effect{"policy.megatron_cfg.model_overrides* policy.megatron_cfg.use_fused_weighted_squared_relu policy.megatron_cfg.attention_backend", "the model is built otherwise."},
    Effect{"policy.megatron_cfg.distributed_data_parallel_config.grad_reduce_in_fp32", "gradients are summed in fp32: gradient_dtype."},
    Effect{"policy.megatron_cfg.distributed_data_parallel_config.use_custom_fsdp", "Megatron's own FSDP.", false, Weight::decides},
    Effect{"policy.dtensor_cfg.dp_replicate_size", "replicas of the groups that shard: shard_group."},
    Effect{"policy.offload_optimizer_for_logprob", "optimizer states leave the GPU while answers are scored."},
    Effect{"policy.megatron_cfg.fp8_cfg.enabled", "multiplication in 8 bits.", false, Weight::decides},
    Effect{"policy.megatron_cfg.optimizer.optimizer_cpu_offload policy.megatron_cfg.optimizer.optimizer_offload_fraction", "the optimizer's states are on the host.", false, Weight::decides},
    Effect{"policy.draft.*", "a draft model that trains beside it.", false, Weight::decides},
    Effect{"policy.generation.quant_cfg policy.quant_cfg policy.generation.real_quant policy.generation.real_quant_ignore", "quantised training.", false, Weight::decides},
    Effect{"teacher.*", "a second model.", true, Weight::decides},
};

// Sections whose keys are all without effect on memory, or read above; of the others each key by its name.
constexpr std::string_view kHarmless =
    "grpo.* reward_penalties.* loss_fn.* checkpointing.* policy.tokenizer.* policy.optimizer.kwargs.* policy.optimizer.dynamic_args policy.scheduler* policy.max_grad_norm "
    "policy.make_sequence_length_divisible_by policy.sequence_packing.* policy.dynamic_batching.* policy.generation_batch_size policy.hf_config_overrides* "
    "policy.generation.temperature policy.generation.top_p policy.generation.top_k policy.generation.val_* policy.generation.stop_* policy.generation.port_range_* "
    "policy.generation.refit_transport policy.generation.refit_cfg.* policy.generation.real_quant_export_cpu_offload policy.generation.model_name policy.generation.colocated.resources.* "
    "policy.generation.vllm_cfg.async_engine policy.generation.vllm_cfg.logprobs_mode policy.generation.vllm_cfg.enforce_eager policy.generation.vllm_cfg.load_format "
    "policy.generation.vllm_cfg.skip_tokenizer_init policy.generation.vllm_cfg.use_deep_gemm policy.generation.vllm_cfg.num_first_layers_in_bf16 policy.generation.vllm_cfg.num_last_layers_in_bf16 policy.generation.vllm_cfg.is_mx policy.generation.vllm_cfg.quantization_ignored_layer_kws policy.generation.vllm_cfg.expose_http_server "
    "policy.generation.vllm_cfg.http_* policy.generation.vllm_cfg.zmq_refit_server_port policy.generation.vllm_cfg.use_tqdm policy.generation.vllm_cfg.reasoning_parser_plugin policy.generation.vllm_cfg.distributed_executor_backend policy.generation.vllm_cfg.cap_max_tokens_to_context policy.generation.vllm_cfg.reset_encoder_cache_after_weight_update policy.generation.vllm_cfg.enable_prefix_caching "
    "policy.generation.bad_words policy.generation.use_async_rollouts policy.generation.dynamo_cfg.* policy.generation.vllm_cfg.enable_vllm_metrics_logger policy.generation.vllm_cfg.vllm_metrics_* policy.generation.vllm_cfg.env_vars* "
    "policy.dtensor_cfg._v2 policy.dtensor_cfg.custom_parallel_plan policy.dtensor_cfg.lora_cfg.* policy.dtensor_cfg.clear_cache_every_n_steps policy.dtensor_cfg.env_vars* policy.dtensor_cfg.moe_parallelizer.* "
    "policy.megatron_cfg.checkpoint.* policy.megatron_cfg.force_reconvert_from_hf policy.megatron_cfg.freeze_moe_router policy.megatron_cfg.moe_router_* policy.megatron_cfg.moe_token_dispatcher_type "
    "policy.megatron_cfg.moe_per_layer_logging policy.megatron_cfg.moe_enable_deepep policy.megatron_cfg.use_gloo_process_groups policy.megatron_cfg.pipeline_dtype policy.megatron_cfg.env_vars* "
    "policy.megatron_cfg.mtp_loss_scaling_factor policy.megatron_cfg.mtp_detach_heads policy.megatron_cfg.cuda_graph_warmup_steps policy.megatron_cfg.converter_type "
    "policy.megatron_cfg.layernorm_epsilon policy.megatron_cfg.empty_unused_memory_level policy.megatron_cfg.clear_memory_caches_before_refit policy.megatron_cfg.calculate_per_token_loss policy.megatron_cfg.cp_normalize "
    "policy.megatron_cfg.do_not_average_loss policy.megatron_cfg.scale_loss_by_dp_cp_size policy.megatron_cfg.moe_aux_loss_coeff policy.megatron_cfg.moe_hybridep_num_sms policy.megatron_cfg.track_moe_metrics policy.megatron_cfg.apply_rope_fusion policy.megatron_cfg.bias_activation_fusion "
    "policy.megatron_cfg.moe_permute_fusion policy.megatron_cfg.gradient_accumulation_fusion policy.megatron_cfg.moe_shared_expert_overlap policy.megatron_cfg.moe_grouped_gemm policy.megatron_cfg.moe_flex_dispatcher_backend policy.megatron_cfg.cuda_graph_modules "
    "policy.megatron_cfg.fused_linear_logprobs_chunk_size policy.megatron_cfg.fp8_cfg.* policy.megatron_cfg._override_ policy.megatron_cfg.peft.* policy.megatron_cfg.scheduler.* policy.megatron_cfg.optimizer.* policy.megatron_cfg.distributed_data_parallel_config.overlap_* "
    "policy.megatron_cfg.distributed_data_parallel_config.data_parallel_sharding_strategy policy.megatron_cfg.distributed_data_parallel_config.average_in_collective "
    "data.* data_plane.* env.* logger.* cluster.* sft.* dpo.* rm.* reward_model.*";

} // namespace

const Format& nemo_rl() noexcept {
  static constexpr std::array kCommands{ // examples
    Command{.program = "run_grpo.py", .reads = Reads::file, .file_option = "--config"},
    Command{.program = "run_grpo_math.py", .reads = Reads::file, .file_option = "--config"},
    Command{.program = "run_vlm_grpo.py", .reads = Reads::file, .file_option = "--config"},
    Command{.program = "run_sft.py", .reads = Reads::file, .file_option = "--config"},
    Command{.program = "run_dpo.py", .reads = Reads::file, .file_option = "--config"}
  };
  static const Format kFormat{.id = "nemo_rl",
                              .name = "NeMo RL",
                              .source = "NVIDIA-NeMo/RL, examples/configs/grpo_math_1B.yaml",
                              .syntax = Syntax::yaml,
                              .recognises = recognises,
                              .read = read,
                              .write = nullptr,
                              .harmless = kHarmless,
                              .effects = kEffects,
                              .commands = kCommands};
  return kFormat;
}

} // namespace plimsoll::io::configs
