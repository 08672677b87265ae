// NVIDIA-NeMo/RL: examples/configs/grpo_math_1B.yaml, sft.yaml and dpo.yaml, which recipes change; nemo_rl/models/policy/workers
// (dtensor_policy_worker.py, megatron_policy_worker.py) for what a worker keeps.
#include "files/training/format.hpp"

#include <array>
#include <string>

namespace plimsoll::io::configs {

namespace {

constexpr std::string_view kBase = "as examples/configs/grpo_math_1B.yaml has it";

bool recognises(const Document& document) {
  int signs = 0;
  for (const char* section : {"policy", "cluster", "grpo", "dpo", "sft", "rm", "loss_fn", "checkpointing"}) signs += document.has_section(section) ? 1 : 0;
  return document.has_section("policy") && signs >= 3;
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
  else draft.set_assumed("group_size", "16", kBase);
  const auto penalty = document.real("loss_fn.reference_policy_kl_penalty");
  draft.set("kl_reference", penalty && *penalty == 0 ? "false" : "true");
  if (!penalty || *penalty != 0) draft.set("offload_roles", "true"); // the reference's weights wait on the host and change places with the policy's
  draft.set("learned_reward", "false");
  const bool apart = document.truth("policy.generation.colocated.enabled") == false;
  const bool megatron = document.text("policy.generation.backend") == "megatron";
  draft.set("rollout_engine", megatron && !apart ? "shared" : apart ? "separate" : "sleeping");
  if (const auto tokens = document.whole("policy.generation.max_new_tokens")) draft.set("completion_tokens", *tokens);
  if (const auto batch = document.whole("policy.logprob_batch_size")) draft.set("scoring_batch", *batch);
}

void read_degrees(Document& document, RequestBuilder& draft, const std::string& section, bool megatron) {
  draft.set_above_one("tensor_parallel", document.whole(section + (megatron ? "tensor_model_parallel_size" : "tensor_parallel_size")));
  draft.set_above_one("context_parallel", document.whole(section + "context_parallel_size"));
  if (document.is_on(section + "sequence_parallel") && draft.has("tensor_parallel")) draft.set("sequence_parallel", "true");
  draft.set("recompute", document.is_on(section + "activation_checkpointing") ? "full" : "none");
  if (!megatron) return;
  draft.set_above_one("pipeline_parallel", document.whole(section + "pipeline_model_parallel_size"));
  draft.set_above_one("expert_parallel", document.whole(section + "expert_model_parallel_size"));
  const auto expert_tensor = document.whole(section + "expert_tensor_parallel_size");
  if (draft.has("expert_parallel")) draft.set("expert_tensor_parallel", expert_tensor.value_or(1));
  draft.set_if("first_stage_layers", document.whole(section + "num_layers_in_first_pipeline_stage"));
  draft.set_if("last_stage_layers", document.whole(section + "num_layers_in_last_pipeline_stage"));
}

/// GPUs that train: all but those that a generator has for itself.
void read_cluster(Document& document, RequestBuilder& draft) {
  const auto each = document.whole("cluster.gpus_per_node"), nodes = document.whole("cluster.num_nodes");
  const bool apart = document.truth("policy.generation.colocated.enabled") == false;
  const auto taken = document.whole("policy.generation.colocated.resources.gpus_per_node"), taken_nodes = document.whole("policy.generation.colocated.resources.num_nodes");
  if (!each) return draft.miss_gpus();
  Count gpus = Count{*each} * Count{nodes.value_or(1)};
  if (apart && taken) gpus = gpus - Count{*taken} * Count{taken_nodes.value_or(1)};
  if (draft.gpus == 0 && gpus > Count{0}) draft.gpus = gpus.value;
  draft.take_gpus();
}

void read_batches(Document& document, RequestBuilder& draft) {
  if (const auto batch = document.whole("policy.train_micro_batch_size")) draft.set("batch", *batch);
  else draft.set_assumed("batch", "4", kBase);
  if (const auto length = document.whole("policy.max_total_sequence_length")) draft.set("context_tokens", *length);
  else draft.set_assumed("context_tokens", "512", kBase);
  const bool packs = document.truth("policy.sequence_packing.enabled").value_or(true), dynamic = document.is_on("policy.dynamic_batching.enabled");
  draft.set("batching", packs ? "packed" : "padded");
  if (!document.has("policy.sequence_packing.enabled")) draft.assume("batching = packed: sequence_packing is on by itself");
  if (dynamic) draft.assume("batch: dynamic batches hold as many tokens as train_micro_batch_size sequences of full length");
  const std::int64_t global = document.whole("policy.train_global_batch_size").value_or(512), replicas = whole_number(draft.text("data_parallel")).value_or(0);
  const std::int64_t count = times(global, (Count{whole_number(draft.text("batch")).value_or(1)} * Count{replicas}).value);
  if (count > 0) draft.set("micro_batches", count);
}

void read(Document& document, RequestBuilder& draft) {
  draft.set("task", "finetune");
  draft.set("method", "full");
  const bool megatron = document.is_on("policy.megatron_cfg.enabled");
  const std::string section = megatron ? "policy.megatron_cfg." : "policy.dtensor_cfg.";
  document.take(megatron ? "policy.dtensor_cfg.enabled" : "policy.megatron_cfg.enabled");
  if (const std::string name = document.text("policy.model_name"); !name.empty()) draft.name_model(name);
  else draft.miss_model("The file");
  draft.set("profile", megatron ? "megatron" : "fsdp2");
  draft.set("sharding", megatron ? "optimizer" : "parameters");
  draft.set("precision", megatron ? "master_bf16" : "sharded_bf16"); // DTensor keeps fp32 weights and gathers them in bf16
  draft.set("optimizer", megatron ? "adamw_fused" : "adamw_forloop"); // torch.optim.AdamW with foreach and fused off
  if (const std::string precision = document.text("policy.precision"); !precision.empty() && precision != "bfloat16") document.refuse("policy.precision", "bfloat16");
  if (megatron) draft.set("hidden_dropout", "false"), draft.set("attention_dropout", "false");
  if (document.is_on("policy.dtensor_cfg.cpu_offload") && !megatron) draft.set("offload", "parameters");
  if (document.is_on("policy.dtensor_cfg.lora_cfg.enabled") || document.is_on("policy.megatron_cfg.peft.enabled"))
    draft.refuse(megatron ? "policy.megatron_cfg.peft.enabled" : "policy.dtensor_cfg.lora_cfg.enabled", "Adapters of NeMo RL are not read.", "Leave them out, and set method and rank.");
  read_degrees(document, draft, section, megatron);
  read_cluster(document, draft);
  read_method(document, draft);
  read_batches(document, draft);
  if (document.has("defaults"))
    draft.say(Severity::note, "defaults", "The file changes " + document.text("defaults") + "; what it does not say is taken as grpo_math_1B.yaml has it.", "Give that file too.");
}

constexpr std::array kEffects{
    Effect{"policy.generation.vllm_cfg.gpu_memory_utilization policy.generation.vllm_cfg.tensor_parallel_size policy.generation.vllm_cfg.pipeline_parallel_size policy.generation.vllm_cfg.expert_parallel_size "
           "policy.generation.vllm_cfg.max_model_len policy.generation.mcore_generation_config",
           "how much the engine that generates takes for itself.", true},
    Effect{"policy.logprob_chunk_size policy.megatron_cfg.defer_fp32_logits policy.dtensor_cfg.automodel_kwargs*", "what the loss keeps."},
    Effect{"policy.megatron_cfg.fp8_cfg*", "multiplication in 8 bits.", false, Weight::decides},
    Effect{"policy.megatron_cfg.optimizer.optimizer_cpu_offload policy.megatron_cfg.optimizer.optimizer_offload_fraction", "the optimizer's states are on the host.", false, Weight::decides},
    Effect{"policy.optimizer.name", "another optimizer: set it as optimizer.", true},
    Effect{"policy.draft.*", "a draft model that trains beside it.", false, Weight::decides},
    Effect{"policy.generation.quant_cfg policy.quant_cfg", "quantised training.", false, Weight::decides},
    Effect{"policy.dtensor_cfg.expert_parallel_size", "GPUs that divide the experts: expert_parallel.", false, Weight::decides},
    Effect{"teacher.*", "a second model.", true, Weight::decides},
};

constexpr std::string_view kHarmless = "defaults grpo.* loss_fn.* checkpointing.* policy.tokenizer.* policy.optimizer.* policy.scheduler* policy.max_grad_norm policy.make_sequence_length_divisible_by "
                                       "policy.sequence_packing.* policy.dynamic_batching.* policy.generation_batch_size policy.generation.* policy.dtensor_cfg.* policy.megatron_cfg.* policy.hf_config_overrides* "
                                       "data.* env.* logger.* cluster.* sft.* dpo.* rm.* reward_model.*";

} // namespace

const Format& nemo_rl() noexcept {
  static const Format kFormat{.id = "nemo_rl",
                              .name = "NeMo RL",
                              .source = "NVIDIA-NeMo/RL, examples/configs/grpo_math_1B.yaml",
                              .syntax = Syntax::yaml,
                              .recognises = recognises,
                              .read = read,
                              .write = nullptr,
                              .harmless = kHarmless,
                              .effects = kEffects};
  return kFormat;
}

} // namespace plimsoll::io::configs
