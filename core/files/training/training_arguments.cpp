#include "files/training/training_arguments.hpp"

#include "files/training/deepspeed.hpp"
#include "files/training/fsdp.hpp"
#include "files/training/precision.hpp"
#include "files/training/print.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <string>

namespace plimsoll::io::configs {

namespace {

void read_optimizer(Document& document, RequestBuilder& draft) {
  const std::string word = document.text("optim");
  if (document.has("optim") && !word.empty()) {
    const bool layerwise = word == "galore_adamw_layerwise" || word == "apollo_adamw_layerwise";
    const std::string_view choice = optimizer_of(layerwise ? word.substr(0, word.find("_layerwise")) : word);
    if (choice.empty()) return document.refuse("optim", known_optimizers());
    draft.set("optimizer", choice);
    if (layerwise) draft.set("optimizer_in_backward", "true");
  } else if (!draft.has("optimizer")) {
    draft.set_assumed("optimizer", "adamw_fused", "transformers takes adamw_torch_fused with PyTorch 2.8 or newer, adamw_torch before");
  }
  // "rank=64, update_proj_gap=100"
  const std::string optimizer = draft.text("optimizer");
  if (optimizer != "galore" && optimizer != "apollo") return;
  if (const Json* modules = document.peek("optim_target_modules"); modules != nullptr && *modules == Json::array({"attn", "mlp"})) document.take("optim_target_modules"); // all of a layer
  for (const std::string& argument : document.texts("optim_args"))
    if (argument.starts_with("rank=")) draft.set_if("optimizer_rank", whole_number(argument.substr(5)));
}

/// Whether DeepSpeed runs.
bool read_deepspeed_key(Document& document, RequestBuilder& draft) {
  if (document.has_section("deepspeed")) {
    read_deepspeed(document, draft, "deepspeed.");
    return true;
  }
  return read_deepspeed_path(document, draft);
}

/// What Accelerate divides among GPUs where the program's file names one of its own configurations.
void read_launcher(RequestBuilder& draft, std::string_view launcher) {
  if (launcher.empty()) return;
  draft.set("sharding", launcher == "zero1" ? "optimizer" : launcher == "zero2" ? "gradients" : "parameters");
  if (launcher.starts_with("fsdp")) draft.set("profile", launcher);
}

/// Whether a key or word is there that FSDP1 alone takes (transformers, training_args.py, _process_fsdp_args).
bool is_of_fsdp1(const Document& document, const std::vector<std::string>& words) {
  for (const char* key : {"backward_prefetch", "forward_prefetch", "limit_all_gathers", "sync_module_states", "use_orig_params"})
    for (const char* prefix : {"fsdp_config.", "fsdp_config.fsdp_"})
      if (document.has(std::string{prefix} + key)) return true;
  return std::ranges::any_of(words, [](const std::string& word) { return word == "no_shard" || word.starts_with("hybrid_shard"); });
}

/// "full_shard auto_wrap offload" as text or list; true is full_shard. transformers shards with FSDP2 by itself since pull request
/// 45640 (April 2026), with FSDP1 before.
bool read_fsdp_key(Document& document, RequestBuilder& draft) {
  std::vector<std::string> words;
  for (const std::string& text : document.texts("fsdp"))
    for (std::string& word : split_list(text)) words.push_back(std::move(word));
  if (words.empty() || words.front() == "false") return false;
  for (const char* key : {"fsdp", "fsdp_config"})
    if (const Json* const file = document.peek(key); file != nullptr && file->is_string() && file->text().ends_with(".json"))
      draft.say(Severity::warning, key, "FSDP's configuration stands in another file, " + quoted(std::string_view{file->text()}) + ".", "Import that file too."), document.take(key);
  std::string strategy = "full_shard";
  for (const std::string& word : words)
    if (word == "shard_grad_op" || word == "no_shard" || word.starts_with("hybrid_shard")) strategy = word;
  if (std::ranges::find(words, "offload") != words.end()) draft.set("offload", "parameters");
  const bool first = is_of_fsdp1(document, words), stated = document.has("fsdp_config.version") || document.has("fsdp_config.fsdp_version");
  read_fsdp(document, draft, "fsdp_config", strategy, {.version = first ? 1 : 2});
  if (!stated) draft.assume(first ? "profile = fsdp1: the file has keys of FSDP1 alone" : "profile = fsdp2: fsdp_config.version is 2 by itself in releases of transformers since April 2026; before, it was 1");
  return true;
}

} // namespace

void read_training_arguments(Document& document, RequestBuilder& draft, const TrainerHabits& habits) {
  draft.set("profile", "hf_trainer");
  if (const auto batch = document.whole("per_device_train_batch_size")) draft.set("batch", *batch);
  else draft.set_assumed("batch", std::to_string(habits.batch), "per_device_train_batch_size is " + std::to_string(habits.batch) + " by itself");
  if (const auto steps = document.whole("gradient_accumulation_steps")) draft.set("micro_batches", *steps);
  read_optimizer(document, draft);
  const auto recomputes = document.truth("gradient_checkpointing");
  if (recomputes.value_or(habits.recomputes)) draft.set("recompute", "full");
  else if (habits.recomputes) draft.set("recompute", "none");
  if (!recomputes && habits.recomputes) draft.assume("recompute = full: gradient_checkpointing is on by itself");
  StatedPrecision stated;
  read_launcher(draft, habits.launcher);
  stated.deepspeed = habits.deepspeed || read_deepspeed_key(document, draft) || habits.launcher.starts_with("zero");
  stated.fsdp = !stated.deepspeed && (read_fsdp_key(document, draft) || habits.launcher.starts_with("fsdp"));
  const auto bf16 = document.truth("bf16"), fp16 = document.truth("fp16");
  stated.fp16 = fp16.value_or(habits.fp16);
  stated.bf16 = bf16.value_or(habits.bf16 && !stated.fp16);
  if (!bf16 && habits.bf16 && !stated.fp16) draft.assume("bf16 = true: by itself, where fp16 is off");
  stated.half_weights = habits.half_weights;
  stated.frozen = habits.frozen;
  const std::string_view precision = precision_of(stated);
  if (!bf16 && !fp16 && !habits.bf16 && !habits.fp16) draft.set_assumed("precision", precision, "neither bf16 nor fp16 is set, and transformers before version 5 loads weights in fp32");
  else draft.set("precision", precision);
  if (const auto tf32 = document.truth("tf32"); tf32 && !stated.bf16 && !stated.fp16) draft.set("tf32", *tf32 ? "on" : "off");
  if (stated.fsdp) draft.set("loss", "hf_trainer"); // the Trainer drops the logits, whoever shards
  if (document.is_on("use_liger_kernel")) {
    draft.set("norms", "fused");
    draft.set("mlp", "fused");
    draft.set("loss", "liger_fused_linear"); // apply_liger_kernel_to_… takes fused_linear_cross_entropy by itself
  }
  if (document.is_on("torch_compile")) {
    draft.set("norms", "compiled");
    draft.set("mlp", "compiled");
  }
  if (const auto gpus = document.whole("num_processes"); gpus && *gpus > 0) draft.set("data_parallel", *gpus); // of the launcher, in files for both
  else draft.miss_gpus();
}

void write_training_arguments(const Source& source, Json& tree, const TrainerHabits& habits) {
  const Strategy& strategy = source.strategy();
  const Implementation& kernels = source.implementation();
  tree["per_device_train_batch_size"] = source.workload().batch;
  tree["gradient_accumulation_steps"] = source.workload().micro_batches;
  if (const std::string_view word = optimizer_word(source.text("optimizer")); !word.empty()) tree["optim"] = word;
  if (strategy.optimizer == Optimizer::galore || strategy.optimizer == Optimizer::apollo) {
    if (strategy.optimizer_in_backward) tree["optim"] = std::string{optimizer_word(source.text("optimizer"))} + "_layerwise";
    tree["optim_args"] = "rank=" + std::to_string(strategy.optimizer_rank);
    tree["optim_target_modules"] = Json::array({"attn", "mlp"});
  }
  if ((strategy.recompute == Recompute::full) != habits.recomputes) tree["gradient_checkpointing"] = strategy.recompute == Recompute::full;
  const bool bf16 = strategy.precision == Precision::bf16 || strategy.precision == Precision::mixed_bf16 || strategy.precision == Precision::master_bf16 || strategy.precision == Precision::sharded_bf16;
  const bool fp16 = strategy.precision == Precision::mixed_fp16 || strategy.precision == Precision::master_fp16;
  tree["bf16"] = bf16;
  if (fp16) tree["fp16"] = true;
  if (kernels.loss == LossKernel::liger_fused_linear) tree["use_liger_kernel"] = true;
  if (kernels.norms == Fusion::compiled) tree["torch_compile"] = true;
  if (is_fsdp(source)) {
    tree["fsdp"] = "full_shard auto_wrap";
    write_fsdp(source, tree, "fsdp_config", "");
  } else if (strategy.sharding != Sharding::none || strategy.precision == Precision::master_bf16 || strategy.precision == Precision::master_fp16) {
    Json section = Json::object();
    write_deepspeed_sizes(source, section, true);
    tree["deepspeed"] = section;
  }
}

} // namespace plimsoll::io::configs
