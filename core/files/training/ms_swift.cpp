// ms-swift's arguments, as swift and megatron take them or a YAML file that they start with (modelscope/ms-swift, swift/arguments, swift/trainers/arguments.py,
// swift/rlhf_trainers/args_mixin.py, swift/megatron/arguments/megatron_args.py; swift/pipelines/train/tuner.py says what trains, swift/cli/main.py how it is started).
#include "files/training/adapters.hpp"
#include "files/training/deepspeed.hpp"
#include "files/training/format.hpp"
#include "files/training/megatron_shared.hpp"
#include "files/training/models.hpp"
#include "files/training/precision.hpp"
#include "files/training/print.hpp"
#include "files/training/training_arguments.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace plimsoll::io::configs {

namespace {

constexpr AdapterKeys kKeys{.rank = "lora_rank", .targets = "target_modules", .dropout = "lora_dropout", .dora = "use_dora", .modules = "modules_to_save", .usual_rank = 8, .usual_targets = "all_linear", .usual_dropout = true};

/// Arguments that megatron takes, and swift does not.
bool is_megatron(const Document& document) {
  return std::ranges::any_of(std::array{"micro_batch_size", "global_batch_size", "tensor_model_parallel_size", "pipeline_model_parallel_size", "expert_model_parallel_size", "recompute_granularity", "train_iters", "mcore_model"},
                             [&](const char* key) { return document.has(key); });
}

bool recognises(const Document& document) {
  if (document.has("base_model") || document.has("model_name_or_path") || document.has_section("model")) return false;
  if (document.has("tuner_type") || document.has("train_type") || document.has("rlhf_type")) return true;
  if (!document.has("model") || !(document.has("dataset") || document.has("infer_backend"))) return false;
  return std::ranges::any_of(std::array{"lora_rank", "split_dataset_ratio", "max_length", "torch_dtype", "infer_backend", "attn_impl", "per_device_train_batch_size"}, [&](const char* key) { return document.has(key); });
}

/// tuner_type, train_type before version 4: lora by itself, full where Megatron Core trains.
void read_tuner(Document& document, RequestBuilder& draft, const std::string& type) {
  if (type == "full") draft.set("method", "full");
  else if (type == "lora") read_lora(document, draft, kKeys);
  else document.refuse(document.has("tuner_type") ? "tuner_type" : "train_type", "full or lora");
  if (const std::string_view dtype = dtype_word(document.text("lora_dtype")); type == "lora" && !dtype.empty()) draft.set("adapter_dtype", dtype == "fp32" ? "fp32" : "half");
  for (const char* key : {"freeze_vit", "freeze_aligner"}) // they stay as they are by themselves
    if (document.truth(key) == false) draft.say(Severity::warning, key, std::string{key} + " = false is not in the estimate: towers beside the language model train.", "Set train_towers where the model has a tower, or take what it needs off usable_bytes.");
}

std::string tuner_of(Document& document, RequestBuilder& draft, const char* usual) {
  std::string type = document.text("tuner_type");
  if (type.empty()) type = document.text("train_type");
  if (!type.empty()) return type;
  draft.assume("method = " + std::string{usual} + ": tuner_type is " + usual + " by itself");
  return usual;
}

/// The model that scores answers, where the catalogue has it.
void read_reward(Document& document, RequestBuilder& draft) {
  if (const std::string scores = document.text("reward_model"); !scores.empty() && model_of_config(draft.catalog, scores).row != nullptr) draft.set("reward_model", id_of_config(draft.catalog, scores));
}

/// Answers of a group to one prompt; max_length is the prompt's.
void read_grpo(Document& document, RequestBuilder& draft, std::int64_t prompt) {
  const Json* const beta = document.take("beta");
  draft.set("kl_reference", beta != nullptr && (*beta == Json(0) || *beta == Json(0.0)) ? "false" : "true");
  if (beta == nullptr) draft.assume("kl_reference = true: beta is 0.04 by itself");
  const bool engine = document.truth("use_vllm").value_or(is_megatron(document));
  const std::string mode = document.text("vllm_mode");
  const std::int64_t sleeps = document.whole("sleep_level").value_or(0);
  draft.set("rollout_engine", !engine ? "shared" : mode != "colocate" ? "separate" : sleeps > 0 ? "sleeping" : "copy");
  const bool model = document.is_on("offload_model"), states = document.is_on("offload_optimizer");
  if (engine && mode == "colocate" && (model || states)) draft.set("trainer_offload", model ? "all" : "states");
  if (engine && mode == "colocate") {
    if (!draft.set_permille("rollout_memory_permille", document.real("vllm_gpu_memory_utilization"))) draft.set_assumed("rollout_memory_permille", "900", "vllm_gpu_memory_utilization is 0.9 by itself");
    draft.set_above_one("rollout_tensor_parallel", document.whole("vllm_tensor_parallel_size"));
  }
  draft.set("group_size", document.whole("num_generations").value_or(8));
  const auto answer = document.whole("max_completion_length");
  if (!answer) draft.assume("completion_tokens = 512: max_completion_length is 512 by itself");
  draft.set("completion_tokens", answer.value_or(512));
  if (prompt > 0) draft.set("context_tokens", (Count{prompt} + Count{answer.value_or(512)}).value);
  draft.set_above_one("answer_epochs", document.whole("num_iterations"));
  if (document.has("reward_model")) draft.set("learned_reward", "true");
  read_reward(document, draft);
}

void read_length(Document& document, RequestBuilder& draft) {
  const auto packed = document.whole("packing_length"), longest = document.whole("max_length");
  const bool packs = document.is_on("packing"), free = document.truth("padding_free").value_or(is_megatron(document));
  if (packs) draft.set("batching", "packed");
  else if (free) draft.set("batching", "padding_free");
  draft.set_if("context_tokens", packs && packed ? packed : longest);
}

/// rlhf_type, dpo by itself where `swift rlhf` starts it (swift/arguments/rlhf_args.py). After the length.
void read_method(Document& document, RequestBuilder& draft) {
  const std::string type = document.text("rlhf_type");
  if (type.empty()) return;
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kMethods{{{"dpo", "dpo"}, {"orpo", "orpo"}, {"simpo", "simpo"}, {"cpo", "simpo"}, {"kto", "kto"}, {"rm", "reward_model"}, {"ppo", "ppo"}, {"grpo", "grpo"}, {"gkd", "distillation"}}};
  const auto* const method = std::ranges::find(kMethods, type, &std::pair<std::string_view, std::string_view>::first);
  if (method == kMethods.end()) return document.refuse("rlhf_type", "dpo, orpo, simpo, cpo, kto, rm, ppo, grpo or gkd");
  draft.set("preference", method->second);
  const bool pairs = type != "kto" && type != "ppo" && type != "grpo" && type != "gkd";
  if (const auto row = whole_number(draft.text("context_tokens")); pairs && row && draft.text("batching") == "packed") // swift/template/base.py: lengths of both count
    draft.set_assumed("context_tokens", std::to_string(ceil_div(Count{*row}, Count{2}).value), "a packed row holds both answers of its pairs");
  if (type == "grpo" || type == "gkd") {
    const bool beside = document.text("vllm_mode") == "colocate";
    if (type == "gkd" && beside) return draft.refuse("vllm_mode", "An engine on the GPUs of a distillation is not covered.", "Take vllm_mode server, or what the engine needs off usable_bytes.");
    if (type == "grpo" && document.has("teacher_model")) return draft.refuse("teacher_model", "A teacher beside learning from rewards is not covered.", "Leave it out for an estimate without it.");
  }
  if (type == "grpo") return read_grpo(document, draft, whole_number(draft.text("context_tokens")).value_or(0));
  if (type == "ppo") { // max_length is the prompt's here too
    const std::int64_t prompt = whole_number(draft.text("context_tokens")).value_or(0), answer = document.whole("response_length").value_or(document.whole("max_completion_length").value_or(512));
    draft.set("completion_tokens", answer);
    if (prompt > 0) draft.set("context_tokens", (Count{prompt} + Count{answer}).value);
    read_reward(document, draft);
  }
  document.take("beta");
  const char* const key = type == "gkd" ? "teacher_model" : "ref_model"; // another than the one that trains
  if (const std::string other = document.text(key); !other.empty()) {
    if (model_of_config(draft.catalog, other).row == nullptr) document.refuse(key, "a model of the catalogue");
    else if (const std::string id = id_of_config(draft.catalog, other); id != draft.text("model")) draft.set(type == "gkd" ? "teacher_model" : "reference_model", id);
  }
}

/// swift/config/zero*.json, which these words stand for: sizes that differ from DeepSpeed's own.
bool read_zero(Document& document, RequestBuilder& draft) {
  const Json* const word = document.peek("deepspeed");
  if (word == nullptr || !word->is_string() || !word->text().starts_with("zero") || word->text().size() < 5 || word->text().find_first_of("./") != std::string::npos) return false;
  const std::string name = document.text("deepspeed");
  const unsigned stage = static_cast<unsigned>(name[4] - '0');
  if (stage > 3 || (name.size() > 5 && (stage < 2 || name.substr(5) != "_offload"))) return document.refuse("deepspeed", "zero0, zero1, zero2, zero3, zero2_offload, zero3_offload or a file"), true;
  Json tree = Json::object();
  put(tree, "zero_optimization.stage", stage);
  put(tree, "zero_optimization.overlap_comm", false);
  put(tree, "bf16.enabled", "auto");
  if (stage < 3) put(tree, "zero_optimization.reduce_bucket_size", 200'000'000U);
  if (name.size() > 5) put(tree, "zero_optimization.offload_optimizer.device", "cpu");
  if (name.size() > 5 && stage == 3) put(tree, "zero_optimization.offload_param.device", "cpu");
  if (const auto group = document.whole("zero_hpz_partition_size")) put(tree, "zero_optimization.zero_hpz_partition_size", *group);
  if (const auto group = document.whole("deepspeed_autotp_size")) put(tree, "tensor_parallel.autotp_size", *group);
  Json section = Json::object();
  section["deepspeed"] = std::move(tree);
  Document settings{section};
  read_deepspeed(settings, draft, "deepspeed.");
  return true;
}

void read_kernels(Document& document, RequestBuilder& draft) {
  const std::string word = document.text("attn_impl");
  if (word.empty() || word == "auto") return;
  if (const std::string_view attention = attention_of(word); !attention.empty()) draft.set("attention", attention);
  else document.refuse("attn_impl", "flash_attn, flash_attention_2, flash_attention_3, sdpa or eager");
}

void read_quantised(Document& document, RequestBuilder& draft) {
  const std::string library = document.text("quant_method"), kind = document.text("bnb_4bit_quant_type");
  const auto bits = document.whole("quant_bits");
  const bool mine = library == "bnb";
  if (!library.empty() && !mine && library != "awq" && library != "gptq") document.refuse("quant_method", "bnb, or a checkpoint that is quantised already");
  if (mine && bits != 4 && bits != 8) document.refuse("quant_bits", "4 or 8");
  if (bits && library.empty()) draft.say(Severity::warning, "quant_bits", "quant_bits does nothing without quant_method: the weights stay as they are loaded.", "Set quant_method to bnb.");
  set_bits(draft, {mine && bits == 4, mine && bits == 8, document.truth("bnb_4bit_use_double_quant").value_or(true), kind == "fp4" ? "fp4" : "nf4"});
}

/// Processes of NPROC_PER_NODE and NNODES in the file's own ENV, where nobody told another number.
void read_processes(Document& document, RequestBuilder& draft) {
  const auto each = document.whole("ENV.NPROC_PER_NODE"), nodes = document.whole("ENV.NNODES");
  if (draft.gpus == 0 && each) draft.gpus = (Count{*each} * Count{nodes.value_or(1)}).value;
}

void read_core(Document& document, RequestBuilder& draft) {
  draft.set("profile", "megatron");
  if (document.truth("sequence_parallel") == true && document.whole("tensor_model_parallel_size").value_or(1) <= 1) document.take("sequence_parallel");
  if (document.text("recompute_granularity") == "none") document.take("recompute_granularity");
  read_megatron(document, draft, MegatronDialect::overrides);
  std::erase_if(draft.config.assumed, [](const std::string& text) { return text.starts_with("precision = ") || text.starts_with("expert_tensor_parallel = "); });
  const bool fp16 = document.is_on("fp16") || dtype_word(document.text("torch_dtype")) == "fp16";
  draft.set("precision", fp16 ? "master_fp16" : "master_bf16");
  if (!document.has("bf16") && !fp16) draft.assume("precision = master_bf16: bf16 is on where the checkpoint is in bf16");
  if (!draft.has("expert_tensor_parallel") && draft.has("tensor_parallel") && draft.has("expert_parallel")) draft.set_assumed("expert_tensor_parallel", "1", "expert_tensor_parallel_size is 1 by itself");
  const bool divided = document.truth("use_distributed_optimizer").value_or(true);
  if (divided && !draft.has("sharding") && draft.text("optimizer") != "muon" && (draft.text("data_parallel") != "1" || draft.has("context_parallel"))) draft.set_assumed("sharding", "optimizer", "use_distributed_optimizer is on by itself");
  if (!document.has("cross_entropy_loss_fusion")) draft.set_assumed("loss", "megatron_fused", "cross_entropy_loss_fusion is on by itself");
  if (!draft.has("attention")) draft.set_assumed("attention", "flash", "attention_backend is flash by itself");
  if (document.whole("mtp_num_layers").value_or(0) > 0) draft.set("trains_prediction", "true");
  if (!document.has("micro_batch_size")) draft.set_assumed("batch", "1", "micro_batch_size is 1 by itself");
  const std::int64_t count = times(16, (Count{whole_number(draft.text("batch")).value_or(1)} * Count{whole_number(draft.text("data_parallel")).value_or(0)}).value);
  if (!document.has("global_batch_size") && count > 0) draft.set_assumed("micro_batches", std::to_string(count), "global_batch_size is 16 by itself");
}

void read(Document& document, RequestBuilder& draft) {
  if (document.has("infer_backend")) return draft.refuse("infer_backend", "The file generates or serves, and trains nothing.", "Give the command of the engine, such as vllm serve, with the same model.");
  if (document.text("task_type").find_first_not_of("causal_lm") != std::string::npos) document.refuse("task_type", "causal_lm: heads that sort or embed are not covered");
  read_processes(document, draft);
  if (const std::string model = document.text("model"); !model.empty()) draft.name_model(model);
  else draft.miss_model("The command");
  const bool core = is_megatron(document);
  const std::string type = tuner_of(document, draft, core ? "full" : "lora");
  if (core) {
    read_core(document, draft);
    read_tuner(document, draft, type);
    read_length(document, draft);
    return read_method(document, draft);
  }
  const std::string_view dtype = dtype_word(document.text("torch_dtype"));
  const std::string shards = document.text("fsdp");
  const bool sharded = shards == "fsdp2", half = dtype == "fp16" && !document.has("fp16") && !document.has("bf16"), zero = read_zero(document, draft);
  draft.set_above_one("context_parallel", document.whole("sequence_parallel_size"));
  if (draft.has("context_parallel")) draft.set("context_method", "ulysses");
  read_training_arguments(document, draft, {.bf16 = !half, .recomputes = true, .half_weights = dtype != "fp32", .frozen = type != "full", .batch = 1, .fp16 = half, .deepspeed = zero});
  if (sharded) { // swift/config/fsdp2.json
    draft.set("recompute", "full");
    std::erase_if(draft.config.assumed, [](const std::string& text) { return text.starts_with("profile = "); });
  }
  if (draft.text("profile") == "hf_trainer") draft.set("profile", document.text("tuner_backend") == "unsloth" ? "unsloth" : "ms_swift");
  const std::string own = document.text("optimizer"); // swift/optimizers/mapping.py: in the place of optim
  if (own == "muon" || own == "muonclip") draft.set("optimizer", "muon");
  else if (!own.empty() && own != "default" && own != "lorap" && own != "multimodal" && own != "galore") document.refuse("optimizer", "default, multimodal, lorap, galore or muon");
  if (document.is_on("use_galore") || own == "galore") {
    draft.set("optimizer", "galore");
    draft.set("optimizer_rank", document.whole("galore_rank").value_or(128));
  }
  read_tuner(document, draft, type);
  read_quantised(document, draft);
  read_kernels(document, draft);
  read_length(document, draft);
  read_method(document, draft);
  if (document.has("gradient_accumulation_steps")) return;
  const Count world{draft.gpus}, batch{whole_number(draft.text("batch")).value_or(1)};
  if (world > Count{0} && batch > Count{0}) draft.set_assumed("micro_batches", std::to_string(ceil_div(Count{16}, batch * world).value), "gradient_accumulation_steps makes 16 sequences of a step by itself");
}

void write_method(const Source& source, Json& tree) {
  static constexpr std::array<std::string_view, 9> kTypes{"", "dpo", "kto", "orpo", "simpo", "rm", "gkd", "ppo", "grpo"};
  const Composition& method = source.inputs().composition;
  const std::string_view type = kTypes[static_cast<std::size_t>(method.method)];
  if (type.empty()) return;
  tree["rlhf_type"] = type;
  if (method.method != Preference::grpo && method.method != Preference::ppo) return;
  const std::int64_t all = source.workload().context_tokens, answer = method.completion_tokens > 0 ? method.completion_tokens : std::min<std::int64_t>(512, all - 1);
  tree["max_length"] = all - answer;
  if (method.method == Preference::ppo) return void(tree["response_length"] = answer);
  tree["num_generations"] = method.group_size;
  tree["max_completion_length"] = answer;
  tree["beta"] = method.reference ? 0.04 : 0.0;
  tree["use_vllm"] = method.engine != RolloutEngine::shared;
  if (method.engine == RolloutEngine::shared) return;
  tree["vllm_mode"] = method.engine == RolloutEngine::separate ? "server" : "colocate";
  if (method.engine == RolloutEngine::separate) return;
  if (method.rollout_memory_permille > 0) tree["vllm_gpu_memory_utilization"] = static_cast<double>(method.rollout_memory_permille) / 1000;
  if (method.rollout_tensor_parallel > 1) tree["vllm_tensor_parallel_size"] = method.rollout_tensor_parallel;
  if (method.trainer_offload != TrainerOffload::none) tree[method.trainer_offload == TrainerOffload::all ? "offload_model" : "offload_optimizer"] = true;
  if (method.engine == RolloutEngine::sleeping) tree["sleep_level"] = 1;
}

void write(const Source& source, Json& tree) {
  if (const std::string model = model_text(source.catalog, source.inputs().model.id); !model.empty()) tree["model"] = model;
  tree["tuner_type"] = is_lora(source) ? "lora" : "full";
  if (is_lora(source)) {
    write_lora(source, tree, kKeys);
    if (source.text("targets") == "all_linear") tree["target_modules"] = "all-linear";
    const std::string& weights = source.inputs().weights.scheme;
    const bool four = weights.starts_with("nf4") || weights.starts_with("fp4");
    if (four || weights.starts_with("int8_bnb")) tree["quant_method"] = "bnb", tree["quant_bits"] = four ? 4 : 8;
    if (four) tree["bnb_4bit_quant_type"] = weights.substr(0, 3), tree["bnb_4bit_use_double_quant"] = weights.ends_with("_double_quant");
  }
  const Strategy& strategy = source.strategy();
  tree["torch_dtype"] = strategy.precision == Precision::mixed_bf16 || strategy.precision == Precision::fp32 ? "float32" : "bfloat16";
  const Preference preference = source.inputs().composition.method;
  const bool pairs = preference == Preference::dpo || preference == Preference::orpo || preference == Preference::simpo || preference == Preference::reward_model, packs = source.workload().batching == Batching::packed;
  tree["max_length"] = (Count{source.workload().context_tokens} * Count{pairs && packs ? 2 : 1}).value;
  if (source.workload().batching == Batching::packed) tree["packing"] = true;
  if (source.workload().batching == Batching::padding_free) tree["padding_free"] = true;
  const AttentionKernel attention = source.implementation().attention;
  if (attention == AttentionKernel::flash) tree["attn_impl"] = "flash_attn";
  if (attention == AttentionKernel::eager) tree["attn_impl"] = "eager";
  if (strategy.context_parallel > 1) tree["sequence_parallel_size"] = strategy.context_parallel;
  write_training_arguments(source, tree, {.bf16 = true, .recomputes = true, .half_weights = true});
  write_method(source, tree);
  const Count gpus = source.answer.estimate.gpus;
  const std::int64_t local = gpus > Count{8} && gpus.value % 8 == 0 ? 8 : gpus.value;
  if (gpus > Count{1}) put(tree, "ENV.NPROC_PER_NODE", local);
  if (gpus.value > local) put(tree, "ENV.NNODES", gpus.value / local);
}

constexpr std::array kEffects{
    Effect{"device_map max_memory", "layers are spread over the GPUs of one process, one after the other, which no input says.", false, Weight::decides}, // is_mp(), swift/utils/torch_utils.py
    Effect{"sft_type model_id_or_path quantization_bit lora_target_modules use_flash_attn", "it is of ms-swift 2, whose defaults are others.", true, Weight::decides},
    Effect{"freeze_parameters freeze_parameters_ratio freeze_parameters_regex freeze_llm", "a part of the weights stays as it is.", false, Weight::decides},
    Effect{"trainable_parameters trainable_parameters_regex target_parameters", "other weights train besides."},
    Effect{"lisa_activated_layers", "a few layers train at a time, chosen anew (LISA).", false, Weight::decides},
    Effect{"optimizer_cpu_offload optimizer_offload_fraction", "optimizer states on the host: offload."},
    Effect{"train.* infer.* colocate_groups*", "groups of workers have arguments of their own.", true, Weight::decides},
    Effect{"use_ray device_groups*", "how workers are placed.", true},
    Effect{"chord_sft_per_device_train_batch_size", "a step trains on given text besides."},
    Effect{"use_vllm vllm_mode max_completion_length sleep_level offload_model offload_optimizer", "answers are generated on the way."},
    Effect{"teacher_deepspeed teacher_adapters teacher_model_server offload_teacher_model", "where the teacher is: offload_roles."},
    Effect{"router_aux_loss_coef", "the router's logits are kept for a loss of their own."},
    Effect{"new_special_tokens", "the embedding grows."},
    Effect{"rope_scaling", "positions beyond those the model was made for."},
    Effect{"galore_*", "how GaLore projects."},
    Effect{"use_logits_to_keep", "logits of the answer alone are made."},
    Effect{"lora_bias", "biases of layers train besides."},
    Effect{"max_pixels video_max_pixels", "pictures before the text."},
    Effect{"vllm_max_model_len vllm_max_num_seqs vllm_data_parallel_size vllm_enforce_eager vllm_pipeline_parallel_size vllm_engine_kwargs*", "how the engine that generates is set up.", true},
    Effect{"generation_batch_size steps_per_generation", "how many answers are generated at once: rollout_prompts."},
    Effect{"async_generate", "the engine generates ahead: rollout_ahead."},
    Effect{"multi_turn_scheduler max_turns", "answers in several turns."},
    Effect{"sync_ref_model", "the reference model is averaged with the one that trains."},
    Effect{"move_model_batches", "weights go to the engine in batches of layers."},
    Effect{"moe_expert_capacity_factor", "experts take a number of tokens at most."},
    Effect{"gkd_logits_topk", "how many of the teacher's logits are kept: teacher_top_k."},
    Effect{"vit_gradient_checkpointing vit_lr", "towers beside the language model."},
    Effect{"megatron_extra_kwargs*", "other arguments of Megatron Core."},
};

} // namespace

const Format& ms_swift() noexcept {
  static constexpr std::array kCommands{ // swift/cli/main.py, swift/cli/_megatron/main.py
    Command{.program = "swift", .then = "sft", .reads = Reads::file, .file_option = "--config"},
    Command{.program = "swift", .then = "pt", .reads = Reads::file, .file_option = "--config"},
    Command{.program = "swift", .then = "rlhf", .reads = Reads::file, .file_option = "--config"},
    Command{.program = "megatron", .then = "sft", .reads = Reads::file, .file_option = "--config"},
    Command{.program = "megatron", .then = "pt", .reads = Reads::file, .file_option = "--config"},
    Command{.program = "megatron", .then = "rlhf", .reads = Reads::file, .file_option = "--config"},
    Command{.program = "cli/sft.py", .reads = Reads::file},
    Command{.program = "cli/pt.py", .reads = Reads::file},
    Command{.program = "cli/rlhf.py", .reads = Reads::file},
    Command{.program = "swift.cli.sft", .reads = Reads::file},
    Command{.program = "swift.cli.rlhf", .reads = Reads::file},
    Command{.program = "_megatron/sft.py", .reads = Reads::file}
  };
  static const Format kFormat{
      .id = "ms_swift",
      .name = "ms-swift",
      .source = "modelscope/ms-swift, docs/source_en/Instruction/Command-line-parameters.md",
      .syntax = Syntax::yaml,
      .recognises = recognises,
      .read = read,
      .write = write,
      .harmless = "model_type template model_author model_name model_revision dataset val_dataset cached_dataset cached_val_dataset split_dataset_ratio dataset_num_proc dataset_shuffle val_dataset_shuffle data_seed load_from_cache_file streaming "
                  "interleave_prob strict shuffle_buffer_size lazy_tokenize columns download_mode custom_register_path custom_dataset_info external_plugins use_hf hub_token check_model load_args add_version create_checkpoint_symlink "
                  "system loss_scale truncation_strategy use_chat_template padding_side agent_template response_prefix enable_thinking preserve_thinking add_non_thinking_prefix norm_bbox lora_alpha use_rslora lorap_lr_ratio init_weights "
                  "aligner_lr callbacks early_stop_interval acc_strategy train_dataloader_shuffle max_epochs resume_only_model adapters ref_adapters mcore_adapter predict_with_generate max_new_tokens temperature top_k top_p repetition_penalty "
                  "ENV ENV.* seed num_labels problem_type model_kwargs max_model_len stop_words lora_ga_* reward_model_plugin reward_template tau_* chord_* fipo_* qk_clip_threshold use_gym_env gym_env log_rollout_* moe_shared_expert_overlap linear_decoupled_in_proj bnb_4bit_quant_storage vllm_enable_lora seed lr lr_* min_lr train_iters eval_iters eval_interval save_interval log_interval num_train_epochs weight_decay clip_grad adam_* finetune save load no_save_optim no_save_rng no_load_optim no_load_rng "
                  "save_safetensors load_safetensors merge_lora tensorboard_* wandb_* swanlab_* num_workers dataloader_* async_save attention_softmax_in_fp32 bias_*_fusion masked_softmax_fusion apply_rope_fusion gradient_accumulation_fusion moe_grouped_gemm "
                  "moe_permute_fusion moe_aux_loss_coeff moe_router_load_balancing_type moe_router_dtype overlap_param_gather overlap_grad_reduce use_cpu_initialization perform_initialization mtp_loss_scaling_factor "
                  "rpo_alpha ld_alpha label_smoothing desirable_weight undesirable_weight cpo_alpha simpo_gamma center_rewards_coefficient sft_alpha lmbda seq_kd loss_type loss_weights reward_funcs reward_weights "
                  "epsilon epsilon_high delta scale_rewards advantage_estimator kl_in_reward importance_sampling_level dynamic_sample max_resample_times overlong_filter soft_max_length soft_cache_length cosine_* repetition_* log_completions "
                  "log_entropy top_entropy_quantile num_generations_eval vllm_server_* vllm_enable_prefix_caching vllm_limit_mm_per_prompt vllm_mm_processor_cache_gb vllm_disable_* vllm_reasoning_parser vllm_server_pass_dataset ds3_gather_for_generation "
                  "rollout_importance_sampling_* off_policy_sequence_mask_delta offload_bridge packing_num_proc packing_strategy eval_dataset* eval_generation_config extra_eval_args eval_use_evalscope eval_limit use_flash_ckpt template_backend experts_impl "
                  "bnb_4bit_compute_dtype eval_metric metric swift_* bridge_backend cp_partition_mode save_retain_interval sequence_parallel dataset_info_path enable_dft_loss enable_channel_loss structured_outputs_regex manual_gc* data_sharding report_to group_by_length",
      .effects = kEffects,
      .shared_harmless = training_arguments_harmless(),
      .shared_effects = training_arguments_effects(),
      .commands = kCommands};
  return kFormat;
}

} // namespace plimsoll::io::configs
