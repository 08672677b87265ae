// torchtune's recipe configurations (pytorch/torchtune, recipes/configs and recipes/*.py): components by their Python names.
#include "files/training/adapters.hpp"
#include "files/training/format.hpp"
#include "files/training/models.hpp"
#include "files/training/precision.hpp"
#include "files/training/print.hpp"
#include "files/training/torchtune_answers.hpp"
#include "files/training/torchtune_models.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace plimsoll::io::configs {

namespace {

bool recognises(const Document& document) { return document.has("model._component_") || document.has("tokenizer._component_"); }

bool take_prefix(std::string_view& text, std::string_view prefix) {
  const bool has_prefix = text.starts_with(prefix);
  if (has_prefix) text.remove_prefix(prefix.size());
  return has_prefix;
}

void read_targets(Document& document, RequestBuilder& draft) {
  std::vector<std::string> names = document.texts("model.lora_attn_modules");
  if (document.is_on("model.apply_lora_to_mlp"))
    for (const char* name : {"w1", "w2", "w3"}) names.emplace_back(name);
  if (names.empty()) return draft.set_assumed("targets", "qv", "model.lora_attn_modules is not stated");
  if (document.is_on("model.apply_lora_to_output")) names.emplace_back("lm_head");
  set_targets(document, draft, "model.lora_attn_modules", names);
}

void read_model(Document& document, RequestBuilder& draft) {
  const std::string component = document.text("model._component_");
  std::string_view name = last_name(component);
  const bool quantised = take_prefix(name, "qlora_") || document.is_on("model.quantize_base");
  const bool adapter = take_prefix(name, "lora_") || take_prefix(name, "dora_") || quantised || document.has("model.lora_rank");
  take_prefix(name, "qdora_");
  const TorchtuneBuilder* const row = torchtune_builder(name);
  if (component.empty()) draft.miss_model("The file");
  else draft.name_model(row != nullptr ? row->id : name);
  if (!adapter) return draft.set("method", "full");
  draft.set("method", document.is_on("model.use_dora") ? "dora" : "lora");
  if (const auto rank = document.whole("model.lora_rank")) draft.set("rank", *rank);
  else draft.set_assumed("rank", "8", "model.lora_rank is 8 by itself");
  read_targets(document, draft);
  const Json* dropout = document.take("model.lora_dropout");
  if (dropout != nullptr && *dropout != Json(0) && *dropout != Json(0.0)) draft.set("adapter_dropout", "true");
  if (quantised) draft.set("weight_dtype", "nf4_double_quant"); // torchao's NF4Tensor keeps its scales in 8 bits
}

/// Recipes of distillation (recipes/knowledge_distillation_*.py) keep a teacher beside the student.
void read_teacher(Document& document, RequestBuilder& draft) {
  const std::string component = document.text("teacher_model._component_");
  if (component.empty()) return;
  draft.set("preference", "distillation");
  if (const TorchtuneBuilder* const row = torchtune_builder(last_name(component)); row != nullptr) draft.set("teacher_model", row->id);
  else document.refuse("teacher_model._component_", "a builder of a model of the catalogue");
}

void read_optimizer(Document& document, RequestBuilder& draft) {
  const std::string name = document.text("optimizer._component_");
  const std::string_view last = last_name(name);
  const auto fused = document.truth("optimizer.fused"), foreach_step = document.truth("optimizer.foreach");
  std::string_view choice;
  if (last == "AdamW" || last == "Adam") choice = fused == true ? "adamw_fused" : foreach_step == false ? "adamw_forloop" : "adamw_foreach";
  else if (last == "PagedAdamW8bit") choice = "paged_adamw_8bit";
  else if (last == "PagedAdamW") choice = "paged_adamw";
  else if (last == "AdamW8bit" || last == "_AdamW" || last == "Adam8bit") choice = "adamw_8bit";
  else if (last == "Lion") choice = "lion";
  else if (last == "Lion8bit") choice = "lion_8bit";
  else if (last == "Adafactor") choice = "adafactor";
  else if (last == "SGD") {
    const Json* momentum = document.take("optimizer.momentum");
    choice = momentum == nullptr || *momentum == Json(0) || *momentum == Json(0.0) ? "sgd" : "sgd_momentum";
  }
  if (!choice.empty()) draft.set("optimizer", choice);
  else if (!name.empty()) document.refuse("optimizer._component_", "AdamW, Adam, SGD or Adafactor of torch.optim, or AdamW8bit, PagedAdamW, PagedAdamW8bit, Lion or Lion8bit of bitsandbytes");
  else draft.set_assumed("optimizer", "adamw_foreach", "no optimizer is stated");
  if (document.is_on("optimizer_in_bwd")) draft.set("optimizer_in_backward", "true");
}

/// torchtune/modules/loss; recipes compile the loss too where they compile.
void read_loss(Document& document, RequestBuilder& draft, bool answers) {
  const std::string name = document.text("loss._component_");
  const std::string_view last = last_name(name);
  const bool whole = document.has("compile") && !document.has_section("compile");
  const bool compiled = whole ? document.is_on("compile") : document.is_on("compile.model"), compiled_loss = whole ? compiled : document.is_on("compile.loss");
  if (compiled) {
    draft.set("norms", "compiled");
    draft.set("mlp", "compiled");
  }
  if (last == "CEWithChunkedOutputLoss") draft.set("loss", compiled_loss ? "chunked_compiled" : "chunked");
  else if (last == "LinearCrossEntropyLoss") draft.set("loss", "linear_chunked");
  else if (last == "CrossEntropyLoss") draft.set("loss", compiled_loss ? "torch_float_compiled" : "torch_float");
  else if (last == "DPOLoss" || last == "RSOLoss") draft.set("preference", "dpo");
  else if (answers && (last == "PPOLoss" || last.starts_with("GRPO"))) return; // of log-probabilities: torchtune/rlhf/loss/ppo.py, torchtune/dev/grpo/loss.py
  else if (!name.empty()) document.refuse("loss._component_", "CEWithChunkedOutputLoss, LinearCrossEntropyLoss, CrossEntropyLoss, DPOLoss or RSOLoss");
}

void read_recompute(Document& document, RequestBuilder& draft) {
  const bool recomputes = document.is_on("enable_activation_checkpointing"), offloads = document.is_on("enable_activation_offloading");
  const std::string mode = document.text("ac_mode");
  if (mode == "full") draft.set("recompute", "full");
  else if (mode == "selective") {
    draft.set("recompute", "every_k");
    draft.set_if("recompute_layers", document.whole("ac_option"));
  } else if (recomputes) draft.set("recompute", offloads ? "offloaded" : "full");
  else if (mode.empty() && offloads) draft.set("activation_offload", "kept"); // every saved tensor
  if (offloads && !mode.empty()) document.refuse("enable_activation_offloading", "false with ac_mode");
}

/// Whether the recipe is one of a single device. Its name stands in the command, which published configs have in their comments; keys that
/// recipes of several devices alone have say it too.
bool is_single_device(Document& document, RequestBuilder& draft) {
  const std::string command = document.comment_with("tune run");
  const bool single = command.find("_single_device") != std::string::npos, several = command.find("_distributed") != std::string::npos;
  for (const char* key : {"fsdp_cpu_offload", "fsdp_reshard_after_forward", "custom_sharded_layers", "tensor_parallel_dim", "data_parallel_shard_dim", "context_parallel_dim", "memory_efficient_fsdp_wrap"})
    if (document.has(key)) return false;
  if (single == several) return false;
  draft.assume(single ? "sharding = none: the command in the file's comments names a recipe of a single device" : "sharding = parameters: the command in the file's comments names a distributed recipe");
  return single;
}

void read_degrees(Document& document, RequestBuilder& draft) {
  if (is_single_device(document, draft)) return draft.set("data_parallel", 1);
  draft.set_above_one("tensor_parallel", document.whole("tensor_parallel_dim"));
  draft.set_above_one("context_parallel", document.whole("context_parallel_dim"));
  draft.set_assumed("sharding", "parameters", "recipes for several GPUs shard with FSDP2");
  const Json* given = document.take("data_parallel_shard_dim");
  constexpr std::int64_t kAll = -1; // as many as there are GPUs
  const std::int64_t shards = given != nullptr && *given != Json(kAll) ? document.whole("data_parallel_shard_dim").value_or(kAll) : kAll;
  const std::int64_t replicas = document.whole("data_parallel_replicate_dim").value_or(1);
  if (shards == kAll || replicas < 1) return draft.miss_gpus();
  draft.set("data_parallel", (Count{shards} * Count{replicas}).value);
  if (replicas > 1) draft.set("shard_group", shards);
}

/// Recipes that train name an optimizer; of those without one, recipes/generate.py, dev/generate_v2.py, eleuther_eval.py and quantize.py say so by keys of their own.
void refuse_others(const Document& document, RequestBuilder& draft) {
  if (document.has_section("optimizer")) return;
  const bool generates = document.has_section("prompt") || document.has("max_new_tokens"), evaluates = document.has("tasks"), quantises = document.has_section("quantizer");
  const std::string_view field = generates ? "prompt" : evaluates ? "tasks" : quantises ? "quantizer" : "", does = generates ? "generates text" : evaluates ? "evaluates a model" : "rounds weights";
  if (!field.empty()) draft.refuse(field, "The file " + std::string{does} + ", and trains nothing.", "Give the configuration of a recipe that trains.");
}

void read_sequences(Document& document, RequestBuilder& draft) {
  draft.set_if("batch", document.whole("batch_size"));
  draft.set_if("micro_batches", document.whole("gradient_accumulation_steps"));
  if (const auto length = document.whole("tokenizer.max_seq_len")) draft.set("context_tokens", *length);
  else draft.say(Severity::note, "context_tokens", "tokenizer.max_seq_len is not stated: sequences are as long as the data.", "Set context_tokens to the longest sequence of a batch.");
  if (document.is_on("dataset.packed")) draft.set("batching", "packed");
}

void read(Document& document, RequestBuilder& draft) {
  draft.set("profile", "torchtune");
  refuse_others(document, draft);
  const bool answers = read_torchtune_answers(document, draft), ppo = answers && draft.text("preference") == "ppo";
  if (!ppo) read_model(document, draft);
  if (!answers) read_sequences(document, draft);
  const std::string dtype = document.text("dtype");
  if (dtype_word(dtype) == "bf16" || dtype_word(dtype) == "fp32") draft.set("precision", dtype_word(dtype));
  else if (!dtype.empty()) document.refuse("dtype", "bf16 or fp32");
  else draft.set_assumed("precision", "bf16", "dtype is not stated; every published recipe says bf16");
  read_optimizer(document, draft);
  read_loss(document, draft, answers);
  read_teacher(document, draft);
  read_recompute(document, draft);
  if (!ppo) read_degrees(document, draft);
  if (document.truth("fsdp_reshard_after_forward") == false) draft.set("reshard_after_forward", "false");
  if (document.is_on("fsdp_cpu_offload")) draft.set("offload", "parameters");
}

void write_model(const Source& source, Json& tree) {
  const TorchtuneBuilder* const row = torchtune_builder_of(source.inputs().model.id);
  const std::string& weights = source.inputs().weights.scheme;
  const bool quantised = is_lora(source) && weights.starts_with("nf4");
  const std::string name{row != nullptr ? row->name : "MODEL"}, module{row != nullptr ? row->module : "MODULE"};
  put(tree, "model._component_", "torchtune.models." + module + "." + (quantised ? "qlora_" : is_lora(source) ? "lora_" : "") + name);
  if (!is_lora(source)) return;
  std::vector<std::string> attention;
  bool mlp = false;
  for (const std::string& target : target_names(source.text("targets"))) {
    if (target == "gate_proj") mlp = true;
    else if (target == "o_proj") attention.emplace_back("output_proj");
    else if (target.ends_with("q_proj") || target == "k_proj" || target == "v_proj") attention.push_back(target);
  }
  put(tree, "model.lora_attn_modules", attention);
  put(tree, "model.apply_lora_to_mlp", mlp);
  put(tree, "model.lora_rank", source.tuning().rank);
  put(tree, "model.lora_dropout", source.tuning().adapter_dropout ? 0.05 : 0.0);
  if (source.tuning().method == TuningMethod::dora) put(tree, "model.use_dora", true);
}

void write_optimizer(const Source& source, Json& tree) {
  const std::string optimizer = source.text("optimizer");
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kNames{{{"adamw_fused", "torch.optim.AdamW"},
                                                                                        {"adamw_foreach", "torch.optim.AdamW"},
                                                                                        {"adamw_forloop", "torch.optim.AdamW"},
                                                                                        {"adamw_8bit", "bitsandbytes.optim.AdamW8bit"},
                                                                                        {"paged_adamw", "bitsandbytes.optim.PagedAdamW"},
                                                                                        {"paged_adamw_8bit", "bitsandbytes.optim.PagedAdamW8bit"},
                                                                                        {"lion", "bitsandbytes.optim.Lion"},
                                                                                        {"lion_8bit", "bitsandbytes.optim.Lion8bit"},
                                                                                        {"adafactor", "torch.optim.Adafactor"},
                                                                                        {"sgd", "torch.optim.SGD"},
                                                                                        {"sgd_momentum", "torch.optim.SGD"}}};
  for (const auto& [choice, name] : kNames)
    if (choice == optimizer) put(tree, "optimizer._component_", name);
  if (optimizer == "adamw_fused") put(tree, "optimizer.fused", true);
  if (optimizer == "adamw_forloop") put(tree, "optimizer.foreach", false);
  if (optimizer == "sgd_momentum") put(tree, "optimizer.momentum", 0.9);
  tree["optimizer_in_bwd"] = source.strategy().optimizer_in_backward;
}

void write_loss(const Source& source, Json& tree) {
  const LossKernel loss = source.implementation().loss;
  const bool compiled = source.implementation().norms == Fusion::compiled;
  const bool compiled_loss = loss == LossKernel::chunked_compiled || loss == LossKernel::torch_float_compiled;
  if (source.inputs().composition.method == Preference::distillation) {
    const std::string teacher = source.text("teacher_model");
    const TorchtuneBuilder* const row = torchtune_builder_of(teacher.empty() ? source.inputs().model.id : teacher);
    if (row != nullptr) put(tree, "teacher_model._component_", "torchtune.models." + std::string{row->module} + "." + std::string{row->name});
    put(tree, "kd_loss._component_", "torchtune.modules.loss.ForwardKLWithChunkedOutputLoss");
  }
  if (source.inputs().composition.method == Preference::dpo) put(tree, "loss._component_", "torchtune.rlhf.loss.DPOLoss");
  else if (loss == LossKernel::chunked || loss == LossKernel::chunked_compiled) put(tree, "loss._component_", "torchtune.modules.loss.CEWithChunkedOutputLoss");
  else if (loss == LossKernel::linear_chunked) put(tree, "loss._component_", "torchtune.modules.loss.LinearCrossEntropyLoss");
  else if (loss == LossKernel::torch_float || loss == LossKernel::torch_float_compiled) put(tree, "loss._component_", "torch.nn.CrossEntropyLoss");
  if (compiled == compiled_loss || loss == LossKernel::linear_chunked) {
    tree["compile"] = compiled;
  } else {
    put(tree, "compile.model", compiled);
    put(tree, "compile.loss", compiled_loss);
  }
}

void write(const Source& source, Json& tree) {
  const Strategy& strategy = source.strategy();
  write_model(source, tree);
  put(tree, "tokenizer.max_seq_len", source.workload().context_tokens);
  if (source.workload().batching == Batching::packed) put(tree, "dataset.packed", true);
  tree["batch_size"] = source.workload().batch;
  tree["gradient_accumulation_steps"] = source.workload().micro_batches;
  write_optimizer(source, tree);
  write_loss(source, tree);
  tree["dtype"] = strategy.precision == Precision::fp32 ? "fp32" : "bf16";
  tree["enable_activation_checkpointing"] = strategy.recompute == Recompute::full || strategy.recompute == Recompute::offloaded;
  tree["enable_activation_offloading"] = strategy.recompute == Recompute::offloaded || moves_kept(strategy);
  if (strategy.recompute == Recompute::every_k) {
    tree["ac_mode"] = "selective";
    tree["ac_option"] = strategy.recompute_layers;
  }
  if (strategy.tensor_parallel > 1) tree["tensor_parallel_dim"] = strategy.tensor_parallel;
  if (strategy.context_parallel > 1) tree["context_parallel_dim"] = strategy.context_parallel;
  const std::int64_t groups = times(strategy.data_parallel, strategy.shard_group);
  if (strategy.data_parallel > 1) tree["data_parallel_shard_dim"] = groups > 0 ? strategy.shard_group : strategy.data_parallel;
  if (groups > 0) tree["data_parallel_replicate_dim"] = groups;
  if (!strategy.reshard_after_forward) tree["fsdp_reshard_after_forward"] = false;
  if (strategy.offload == Offload::parameters) tree["fsdp_cpu_offload"] = true;
}

constexpr std::array kEffects{
    Effect{"model.num_layers model.embed_dim model.vocab_size model.num_heads model.num_kv_heads model.max_seq_len model.intermediate_dim", "the model has another shape.", true},
    Effect{"model.*", "an argument of the model's builder.", true},
    Effect{"quantizer.*", "weights are rounded while training (QAT).", true},
    Effect{"mixed_precision.enabled", "multiplications in 8-bit integers (torchao)."},
    Effect{"memory_efficient_fsdp_wrap", "embedding and head are units of their own."},
    Effect{"reference_checkpointer* reference_model* ref_checkpointer*", "another reference model: reference_model.", true},
    Effect{"teacher_model.*", "an argument of the teacher's builder.", true},
    Effect{"custom_sharded_layers*", "these layers are units of their own."},
    Effect{"enable_fp8_training fp8_recipe_name", "multiplications in 8 bits: fp8=compute."},
    Effect{"clip_grad_norm_foreach use_clip_grad_foreach", "norms of all gradients are made at once."},
    Effect{"loss.num_output_chunks", "the loss runs in so many chunks.", true},
    Effect{"run_val_every_n_steps dataset_val* batch_size_val", "validation passes between steps."},
    Effect{"tensor_parallel_plan*", "how tensor-parallel GPUs divide the layers.", true},
    Effect{"context_parallel_rotate_method", "how keys and values go around: context_method.", true},
    Effect{"num_cpu_threads", "threads of the host."},
};

} // namespace

const Format& torchtune() noexcept {
  static constexpr std::array kCommands{ // torchtune/_cli
    Command{.program = "tune", .then = "run", .reads = Reads::file, .file_option = "--config"}
  };
  static const Format kFormat{
      .id = "torchtune",
      .name = "torchtune",
      .source = "pytorch/torchtune, recipes/configs",
      .syntax = Syntax::yaml,
      .recognises = recognises,
      .read = read,
      .write = write,
      .harmless = "tokenizer._component_ tokenizer.path tokenizer.merges_file tokenizer.prompt_template tokenizer.* model.lora_alpha model.use_rslora checkpointer* "
                  "resume_from_checkpoint save_adapter_weights_only save_last_epoch_only dataset dataset.* dataset[]* dataset_* seed shuffle "
                  "collate_fn epochs max_steps_per_epoch lr_scheduler* optimizer.* optimizer_in_bwd output_dir metric_logger* log_every_n_steps "
                  "log_level log_peak_memory_stats device profiler* cudnn_deterministic_mode clip_grad_norm enable_async_checkpointing "
                  "keep_last_n_checkpoints save_every_n_steps loss.label_smoothing loss.beta loss.gamma loss.ignore_index checkpoint_dir model_type dataloader* "
                  "base_dir project_name resume_from_* teacher_checkpointer* kd_ratio kd_loss* mixed_precision._component_",
      .effects = kEffects,
      .shared_harmless = torchtune_answers_harmless(),
      .commands = kCommands};
  return kFormat;
}

} // namespace plimsoll::io::configs
