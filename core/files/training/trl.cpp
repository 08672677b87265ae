// TRL's YAML for its command line (huggingface/trl, trl/scripts, trl/trainer/*_config.py, trl/trainer/model_config.py): TrainingArguments
// with other defaults, keys of the model and of the method.
#include "files/training/adapters.hpp"
#include "files/training/format.hpp"
#include "files/training/models.hpp"
#include "files/training/precision.hpp"
#include "files/training/training_arguments.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace plimsoll::io::configs {

namespace {

constexpr AdapterKeys kKeys{.rank = "lora_r", .targets = "lora_target_modules", .dropout = "lora_dropout", .dora = "use_dora", .modules = "lora_modules_to_save", .usual_dropout = true}; // lora_dropout = 0.05

bool recognises(const Document& document) {
  if (!document.has("model_name_or_path") && !document.has("use_peft")) return false;
  for (const char* key : {"block_size", "train_file", "dataset_config_name"}) // of transformers' own examples
    if (document.has(key)) return false;
  for (const char* key : {"use_peft", "lora_r", "max_length", "max_seq_length", "packing", "dataset_name", "attn_implementation", "torch_dtype", "dtype", "num_generations",
                          "loss_type", "max_prompt_length", "beta"})
    if (document.has(key)) return true;
  return false;
}

/// accelerate_config names one of TRL's own (trl/accelerate_configs), or a file.
std::string read_launcher(Document& document, RequestBuilder& draft) {
  const std::string name = document.text("accelerate_config");
  for (const char* known : {"zero1", "zero2", "zero3", "fsdp1", "fsdp2"})
    if (name == known) return name;
  if (!name.empty() && name != "single_gpu" && name != "multi_gpu")
    draft.say(Severity::warning, "accelerate_config", "Accelerate's configuration stands in another file, " + quoted(std::string_view{name}) + ".", "Import that file too.");
  return "";
}

/// From 1.7 on, SFT's head and loss run together over 256 tokens at a time, on an fp32 copy of the head (trl/trainer/sft_trainer.py, _chunk).
void read_loss(Document& document, RequestBuilder& draft, const std::string& loss) {
  if (draft.has("loss")) return;
  if (loss == "chunked_nll") {
    draft.set("loss", "linear_chunked");
    draft.say(Severity::note, "loss", "chunked_nll is taken as linear_chunked, which makes no fp32 copy of the head.", "Take 4 bytes per number of the head off usable_bytes.");
  } else if (loss.empty()) {
    draft.assume("loss: the logits of all tokens, as \"nll\" has them; TRL 1.7 and newer take \"chunked_nll\" by themselves, for which loss = linear_chunked is near");
  } else if (loss == "dft") {
    document.refuse("loss_type", "nll or chunked_nll");
  }
}

bool generates(const Document& document) { return document.has("num_generations") || document.has("max_completion_length"); }

/// The file is the same for all of TRL's commands; the method follows from keys that only one of them has.
void read_method(Document& document, RequestBuilder& draft) {
  const std::string loss = document.text("loss_type");
  std::string_view method = "none";
  if (generates(document)) method = "grpo";
  else if (document.has("desirable_weight") || document.has("undesirable_weight")) method = "kto";
  else if (document.has("beta") || document.has("precompute_ref_log_probs") || loss == "sigmoid" || loss == "ipo" || loss == "hinge") method = "dpo";
  if (loss == "simpo") method = "simpo";
  if (method == "dpo") { // ORPO has a beta too, and no reference model; recipes are named for their method
    std::string names;
    for (const char* key : {"output_dir", "hub_model_id", "run_name"})
      if (const Json* value = document.peek(key); value != nullptr) names += lower_case(plain_text(*value)) + " ";
    if (names.find("orpo") != std::string::npos) method = "orpo";
    else if (names.find("simpo") != std::string::npos) method = "simpo";
    else if (names.find("kto") != std::string::npos) method = "kto";
  }
  if (document.has("center_rewards_coefficient")) method = "reward_model";
  draft.set_assumed("preference", method, "told from the keys: TRL's command (sft, dpo, grpo …) is not in the file");
  if (method == "dpo" || method == "kto") {
    if (document.is_on("precompute_ref_log_probs")) draft.set("precomputed_reference", "true");
  }
  if (const Json* beta = document.take("beta"); beta != nullptr && method == "grpo")
    draft.set("kl_reference", *beta == Json(0) || *beta == Json(0.0) ? "false" : "true");
  if (method == "grpo" && !document.has("beta")) draft.set_assumed("kl_reference", "false", "beta is 0 by itself");
  if (method == "none") read_loss(document, draft, loss);
  if (method != "grpo") return;
  const bool vllm = document.is_on("use_vllm");
  const std::string mode = document.text("vllm_mode");
  draft.set("rollout_engine", !vllm ? "shared" : mode == "colocate" ? (document.is_on("vllm_enable_sleep_mode") ? "sleeping" : "copy") : "separate");
  draft.set_if("group_size", document.whole("num_generations"));
}

/// GRPO has no max_length: a prompt, and an answer of 256 tokens by itself (trl/trainer/grpo_config.py). Prompts were cut at 512 tokens until
/// max_prompt_length was left out (pull request 4300); since then nothing says how long they are.
void read_lengths(RequestBuilder& draft, std::optional<std::int64_t> prompt, std::optional<std::int64_t> answer) {
  if (!answer) draft.assume("completion_tokens = 256: max_completion_length is 256 by itself");
  if (!prompt) draft.assume("context_tokens: prompts of 512 tokens, where max_prompt_length was by itself until TRL left it out");
  const Count tokens{answer.value_or(256)};
  draft.set("completion_tokens", tokens.value);
  draft.set("context_tokens", (Count{prompt.value_or(512)} + tokens).value);
}

/// What one sequence takes.
void read_length(Document& document, RequestBuilder& draft) {
  const auto prompt = document.whole("max_prompt_length"), answer = document.whole("max_completion_length");
  if (generates(document)) return read_lengths(draft, prompt, answer);
  for (const char* key : {"max_length", "max_seq_length", "max_seq_len"})
    if (const auto length = document.whole(key)) return draft.set("context_tokens", *length);
  draft.set_assumed("context_tokens", "1024", "max_length is 1024 by itself in current versions");
}

void read(Document& document, RequestBuilder& draft) {
  if (const std::string model = document.text("model_name_or_path"); !model.empty()) draft.name_model(model);
  else draft.miss_model("The file");
  std::string dtype{dtype_word(document.text("torch_dtype"))};
  if (const std::string_view newer = dtype_word(document.text("dtype")); !newer.empty()) dtype = newer;
  const bool adapter = document.is_on("use_peft");
  const bool stored = document.is_auto("dtype") || document.is_auto("torch_dtype"); // as the checkpoint has them: 16 bits, but for the oldest
  if (stored) draft.assume("dtype = auto: weights are loaded as the checkpoint has them, which is taken to be bf16");
  const std::string launcher = read_launcher(document, draft);
  const bool half = stored || dtype == "bf16" || dtype == "fp16";
  read_training_arguments(document, draft, {.bf16 = true, .recomputes = true, .half_weights = half, .frozen = adapter, .launcher = launcher});
  if (document.is_on("use_liger")) { // SFTConfig until TRL 0.16: AutoLigerKernelForCausalLM loads the model
    draft.set("norms", "fused");
    draft.set("mlp", "fused");
    draft.set("loss", "liger_fused_linear");
  }
  if (document.is_on("activation_offloading")) {
    if (draft.text("recompute") == "full") draft.set("recompute", "offloaded"); // what the recomputed layers keep goes to the host
    else draft.set("activation_offload", "kept"); // every saved tensor
  }
  if (adapter) read_lora(document, draft, kKeys);
  else draft.set("method", "full");
  const std::string kind = document.text("bnb_4bit_quant_type");
  set_bits(draft, {document.is_on("load_in_4bit"), document.is_on("load_in_8bit"), document.is_on("use_bnb_nested_quant"), kind == "fp4" ? "fp4" : "nf4"});
  if (const std::string word = document.text("attn_implementation"); !word.empty()) {
    if (const std::string_view attention = attention_of(word); !attention.empty()) draft.set("attention", attention);
    else document.refuse("attn_implementation", "flash_attention_2, flash_attention_3, sdpa or eager");
  }
  read_length(document, draft);
  read_method(document, draft);
  if (document.is_on("packing")) draft.set("batching", "packed");
  else if (document.is_on("padding_free")) draft.set("batching", "padding_free");
}

/// Where nobody tells prompt and answer apart, the answer is as long as TRL takes by itself.
std::int64_t answer_of(const Source& source) {
  const std::int64_t stated = source.inputs().composition.completion_tokens;
  return stated > 0 ? stated : std::min<std::int64_t>(256, source.workload().context_tokens);
}

void write_method(const Source& source, Json& tree) {
  const Composition& method = source.inputs().composition;
  switch (method.method) {
    case Preference::dpo:
      tree["loss_type"] = "sigmoid";
      if (method.precomputed_reference) tree["precompute_ref_log_probs"] = true;
      return;
    case Preference::kto:
      tree["desirable_weight"] = 1.0;
      if (method.precomputed_reference) tree["precompute_ref_log_probs"] = true;
      return;
    case Preference::simpo: tree["loss_type"] = "simpo"; return;
    case Preference::reward_model: tree["center_rewards_coefficient"] = 0.01; return;
    case Preference::grpo:
      tree["num_generations"] = method.group_size;
      tree.erase("max_length");
      tree["max_completion_length"] = answer_of(source);
      tree["max_prompt_length"] = source.workload().context_tokens - answer_of(source);
      tree["beta"] = method.reference ? 0.04 : 0.0;
      tree["use_vllm"] = method.engine != RolloutEngine::shared;
      if (method.engine == RolloutEngine::copy || method.engine == RolloutEngine::sleeping) tree["vllm_mode"] = "colocate";
      if (method.engine == RolloutEngine::separate) tree["vllm_mode"] = "server";
      if (method.engine == RolloutEngine::sleeping) tree["vllm_enable_sleep_mode"] = true;
      return;
    case Preference::none: tree["loss_type"] = source.implementation().loss == LossKernel::linear_chunked ? "chunked_nll" : "nll"; return;
    default: return;
  }
}

void write(const Source& source, Json& tree) {
  const std::string model = model_text(source.catalog, source.inputs().model.id);
  if (!model.empty()) tree["model_name_or_path"] = model;
  const bool half = source.strategy().precision == Precision::bf16;
  tree["dtype"] = half ? "bfloat16" : "float32";
  const AttentionKernel attention = source.implementation().attention;
  if (attention == AttentionKernel::flash) tree["attn_implementation"] = "flash_attention_2";
  if (attention == AttentionKernel::eager) tree["attn_implementation"] = "eager";
  tree["max_length"] = source.workload().context_tokens;
  if (source.workload().batching == Batching::packed) tree["packing"] = true;
  if (source.workload().batching == Batching::padding_free) tree["padding_free"] = true;
  if (is_lora(source)) {
    tree["use_peft"] = true;
    write_lora(source, tree, kKeys);
    const std::string& weights = source.inputs().weights.scheme;
    if (weights.starts_with("nf4") || weights.starts_with("fp4")) {
      tree["load_in_4bit"] = true;
      tree["bnb_4bit_quant_type"] = weights.substr(0, 3);
      if (weights.ends_with("_double_quant")) tree["use_bnb_nested_quant"] = true;
    }
    if (weights.starts_with("int8_bnb")) tree["load_in_8bit"] = true;
  }
  write_method(source, tree);
  write_training_arguments(source, tree, {.bf16 = true, .recomputes = true, .half_weights = half});
  if (source.strategy().recompute == Recompute::offloaded) {
    tree.erase("gradient_checkpointing");
    tree["activation_offloading"] = true;
  } else if (moves_kept(source.strategy())) tree["activation_offloading"] = true;
}

constexpr std::array kEffects{
    kOwnLoop,
    Effect{"spectrum_config_path", "only the parameters of that file train.", false, Weight::decides}, // philschmid/deep-learning-pytorch-huggingface, training/scripts/run_sft.py
    Effect{"lora_target_parameters", "parameters that are no linear maps get adapters."},
    Effect{"cast_lm_head_to_fp32", "the head is held in fp32."},
    Effect{"cache_implementation use_transformers_paged", "how answers are generated, with a cache of another kind."},
    Effect{"bnb_4bit_quant_storage", "the format in which 4-bit weights are held for sharding."},
    Effect{"sync_ref_model ref_model_sync_steps ref_model_mixup_alpha", "the reference model is averaged with the one that trains."},
    Effect{"vllm_gpu_memory_utilization vllm_max_model_length vllm_tensor_parallel_size", "how much the engine that generates takes for itself.", true},
    Effect{"reward_model_path reward_funcs reward_model_name_or_path", "who scores answers; a model does it on a GPU too: learned_reward."},
    Effect{"teacher_model_name_or_path", "a teacher model is kept besides: preference=distillation and teacher_model."},
    Effect{"per_device_generation_batch_size generation_batch_size steps_per_generation num_iterations generation_kwargs*", "how many answers are generated at once: rollout_prompts."},
    Effect{"use_liger_loss use_liger_kernel_loss", "head and loss run together: loss=liger_fused_linear."},
    Effect{"model_init_kwargs*", "arguments of the model's loading.", true},
    Effect{"num_ppo_epochs whiten_rewards local_rollout_forward_batch_size num_sample_generations", "rollouts of PPO."},
    Effect{"truncation_side eval_packing", "what evaluation takes."},
    Effect{"logits_to_keep use_logits_to_keep", "logits of the answer alone are made."},
    Effect{"aux_loss_coef router_aux_loss_coef output_router_logits", "the router's logits are kept for a loss of their own."},
};

} // namespace

const Format& trl() noexcept {
  static constexpr std::array kCommands{ // trl/cli, trl/scripts and examples/scripts
    Command{.program = "trl", .then = "sft", .reads = Reads::file, .file_option = "--config", .method = "sft"},
    Command{.program = "trl", .then = "dpo", .reads = Reads::file, .file_option = "--config", .method = "dpo"},
    Command{.program = "trl", .then = "kto", .reads = Reads::file, .file_option = "--config", .method = "kto"},
    Command{.program = "trl", .then = "grpo", .reads = Reads::file, .file_option = "--config", .method = "grpo"},
    Command{.program = "trl", .then = "rloo", .reads = Reads::file, .file_option = "--config", .method = "rloo"},
    Command{.program = "trl", .then = "reward", .reads = Reads::file, .file_option = "--config", .method = "reward"},
    Command{.program = "sft.py", .reads = Reads::file, .file_option = "--config", .method = "sft"},
    Command{.program = "dpo.py", .reads = Reads::file, .file_option = "--config", .method = "dpo"},
    Command{.program = "kto.py", .reads = Reads::file, .file_option = "--config", .method = "kto"},
    Command{.program = "grpo.py", .reads = Reads::file, .file_option = "--config", .method = "grpo"},
    Command{.program = "gspo.py", .reads = Reads::file, .file_option = "--config", .method = "grpo"}, // sets how ratios are weighted, and nothing else
    Command{.program = "rloo.py", .reads = Reads::file, .file_option = "--config", .method = "rloo"},
    Command{.program = "ssd.py", .reads = Reads::file, .file_option = "--config", .method = "ssd"},
    Command{.program = "orpo.py", .reads = Reads::file, .file_option = "--config", .method = "orpo"},
    Command{.program = "gkd.py", .reads = Reads::file, .file_option = "--config", .method = "gkd"},
    Command{.program = "reward_modeling.py", .reads = Reads::file, .file_option = "--config", .method = "reward"}
  };
  static const Format kFormat{
      .id = "trl",
      .name = "TRL",
      .source = "huggingface/trl, trl/trainer/sft_config.py and trl/trainer/model_config.py",
      .syntax = Syntax::yaml,
      .recognises = recognises,
      .read = read,
      .write = write,
      .harmless = "dataset_name prompt_column filter_empty dataset_config dataset_configs dataset_mixture* dataset_mixer* dataset_splits preprocessing_num_workers chat_template vllm_device dataset_train_split dataset_test_split dataset_streaming dataset_text_field dataset_kwargs* "
                  "dataset_num_proc dataset_batch_size streaming datasets datasets[]* gradient_checkpointing_use_reentrant ignore_bias_buffers model_revision "
                  "trust_remote_code lora_alpha lora_task_type use_rslora base_model_revision chat_template_path eos_token pad_token "
                  "truncation_mode shuffle_dataset packing_strategy pad_to_multiple_of completion_only_loss assistant_only_loss "
                  "use_flash_attention_2 desirable_weight undesirable_weight center_rewards_coefficient label_smoothing loss_weights "
                  "f_divergence_type reference_free rpo_alpha max_grad_norm temperature top_p top_k min_p repetition_penalty epsilon epsilon_high "
                  "scale_rewards reward_weights log_completions mask_truncated_completions vllm_server_host vllm_server_port "
                  "vllm_server_timeout vllm_server_base_url shuffle_dataset env concatenate_datasets config disable_dropout num_completions_to_print "
                  "wandb_project wandb_entity ds3_gather_for_generation num_generations_eval delta sapo_temperature_* vllm_model_impl vllm_structured_outputs_regex vllm_guided_decoding_regex "
                  "vllm_group_port vllm_importance_sampling_* off_policy_mask_threshold use_bias_correction_kl log_unique_prompts log_completions_hub_repo "
                  "chat_template_kwargs* entropy_coef top_entropy_quantile model_code_revision cpo_alpha simpo_gamma importance_sampling_level gamma_beta_ratio system_prompt dataset_prompt_column dataset_id_or_path tokenizer_name_or_path model_adapter_name ref_adapter_name",
      .effects = kEffects,
      .shared_harmless = training_arguments_harmless(),
      .shared_effects = training_arguments_effects(),
      .commands = kCommands};
  return kFormat;
}

} // namespace plimsoll::io::configs
