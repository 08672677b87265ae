// LLaMA-Factory's YAML (hiyouga/LLaMA-Factory, src/llamafactory/hparams/{model,data,finetuning}_args.py; examples): TrainingArguments and keys
// of its own. src/llamafactory/model/adapter.py says which weights train in fp32.
#include "files/training/adapters.hpp"
#include "files/training/format.hpp"
#include "files/training/megatron_shared.hpp"
#include "files/training/models.hpp"
#include "files/training/precision.hpp"
#include "files/training/training_arguments.hpp"
#include "text/value.hpp"

#include <array>
#include <string>

namespace plimsoll::io::configs {

namespace {

constexpr AdapterKeys kKeys{.rank = "lora_rank", .targets = "lora_target", .dropout = "lora_dropout", .dora = "use_dora", .modules = "additional_target", .usual_rank = 8, .usual_targets = "all_linear"};

/// The schema of its version 1 (src/llamafactory/v1/config): "model" in place of "model_name_or_path", sections for adapters and sharding.
bool is_version_1(const Document& document) {
  return document.has("model") && !document.has_section("model") && (document.has("train_dataset") || document.has_section("dist_config") || document.has_section("peft_config") || document.has_section("kernel_config"));
}

/// Files of other commands of the same program: chat, api, export.
bool is_other_command(const Document& document) { return document.has("model_name_or_path") && (document.has("export_dir") || document.has("infer_backend")) && !document.has("output_dir"); }

bool recognises(const Document& document) {
  if (is_version_1(document) || is_other_command(document)) return true;
  for (const char* key : {"finetuning_type", "cutoff_len", "lora_target"})
    if (document.has(key) && !document.has("base_model")) return true;
  if (document.has("model_name_or_path") && (document.has("flash_attn") || document.has("dataset_dir"))) return true; // which others have too
  return document.has("stage") && document.has("template");
}

void read_stage(Document& document, RequestBuilder& draft) {
  const std::string stage = document.text("stage"), loss = document.text("pref_loss");
  if (stage == "pt") return; // text as it is, on a model that is trained already
  if (stage == "dpo") draft.set("preference", loss == "orpo" ? "orpo" : loss == "simpo" ? "simpo" : "dpo");
  else if (stage == "kto") draft.set("preference", "kto");
  else if (stage == "rm") draft.set("preference", "reward_model");
  else if (stage == "ppo") draft.set("preference", "ppo");
  else if (!stage.empty() && stage != "sft") document.refuse("stage", "pt, sft, rm, ppo, dpo or kto");
}

/// GaLore, APOLLO, Adam-mini and Muon are switches beside "optim".
void read_optimizer(Document& document, RequestBuilder& draft) {
  for (const auto& [key, choice] : {std::pair{"use_galore", "galore"}, std::pair{"use_apollo", "apollo"}, std::pair{"use_adam_mini", "adam_mini"}, std::pair{"use_muon", "muon"}})
    if (document.is_on(key)) {
      document.take("optim");
      draft.set("optimizer", choice);
    }
  const std::string optimizer = draft.text("optimizer");
  if (optimizer != "galore" && optimizer != "apollo") return;
  if (const auto rank = document.whole(optimizer + "_rank")) draft.set("optimizer_rank", *rank);
  else draft.set_assumed("optimizer_rank", "16", optimizer + "_rank is 16 by itself");
  if (document.is_on(optimizer + "_layerwise")) draft.set("optimizer_in_backward", "true");
}

/// src/llamafactory/model/adapter.py, _setup_freeze_tuning, and of the second schema src/llamafactory/v1/plugins/model_plugins/peft.py: the last
/// layers train whole. Some of their modules alone, or modules besides, are named as what is not covered.
void read_freeze(Document& document, RequestBuilder& draft, const std::string& section) {
  const std::string layers_key = section + "freeze_trainable_layers", modules_key = section + "freeze_trainable_modules";
  const std::int64_t layers = document.whole(layers_key).value_or(2);
  if (layers < 1) return document.refuse(layers_key, "a number of last layers; the first ones alone have no input");
  draft.set("method", "last_layers");
  draft.set("trained_layers", layers);
  if (const Json* modules = document.peek(modules_key); modules != nullptr && *modules == "all") document.take(modules_key);
  if (section.empty()) return;
  const std::string extra_key = section + "freeze_extra_modules";
  const bool is_all = document.texts(modules_key).empty() || document.text(modules_key) == "all";
  if (!is_all) document.refuse(modules_key, "all: some modules of a layer alone are not covered");
  if (!document.texts(extra_key).empty()) document.refuse(extra_key, "null: modules that train besides the last layers are not covered");
}

void read_method(Document& document, RequestBuilder& draft, const std::string& type) {
  if (type == "full") return draft.set("method", "full");
  if (type == "lora") return read_lora(document, draft, kKeys);
  if (type == "oft") { // by blocks of a size, unless a rank says how many blocks there are
    draft.set("method", "oft");
    const auto blocks = document.whole("oft_rank"), size = document.whole("oft_block_size");
    if (blocks && *blocks > 0) draft.set("adapter_blocks", *blocks);
    else if (size) draft.set("adapter_block_size", *size);
    else draft.set_assumed("adapter_block_size", "32", "oft_block_size is 32 by itself");
    const std::vector<std::string> names = document.texts("oft_target");
    if (names.empty()) return draft.set_assumed("targets", "all_linear", "oft_target is all by itself");
    return set_targets(document, draft, "oft_target", names);
  }
  if (type == "freeze") return read_freeze(document, draft, "");
  document.refuse("finetuning_type", "full, lora, oft or freeze");
  draft.set("method", "full");
}

void read_kernels(Document& document, RequestBuilder& draft) {
  const std::string word = document.text("flash_attn");
  if (word.empty() || word == "auto") return;
  if (const std::string_view attention = attention_of(word); !attention.empty()) draft.set("attention", attention);
  else document.refuse("flash_attn", "auto, fa2, sdpa or disabled");
}

void read_version_1(Document& document, RequestBuilder& draft) {
  if (document.has("peft_config.export_dir")) return draft.refuse("peft_config.export_dir", "The file exports a model, and trains nothing.", "Give the file that trains.");
  draft.name_model(document.text("model"));
  draft.assume("preference = none: the command (sft, dpo or rm) says the method, and not the file");
  draft.set("profile", "hf_trainer");
  const std::int64_t batch = document.whole("micro_batch_size").value_or(1);
  draft.set("batch", batch);
  draft.set_if("context_tokens", document.whole("cutoff_len"));
  // src/llamafactory/v1/core/base_trainer.py, _init_optimizer, and plugins/trainer_plugins/optimizers
  if (const std::string optimizer = document.text("optim_config.name"); optimizer == "muon") draft.set("optimizer", "muon");
  else if (!optimizer.empty()) document.refuse("optim_config.name", "muon");
  else draft.set_assumed("optimizer", "adamw_foreach", "torch.optim.AdamW without a choice");
  const std::string adapter = document.text("peft_config.name"), sharding = document.text("dist_config.name"), kernels = document.text("kernel_config.name"), quantised = document.text("quant_config.name");
  if (adapter.empty()) draft.set("method", "full");
  else if (adapter == "lora" || adapter == "qlora") {
    constexpr AdapterKeys kSection{.rank = "peft_config.r", .targets = "peft_config.target_modules", .dropout = "peft_config.lora_dropout", .dora = "peft_config.use_dora", .modules = "peft_config.modules_to_save", .usual_rank = 8, .usual_targets = "all_linear"};
    read_lora(document, draft, kSection);
  } else if (adapter == "freeze") read_freeze(document, draft, "peft_config.");
  else document.refuse("peft_config.name", "lora or freeze");
  if (quantised == "bnb" || quantised == "bitsandbytes") set_bits(draft, {document.whole("quant_config.quantization_bit").value_or(4) == 4, document.whole("quant_config.quantization_bit") == 8, true});
  else if (!quantised.empty()) document.refuse("quant_config.name", "bnb");
  if (sharding == "fsdp2") {
    draft.set("profile", "fsdp2");
    draft.set("sharding", "parameters");
  } else if (sharding == "deepspeed") {
    draft.set("profile", "deepspeed");
    draft.say(Severity::warning, "dist_config.config_file", "DeepSpeed's configuration stands in another file.", "Import that file too, and take its sharding and offload.");
  } else if (!sharding.empty() && sharding != "ddp") document.refuse("dist_config.name", "fsdp2, deepspeed or ddp");
  document.take("dist_config.config_file");
  if (kernels.find("liger") != std::string::npos) {
    draft.set("norms", "fused");
    draft.set("mlp", "fused");
  }
  const bool bf16 = document.truth("bf16").value_or(true); // v1/config/training_args.py
  // v1/core/model_engine.py: all weights in fp32 where all of them train; FSDP2 and DeepSpeed alone compute in bf16, for there is no autocast
  draft.set("precision", !adapter.empty() ? "bf16" : !bf16 || sharding.empty() || sharding == "ddp" ? "fp32" : sharding == "fsdp2" ? "sharded_bf16" : "master_bf16");
  draft.assume("precision: frozen weights are as the checkpoint has them, those that train in fp32");
  if (!document.has("enable_activation_checkpointing")) draft.set_assumed("recompute", "full", "enable_activation_checkpointing is on by itself");
  else draft.set("recompute", document.is_on("enable_activation_checkpointing") ? "full" : "none");
  if (const std::string attention = document.text("flash_attn"); attention == "flash_attention_2") draft.set("attention", "flash");
  else if (attention == "eager") draft.set("attention", "eager");
  if (document.text("batching_strategy").ends_with("padding_free")) draft.set("batching", "padding_free"); // or dynamic_padding_free
  const std::string division = document.text("cp_mode");
  draft.set_above_one("context_parallel", document.whole("cp_size"));
  if (!division.empty() && division != "ulysses") document.refuse("cp_mode", "ulysses");
  else if (draft.has("context_parallel")) draft.set("context_method", "ulysses");
  draft.set_above_one("tensor_parallel", document.whole("dist_config.tensor_model_parallel_size"));
  draft.miss_gpus();
  if (const auto global = document.whole("global_batch_size"))
    draft.set_above_one("micro_batches", times(*global, (Count{batch} * Count{whole_number(draft.text("data_parallel")).value_or(1)}).value));
}

/// llamafactory-cli chat, api and webchat serve with what infer_backend names (src/llamafactory/chat/chat_model.py), huggingface by itself.
void read_chat(Document& document, RequestBuilder& draft) {
  if (document.has("export_dir")) return draft.refuse("export_dir", "The file exports a model, and trains and serves nothing.", "Give the file of llamafactory-cli train or chat.");
  draft.set("task", "inference");
  draft.name_model(document.text("model_name_or_path"));
  const std::string backend = document.text("infer_backend");
  if (backend == "vllm" || backend == "sglang") draft.set("profile", backend);
  else if (backend == "huggingface" || backend == "hf") draft.set("profile", "transformers");
  else document.refuse("infer_backend", "huggingface, vllm or sglang");
  const auto bits = document.whole("quantization_bit");
  if (bits && *bits != 4 && *bits != 8) document.refuse("quantization_bit", "4 or 8");
  else if (bits) set_bits(draft, {*bits == 4, *bits == 8, document.truth("double_quantization").value_or(true)});
  if (document.has("adapter_name_or_path")) draft.say(Severity::warning, "adapter_name_or_path", "Adapters that are loaded besides are not in the estimate.", "Take what they need off usable_bytes.");
  document.take("adapter_name_or_path");
  if (backend != "vllm" && backend != "sglang") return draft.set_if("context_tokens", document.whole("cutoff_len"));
  const std::string longest = backend + "_maxlen", share = backend == "vllm" ? "vllm_gpu_util" : "sglang_mem_fraction"; // hparams/model_args.py
  if (const auto tokens = document.whole(longest)) draft.set("context_tokens", *tokens);
  else draft.set_assumed("context_tokens", "4096", longest + " is 4096 by itself");
  if (!draft.set_permille("memory_permille", document.real(share))) draft.set_assumed("memory_permille", "700", share + " is 0.7 by itself");
}

/// Arguments of Megatron Core, to which USE_MCA=1 hands the file (src/llamafactory/hparams/parser.py, _parse_train_mca_args; train/mca/workflow.py): the
/// Trainer has none of them. What the Trainer's arguments say of formats and layers does not count then.
struct Megatron {
  bool is = false;
  std::string precision, recompute, optimizer;
};

Megatron read_mca(Document& document, RequestBuilder& draft) {
  Megatron megatron;
  for (const char* name : {"tensor_model_parallel_size", "pipeline_model_parallel_size", "expert_model_parallel_size", "virtual_pipeline_model_parallel_size", "recompute_granularity"})
    megatron.is = megatron.is || document.has(name);
  if (!megatron.is) return megatron;
  draft.set("profile", "megatron");
  read_megatron(document, draft, MegatronDialect::overrides);
  for (const char* spared : {"bias_activation_fusion", "apply_rope_fusion", "overlap_param_gather", "overlap_grad_reduce", "moe_grouped_gemm"}) document.take(spared); // as the estimate takes it
  megatron.precision = draft.text("precision"), megatron.recompute = draft.has("recompute") ? draft.text("recompute") : "none", megatron.optimizer = draft.text("optimizer");
  return megatron;
}

void settle_mca(const Megatron& megatron, RequestBuilder& draft) {
  if (!megatron.is) return;
  draft.set("profile", "megatron");
  draft.set("precision", megatron.precision);
  draft.set("recompute", megatron.recompute);
  draft.set("optimizer", megatron.optimizer);
}

void read(Document& document, RequestBuilder& draft) {
  if (is_other_command(document)) return read_chat(document, draft);
  if (is_version_1(document)) return read_version_1(document, draft);
  if ((document.is_on("do_predict") || document.is_on("do_eval")) && !document.is_on("do_train"))
    draft.refuse("do_train", "The file predicts or evaluates, and trains nothing.", "Set do_train for an estimate of training; for serving, state the model with task=inference.");
  draft.take_ray(document);
  const Megatron megatron = read_mca(document, draft);
  if (const std::string model = document.text("model_name_or_path"); !model.empty()) draft.name_model(model);
  else draft.miss_model("The file");
  std::string type = document.text("finetuning_type");
  if (type.empty()) {
    type = "lora";
    draft.assume("method = lora: finetuning_type is lora by itself");
  }
  const bool pure = document.is_on("pure_bf16");
  const bool adapter = type == "lora" || type == "oft", frozen = adapter || type == "freeze";
  const bool kept = document.is_on("disable_gradient_checkpointing"); // off by itself: layers are recomputed
  const auto recomputes = document.truth("gradient_checkpointing");
  read_optimizer(document, draft);
  if (document.is_on("enable_liger_kernel")) {
    draft.set("norms", "fused");
    draft.set("mlp", "fused");
    // model/model_utils/liger_kernel.py: other stages need the logits
    const std::string stage = document.text("stage");
    draft.set("loss", stage.empty() || stage == "sft" || stage == "pt" ? "liger_fused_linear" : "liger");
  }
  // The base of adapters is loaded in the format of the computation.
  read_training_arguments(document, draft, {.recomputes = false, .half_weights = pure || adapter, .frozen = frozen});
  const bool gathered = document.is_on("fp8_enable_fsdp_float8_all_gather");
  if (document.is_on("fp8")) draft.set("fp8", gathered ? "gathered" : "compute");
  // model/model_utils/unsloth.py and checkpointing.py: unsloth's checkpoints wait in the host's memory.
  const bool unsloth = adapter && document.is_on("use_unsloth"), hosted = document.is_on("use_unsloth_gc") || unsloth;
  draft.set("recompute", kept || recomputes == false ? "none" : hosted ? "offloaded" : "full");
  if (unsloth && draft.text("profile") == "hf_trainer") {
    draft.set("profile", "unsloth");
    draft.set("weight_dtype", draft.text("precision") == "fp16" ? "fp16" : "bf16"); // in 4 bits where quantization_bit says so
  }
  if (!kept && !recomputes) draft.assume("recompute = full: layers are recomputed unless disable_gradient_checkpointing is set");
  // adapter.py, cast_trainable_params_to_fp32: the frozen rest stays as it was loaded.
  if (type == "freeze" && !pure && draft.text("precision").starts_with("mixed_")) draft.set("weight_dtype", draft.text("precision").substr(std::string_view{"mixed_"}.size()));
  if (pure) draft.set("precision", "bf16");
  else if (adapter) draft.set("adapter_dtype", "fp32"); // adapter.py, cast_trainable_params_to_fp32
  read_method(document, draft, type);
  read_stage(document, draft);
  const auto bits = document.whole("quantization_bit");
  if (bits && *bits != 4 && *bits != 8) document.refuse("quantization_bit", "4 or 8");
  if (const Json* method = document.peek("quantization_method"); method != nullptr && (*method == "bnb" || *method == "bitsandbytes")) document.take("quantization_method");
  set_bits(draft, {bits == 4, bits == 8, document.truth("double_quantization").value_or(true), document.text("quantization_type") == "fp4" ? "fp4" : "nf4"});
  if (const auto length = document.whole("cutoff_len")) draft.set("context_tokens", *length);
  else draft.set_assumed("context_tokens", "2048", "cutoff_len is 2048 by itself");
  if (document.any_on({"packing", "neat_packing"})) draft.set("batching", "packed");
  read_kernels(document, draft);
  settle_mca(megatron, draft);
}

void write_method(const Source& source, Json& tree) {
  const Composition& method = source.inputs().composition;
  static constexpr std::array<std::string_view, 9> kStages = {"sft", "dpo", "kto", "dpo", "dpo", "rm", "sft", "ppo", "sft"};
  tree["stage"] = kStages[static_cast<std::size_t>(method.method)];
  if (method.method == Preference::orpo) tree["pref_loss"] = "orpo";
  if (method.method == Preference::simpo) tree["pref_loss"] = "simpo";
}

void write_adapter(const Source& source, Json& tree) {
  const bool last = source.is_adapter() && source.tuning().method == TuningMethod::last_layers;
  tree["finetuning_type"] = is_lora(source) ? "lora" : last ? "freeze" : "full";
  if (last) tree["freeze_trainable_layers"] = source.tuning().trained_layers;
  if (!is_lora(source)) return;
  write_lora(source, tree, kKeys);
  std::string names;
  for (const std::string& name : target_names(source.text("targets"))) names += (names.empty() ? "" : ",") + name;
  tree["lora_target"] = source.text("targets") == "all_linear" ? "all" : names;
  const std::string& weights = source.inputs().weights.scheme;
  if (weights.starts_with("nf4") || weights.starts_with("fp4")) {
    tree["quantization_bit"] = 4;
    tree["quantization_type"] = weights.substr(0, 3);
    tree["double_quantization"] = weights.ends_with("_double_quant");
  }
  if (weights.starts_with("int8_bnb")) tree["quantization_bit"] = 8;
}

void write(const Source& source, Json& tree) {
  const Strategy& strategy = source.strategy();
  if (const std::string model = model_text(source.catalog, source.inputs().model.id); !model.empty()) tree["model_name_or_path"] = model;
  write_method(source, tree);
  tree["do_train"] = true;
  write_adapter(source, tree);
  if (strategy.precision == Precision::bf16 && (!is_lora(source) || source.tuning().adapter_dtype != AdapterDtype::fp32)) tree["pure_bf16"] = true;
  tree["cutoff_len"] = source.workload().context_tokens;
  if (source.workload().batching == Batching::packed) tree["packing"] = true;
  const AttentionKernel attention = source.implementation().attention;
  if (attention == AttentionKernel::flash) tree["flash_attn"] = "fa2";
  if (attention == AttentionKernel::eager) tree["flash_attn"] = "disabled";
  const bool whole = source.inputs().composition.method == Preference::none;
  if (source.implementation().loss == (whole ? LossKernel::liger_fused_linear : LossKernel::liger)) tree["enable_liger_kernel"] = true;
  if (strategy.fp8 == Fp8::compute || strategy.fp8 == Fp8::gathered) tree["fp8"] = true;
  if (strategy.fp8 == Fp8::gathered) tree["fp8_enable_fsdp_float8_all_gather"] = true;
  write_training_arguments(source, tree, {});
  tree.erase("use_liger_kernel");
  tree.erase("gradient_checkpointing");
  if (strategy.recompute == Recompute::none) tree["disable_gradient_checkpointing"] = true;
  const std::string optimizer = source.text("optimizer");
  if (optimizer == "adam_mini" || optimizer == "muon") tree["use_" + optimizer] = true;
  if (optimizer != "galore" && optimizer != "apollo") return;
  for (const char* key : {"optim", "optim_args", "optim_target_modules"}) tree.erase(key);
  tree["use_" + optimizer] = true;
  tree[optimizer + "_rank"] = strategy.optimizer_rank;
  if (strategy.optimizer_in_backward) tree[optimizer + "_layerwise"] = true;
}

constexpr std::array kEffects{
    Effect{"use_asft_loss", "a reference model reads every sequence first, and the loss holds logits, log-probabilities and their divergence of both over the whole vocabulary, which no input says (src/llamafactory/train/trainer_utils.py, asft_loss_func).", false, Weight::decides},
    Effect{"freeze_trainable_layers", "how many of the last layers train: method=last_layers."},
    Effect{"freeze_trainable_modules freeze_extra_modules", "only these parts of the last layers train, or others besides."},
    Effect{"oft_rank oft_block_size oft_target", "sizes of OFT's rotations: method=oft and adapter_block_size."},
    Effect{"use_badam", "one block of layers trains at a time (BAdam), and states are kept of it alone.", false, Weight::decides},
    Effect{"use_llama_pro", "layers between others train, and not the last ones (LLaMA Pro).", false, Weight::decides},
    Effect{"mixture_of_depths", "layers skip tokens.", false, Weight::decides},
    Effect{"badam_*", "how BAdam chooses what trains."},
    Effect{"shift_attn", "attention in shifted groups (LongLoRA)."},
    Effect{"use_unsloth", "unsloth's kernels: profile."},
    Effect{"upcast_layernorm", "norms are computed in fp32, on fp32 weights."},
    Effect{"upcast_lmhead_output", "logits are made in fp32."},
    Effect{"ref_model ref_model_adapters ref_model_quantization_bit", "another reference model: reference_model."},
    Effect{"reward_model reward_model_adapters reward_model_quantization_bit reward_model_type", "the model that scores answers: reward_model."},
    Effect{"resize_vocab add_tokens add_special_tokens new_special_tokens_config", "the embedding grows."},
    Effect{"fp8_backend", "which library multiplies in 8 bits.", true},
    Effect{"quantization_method quantization_device_map", "another quantisation than bitsandbytes: weight_dtype.", true},
    Effect{"adapter_name_or_path", "adapters that are loaded beside, or merged."},
    Effect{"image_max_pixels image_min_pixels video_max_pixels video_min_pixels video_maxlen video_fps image_do_pan_and_scan crop_to_patches use_audio_in_video audio_sampling_rate freeze_vision_tower freeze_multi_modal_projector freeze_language_model", "towers beside the language model."},
    Effect{"ppo_buffer_size max_new_tokens", "rollouts of PPO: rollout_prompts and completion_tokens."},
    Effect{"use_kt", "KTransformers keeps the experts in the host's memory.", false, Weight::decides}, // model/model_utils/ktransformers.py
    Effect{"use_v1_kernels use_ray ray_num_workers", "other kernels, or how workers are placed."},
    Effect{"rope_scaling", "positions beyond those the model was made for."},
    Effect{"vllm_maxlen vllm_gpu_util vllm_enforce_eager", "inference by vLLM, which is not training."},
    Effect{"moe_aux_loss_coef", "the router's logits are kept for a loss of their own."},
    Effect{"train_from_scratch", "the weights start at random: task=pretrain."},
    Effect{"predict_with_generate generation_max_length", "evaluation generates, with a cache."},
};

} // namespace

const Format& llama_factory() noexcept {
  static constexpr std::array kCommands{ // src/llamafactory/launcher.py
    Command{.program = "llamafactory-cli", .then = "train", .reads = Reads::file},
    Command{.program = "llamafactory-cli", .then = "chat", .reads = Reads::file}, // read_chat, of the file
    Command{.program = "llamafactory-cli", .then = "api", .reads = Reads::file},
    Command{.program = "llamafactory-cli", .then = "export", .reads = Reads::file}, // which the file's export_dir refuses
    Command{.program = "llamafactory-cli", .then = "sft", .reads = Reads::file, .method = "sft"}, // of the second schema: src/llamafactory/v1/launcher.py
    Command{.program = "llamafactory-cli", .then = "dpo", .reads = Reads::file, .method = "dpo"},
    Command{.program = "llamafactory-cli", .then = "rm", .reads = Reads::file, .method = "reward"},
    Command{.program = "lmf", .then = "train", .reads = Reads::file},
    Command{.program = "src/train.py", .reads = Reads::file},
    Command{.program = "src/train_bash.py"},
    Command{.program = "llamafactory/launcher.py", .reads = Reads::file}
  };
  static const Format kFormat{
      .id = "llama_factory",
      .name = "LLaMA-Factory",
      .source = "hiyouga/LLaMA-Factory, src/llamafactory/hparams/model_args.py, data_args.py and finetuning_args.py",
      .syntax = Syntax::yaml,
      .recognises = recognises,
      .read = read,
      .write = write,
      .harmless = "model_class train_dataset learning_rate max_steps batching_strategy sample_backend max_new_tokens dist_config.dcp_path kernel_config* init_config* num_train_epochs lr_scheduler* optim_config* peft_config.lora_alpha peft_config.* "
                  "template dataset dataset_dir eval_dataset media_dir max_samples preprocessing_num_workers preprocessing_batch_size overwrite_cache "
                  "tokenized_path mask_history train_on_prompt streaming buffer_size mix_strategy interleave_probs val_size eval_on_each_dataset "
                  "ignore_pad_token_for_loss tool_format default_system enable_thinking data_shared_file_system plot_loss lora_alpha "
                  "loraplus_lr_ratio loraplus_lr_embedding use_rslora pissa_init pissa_iter pissa_convert create_new_adapter pref_beta pref_ftx "
                  "pref_bco_weight dpo_label_smoothing kto_chosen_weight kto_rejected_weight simpo_gamma ppo_epochs ppo_score_norm ppo_target "
                  "ppo_whiten_rewards ld_alpha galore_target galore_update_interval galore_scale galore_proj_type apollo_target apollo_update_interval "
                  "apollo_scale apollo_proj apollo_proj_type apollo_scale_type apollo_scale_front use_swanlab swanlab_* trust_remote_code "
                  "hf_hub_token ms_hub_token om_hub_token cache_dir use_fast_tokenizer split_special_tokens model_revision low_cpu_mem_usage "
                  "init_special_tokens use_reentrant_gc infer_backend infer_dtype offload_folder use_kv_cache print_param_status module_dropout compute_accuracy "
                  "disable_shuffling early_stopping_steps top_k top_p temperature do_sample repetition_penalty length_penalty num_beams skip_special_tokens "
                  "use_dft_loss asft_alpha include_effective_tokens_per_second export_* adapter_folder",
      .effects = kEffects,
      .shared_harmless = training_arguments_harmless(),
      .shared_effects = training_arguments_effects(),
      .commands = kCommands};
  return kFormat;
}

} // namespace plimsoll::io::configs
