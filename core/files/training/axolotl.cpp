// Axolotl's YAML (axolotl-ai-cloud/axolotl, src/axolotl/utils/schemas/config.py and its neighbours). Models are loaded in the format of the
// computation (src/axolotl/utils/config/__init__.py, normalize_config: bf16 makes torch_dtype bfloat16).
#include "files/training/axolotl_keys.hpp"

#include "files/training/adapters.hpp"
#include "files/training/deepspeed.hpp"
#include "files/training/format.hpp"
#include "files/training/fsdp.hpp"
#include "files/training/models.hpp"
#include "files/training/precision.hpp"
#include "files/training/print.hpp"
#include "files/training/training_arguments.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace plimsoll::io::configs {

namespace {

constexpr AdapterKeys kKeys{.rank = "lora_r", .targets = "lora_target_modules", .dropout = "lora_dropout", .dora = "peft_use_dora", .modules = "lora_modules_to_save"};

bool recognises(const Document& document) { return document.has("base_model") && !document.has("finetuning_type"); }

void read_adapter(Document& document, RequestBuilder& draft) {
  const std::string adapter = document.text("adapter");
  // src/axolotl/utils/schemas/peft.py, auto_detect_qlora
  const std::string backend = document.text("peft.backend"), format = document.text("peft.weight_dtype");
  if (backend == "torchao" && !format.empty()) document.refuse("peft.weight_dtype", "a format of bitsandbytes, with peft.backend: bnb");
  const bool bnb = backend != "torchao";
  const bool four = document.is_on("load_in_4bit") || (bnb && format == "nf4"), eight = document.is_on("load_in_8bit") || (bnb && format == "int8");
  if (adapter.empty()) return draft.set("method", "full");
  if (adapter != "lora" && adapter != "qlora") return document.refuse("adapter", "lora or qlora");
  if (document.is_on("lora_target_linear")) {
    document.take("lora_target_modules");
    draft.set("targets", "all_linear");
  } else if (document.has("lora_target_parameters") && !document.has("lora_target_modules")) return draft.refuse("lora_target_parameters", "Only parameters that are no linear maps get adapters, which is not covered.", "Name maps under lora_target_modules.");
  read_lora(document, draft, kKeys);
  if (document.truth("peft_autocast_adapter_dtype") == false) draft.set("adapter_dtype", "half"); // otherwise PEFT raises them to fp32
  // src/axolotl/loaders/model.py quantises twice unless bnb_config_kwargs say otherwise
  set_bits(draft, {four || (adapter == "qlora" && !eight), eight, document.truth("bnb_config_kwargs.bnb_4bit_use_double_quant").value_or(true), "nf4", document.is_on("quantize_moe_experts")});
}

bool read_fsdp_keys(Document& document, RequestBuilder& draft) {
  const std::vector<std::string> words = document.texts("fsdp");
  if ((words.empty() || words.front() == "false") && !document.has_section("fsdp_config") && !document.has("fsdp_version")) return false;
  std::string strategy = "full_shard";
  for (const std::string& word : words)
    if (word == "shard_grad_op" || word == "no_shard" || word.starts_with("hybrid_shard")) strategy = word;
  if (std::ranges::find(words, "offload") != words.end()) draft.set("offload", "parameters");
  read_fsdp(document, draft, "fsdp_config", strategy, {.version = document.whole("fsdp_version").value_or(1)});
  return true;
}

void read_deepspeed_key(Document& document, RequestBuilder& draft, bool& deepspeed) {
  if (document.has_section("deepspeed")) {
    read_deepspeed(document, draft, "deepspeed.");
    deepspeed = true;
    return;
  }
  const Json* path = document.peek("deepspeed");
  if (path == nullptr || !path->is_string() || path->get<std::string>().empty()) return void(document.take("deepspeed"));
  deepspeed = true;
  read_deepspeed_path(document, draft);
}

void read_precision(Document& document, RequestBuilder& draft) {
  bool deepspeed = false;
  read_deepspeed_key(document, draft, deepspeed);
  const bool fsdp = !deepspeed && read_fsdp_keys(document, draft);
  const bool stated = document.has("bf16") || document.has("fp16") || document.has("bfloat16") || document.has("float16") || document.has("fp8");
  const bool automatic = document.is_auto("bf16");
  const bool fp16 = document.any_on({"fp16", "float16"});
  const bool full = document.text("bf16") == "full"; // the Trainer evaluates in bf16 too
  const bool bf16 = automatic || full || document.is_on("bfloat16") || (!automatic && !full && document.is_on("bf16")) || (!stated && !fp16);
  if (automatic || !stated) draft.assume("bf16 = true: \"auto\" is bf16 on GPUs that have it");
  const bool gathered = document.is_on("fp8_enable_fsdp_float8_all_gather");
  if (document.is_on("fp8")) draft.set("fp8", gathered ? "gathered" : "compute");
  // Its own fsdp2_prepare_model (src/axolotl/monkeypatch/accelerate/fsdp2.py) leaves weights as they were loaded.
  const bool raised = fsdp && draft.text("profile") == "fsdp1";
  const bool frozen = !document.text("adapter").empty();
  draft.set("precision", precision_of({.bf16 = bf16, .fp16 = fp16 && !bf16, .half_weights = bf16 && !deepspeed, .fsdp = raised, .frozen = frozen, .deepspeed = deepspeed}));
  if (fsdp) draft.set("loss", "hf_trainer");
}

void read_batches(Document& document, RequestBuilder& draft) {
  const auto micro = document.whole("micro_batch_size"), steps = document.whole("gradient_accumulation_steps"), all = document.whole("batch_size");
  if (micro) draft.set("batch", *micro);
  else draft.set_assumed("batch", "1", "micro_batch_size is 1 by itself");
  if (steps) draft.set("micro_batches", *steps);
  else if (all && micro && *micro > 0 && *all % *micro == 0) draft.set("micro_batches", *all / *micro);
  if (const auto length = document.whole("sequence_len")) draft.set("context_tokens", *length);
  else draft.set_assumed("context_tokens", "512", "sequence_len is 512 by itself");
  document.truth("pad_to_sequence_len"); // the estimate takes whole rows
  if (document.is_on("sample_packing")) draft.set("batching", "packed");
  else if (document.is_on("batch_flattening")) draft.set("batching", "padding_free");
}

/// What a plugin that is listed switches on by itself: CutCrossEntropyArgs has cut_cross_entropy on, LigerArgs everything off
/// (src/axolotl/integrations/cut_cross_entropy/args.py, liger/args.py). Others that are known do what keys of their own say.
bool read_plugins(Document& document, RequestBuilder& draft) {
  bool cuts = false;
  for (const std::string& plugin : document.texts("plugins")) {
    const std::string name = plugin.substr(plugin.find_last_of('.') + 1);
    if (name == "CutCrossEntropyPlugin") cuts = true;
    else if (name == "KDPlugin") draft.refuse("plugins", "Distillation by Axolotl's plugin is not read here.", "State preference=distillation and the teacher's model.");
    else if (name != "LigerPlugin" && name != "KernelsPlugin" && name != "SpectrumPlugin" && name != "GrokfastPlugin" && name != "SwanLabPlugin" && name != "LMEvalPlugin" && name != "LLMCompressorPlugin" && name != "DenseMixerPlugin")
      draft.say(Severity::warning, "plugins", "What the plugin " + quoted(std::string_view{name}) + " changes is not in the estimate.", "Set the input that does the same where there is one.");
  }
  return cuts;
}

void read_kernels(Document& document, RequestBuilder& draft) {
  const std::string word = document.text("attn_implementation");
  const bool flash = document.any_on({"flash_attention", "sdp_attention", "xformers_attention", "flex_attention"});
  if (document.is_on("eager_attention") || word == "eager") draft.set("attention", "eager");
  else if (flash || !attention_of(word).empty()) draft.set("attention", "flash");
  if (document.any_on({"liger_rms_norm", "flash_attn_rms_norm", "unsloth_rms_norm"})) draft.set("norms", "fused");
  if (document.any_on({"liger_glu_activation", "liger_swiglu"})) draft.set("mlp", "fused");
  const bool listed = read_plugins(document, draft);
  const bool cut = document.truth("cut_cross_entropy").value_or(listed);
  if (listed && cut && !document.has("cut_cross_entropy")) draft.assume("loss = liger_fused_linear: the plugin for Cut Cross-Entropy is on where it is listed, and keeps no logits either");
  if (document.is_on("liger_fused_linear_cross_entropy") || cut) draft.set("loss", "liger_fused_linear");
  else if (document.is_on("liger_cross_entropy")) draft.set("loss", "liger");
  else if (document.is_on("chunked_cross_entropy")) draft.set("loss", "chunked");
  if (document.is_auto("torch_compile")) return;
  if (!document.is_on("torch_compile")) return;
  draft.set("norms", "compiled");
  draft.set("mlp", "compiled");
}

void read_method(Document& document, RequestBuilder& draft) {
  const std::string method = document.text("rl");
  for (const char* known : {"dpo", "kto", "orpo", "simpo", "grpo"})
    if (method == known) draft.set("preference", method);
  if (method == "ipo") draft.set("preference", "dpo");
  else if (!method.empty() && !draft.has("preference")) document.refuse("rl", "dpo, ipo, kto, orpo, simpo or grpo");
  if (document.is_on("reward_model")) draft.set("preference", "reward_model");
  if (document.has("pretraining_dataset") && !document.has("adapter")) draft.assume("task = finetune: pretraining_dataset streams text to a model that is trained already");
}

/// Patterns of the names of all parameters but those of towers: what the estimate takes by itself. src/axolotl/train.py applies them after the
/// adapter, whose names begin otherwise (src/axolotl/utils/freeze.py matches from the beginning): nothing would train then.
void read_unfrozen(Document& document, RequestBuilder& draft) {
  const Json* list = document.peek("unfrozen_parameters");
  if (list == nullptr || !list->is_array() || document.has("adapter")) return;
  std::vector<std::string> patterns;
  for (const Json& pattern : *list) patterns.push_back(plain_text(pattern));
  const auto begins = [&](std::string_view name) {
    return std::ranges::any_of(patterns, [&](std::string_view pattern) { return pattern.substr(pattern.starts_with('^') ? 1 : 0).starts_with(name); });
  };
  const auto is_whole = [](std::string_view pattern) { return pattern.find_first_of("[0123456789") == std::string_view::npos; };
  if (!std::ranges::all_of(patterns, is_whole) || !begins("model.language_model.*") || !begins("lm_head")) return;
  document.take("unfrozen_parameters");
  draft.assume("train_towers = false: unfrozen_parameters name the language model and its head");
}

void read_optimizer(Document& document, RequestBuilder& draft) {
  const std::string word = document.text("optimizer");
  if (word.empty()) return draft.set_assumed("optimizer", "adamw_fused", "optimizer is adamw_torch_fused by itself");
  const std::string_view choice = word == "muon" ? "muon" : optimizer_of(word);
  if (choice.empty()) document.refuse("optimizer", known_optimizers());
  else draft.set("optimizer", choice);
}

void read_degrees(Document& document, RequestBuilder& draft) {
  draft.set_above_one("tensor_parallel", document.whole("tensor_parallel_size"));
  for (const char* key : {"context_parallel_size", "sequence_parallel_degree"})
    if (const auto size = document.whole(key); size && *size > 1) draft.set("context_parallel", *size);
  const std::int64_t replicas = document.whole("dp_replicate_size").value_or(1), shards = document.whole("dp_shard_size").value_or(replicas > 1 ? 1 : 0);
  if (shards <= 0 || replicas <= 0) return draft.miss_gpus();
  draft.set("data_parallel", (Count{shards} * Count{replicas}).value);
  if (replicas > 1 && shards > 1) draft.set("shard_group", shards);
}

/// src/axolotl/utils/schemas/validation.py, core/builders/base.py, _configure_gradient_checkpointing, and loaders/model.py,
/// _apply_activation_checkpointing: "offload" becomes activation_offloading, which takes the place of Trainer's checkpointing; where all
/// weights train, layers are made to run again all the same. "unsloth" and hidden_states move the layers' inputs alone.
void read_recompute(Document& document, RequestBuilder& draft) {
  const std::string recompute = document.text("gradient_checkpointing"), offloads = document.text("activation_offloading");
  if (recompute == "offload_disk") return document.refuse("gradient_checkpointing", "true, false or offload");
  const bool all = recompute == "offload" || truth_word(offloads).value_or(false) || offloads == "legacy";
  if (!all && offloads != "hidden_states" && !offloads.empty() && truth_word(offloads) != false) document.refuse("activation_offloading", "true, false, legacy or hidden_states");
  if (recompute == "unsloth" || offloads == "hidden_states" || (all && document.text("adapter").empty())) return draft.set("recompute", "offloaded");
  if (all) return draft.set("activation_offload", "kept");
  if (truth_word(recompute).value_or(false)) draft.set("recompute", "full");
}

void read(Document& document, RequestBuilder& draft) {
  draft.name_model(document.text("base_model"));
  draft.set("profile", "hf_trainer");
  draft.take_ray(document);
  read_batches(document, draft);
  read_optimizer(document, draft);
  read_recompute(document, draft);
  read_precision(document, draft);
  read_adapter(document, draft);
  read_kernels(document, draft);
  read_method(document, draft);
  read_unfrozen(document, draft);
  read_degrees(document, draft);
}

void write_precision(const Source& source, Json& tree) {
  const Strategy& strategy = source.strategy();
  const std::string precision = source.text("precision");
  tree["bf16"] = precision.find("bf16") != std::string::npos;
  if (precision.find("fp16") != std::string::npos) tree["fp16"] = true;
  const bool master = precision.starts_with("master");
  if (is_fsdp(source)) {
    tree["fsdp_version"] = source.answer.profile_id == "fsdp2" ? 2 : 1;
    write_fsdp(source, tree, "fsdp_config", "");
    tree["fsdp_config"].erase("version");
  } else if (strategy.sharding != Sharding::none || master) {
    Json section = Json::object();
    write_deepspeed_sizes(source, section, true);
    tree["deepspeed"] = section;
  }
}

void write_adapter(const Source& source, Json& tree) {
  if (!is_lora(source)) return;
  const std::string& weights = source.inputs().weights.scheme;
  const bool four = weights.starts_with("nf4");
  tree["adapter"] = four ? "qlora" : "lora";
  if (four) tree["load_in_4bit"] = true;
  if (four && !weights.ends_with("_double_quant")) put(tree, "bnb_config_kwargs.bnb_4bit_use_double_quant", false);
  const bool eight = weights.starts_with("int8_bnb");
  if (eight) tree["load_in_8bit"] = true;
  if ((four || eight) && weights.find("_maps") == std::string::npos && has_experts(source.inputs().model)) tree["quantize_moe_experts"] = true;
  write_lora(source, tree, kKeys);
}

void write_kernels(const Source& source, Json& tree) {
  const Implementation& kernels = source.implementation();
  if (kernels.attention == AttentionKernel::flash) tree["flash_attention"] = true;
  if (kernels.attention == AttentionKernel::eager) tree["eager_attention"] = true;
  const bool linear = kernels.loss == LossKernel::liger_fused_linear, plain = kernels.loss == LossKernel::liger;
  if (linear || plain || kernels.norms == Fusion::fused || kernels.mlp == Fusion::fused) tree["plugins"] = Json::array({"axolotl.integrations.liger.LigerPlugin"});
  if (kernels.norms == Fusion::fused) tree["liger_rms_norm"] = true;
  if (kernels.mlp == Fusion::fused) tree["liger_glu_activation"] = true;
  if (linear) tree["liger_fused_linear_cross_entropy"] = true;
  if (plain) tree["liger_cross_entropy"] = true;
  if (kernels.norms == Fusion::compiled) tree["torch_compile"] = true;
}

void write(const Source& source, Json& tree) {
  const Strategy& strategy = source.strategy();
  const std::string model = model_text(source.catalog, source.inputs().model.id);
  tree["base_model"] = model.empty() ? "MODEL" : model;
  write_adapter(source, tree);
  tree["sequence_len"] = source.workload().context_tokens;
  if (source.workload().batching == Batching::packed) tree["sample_packing"] = true;
  if (source.workload().batching == Batching::padding_free) tree["batch_flattening"] = true;
  tree["micro_batch_size"] = source.workload().batch;
  tree["gradient_accumulation_steps"] = source.workload().micro_batches;
  const std::string optimizer = source.text("optimizer");
  if (const std::string_view word = optimizer == "muon" ? "muon" : optimizer_word(optimizer); !word.empty()) tree["optimizer"] = word;
  const bool moves = moves_kept(strategy), inputs = strategy.recompute == Recompute::offloaded;
  tree["gradient_checkpointing"] = moves || inputs || strategy.recompute == Recompute::full;
  if (moves || inputs) tree["activation_offloading"] = moves ? Json(true) : Json("hidden_states");
  write_precision(source, tree);
  write_kernels(source, tree);
  if (strategy.tensor_parallel > 1) tree["tensor_parallel_size"] = strategy.tensor_parallel;
  if (strategy.context_parallel > 1) tree["context_parallel_size"] = strategy.context_parallel;
  if (strategy.data_parallel > 1) {
    const bool shards = is_fsdp(source) && strategy.sharding == Sharding::parameters;
    const std::int64_t groups = shards ? times(strategy.data_parallel, strategy.shard_group) : 0;
    if (shards) tree["dp_shard_size"] = groups > 0 ? strategy.shard_group : strategy.data_parallel;
    if (!shards || groups > 0) tree["dp_replicate_size"] = groups > 0 ? groups : strategy.data_parallel;
  }
  const Preference method = source.inputs().composition.method;
  if (method == Preference::reward_model) tree["reward_model"] = true;
  else if (method != Preference::none && method != Preference::ppo && method != Preference::distillation) tree["rl"] = source.text("preference");
}

} // namespace

const Format& axolotl() noexcept {
  static constexpr std::array kCommands{ // src/axolotl/cli
    Command{.program = "axolotl", .then = "train", .reads = Reads::file},
    Command{.program = "axolotl.cli.train", .reads = Reads::file},
    Command{.program = "scripts/finetune.py", .reads = Reads::file}
  };
  static const Format kFormat{.id = "axolotl",
                              .name = "Axolotl",
                              .source = "axolotl-ai-cloud/axolotl, src/axolotl/utils/schemas/config.py",
                              .syntax = Syntax::yaml,
                              .recognises = recognises,
                              .read = read,
                              .write = write,
                              .harmless = axolotl_harmless(),
                              .effects = axolotl_effects(),
                              .shared_harmless = training_arguments_harmless(),
                              .shared_effects = training_arguments_effects(),
                              .commands = kCommands};
  return kFormat;
}

} // namespace plimsoll::io::configs
