// AMD-AGI/Primus: primus/configs/modules/megatron (trainer_base.yaml, pre_trainer.yaml) and modules/torchtitan say what an experiment leaves
// out, primus/configs/models what its models are; names of models there are those of their makers.
#include "files/training/primus.hpp"

#include "files/training/adapters.hpp"
#include "files/training/megatron_shared.hpp"
#include "files/training/models.hpp"
#include "text/members.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll::io::configs {

namespace {

/// "${NAME:value}" of the environment is the value where nobody sets the name (primus/core/utils/yaml_utils.py).
std::string with_defaults(std::string text) {
  for (std::size_t at = text.find("${"); at != std::string::npos; at = text.find("${", at)) {
    const std::size_t end = text.find('}', at), colon = text.find(':', at);
    if (end == std::string::npos) break;
    text.replace(at, end + 1 - at, colon < end ? text.substr(colon + 1, end - colon - 1) : "");
  }
  return text;
}

Json resolved(const Json& value) {
  if (value.is_object()) {
    Json object = Json::object();
    for (const auto& [key, each] : value.items()) object[key] = resolved(each);
    return object;
  }
  if (!value.is_string() || value.get<std::string>().find("${") == std::string::npos) return value;
  const std::string text = with_defaults(value.get<std::string>());
  return text == "null" ? Json(nullptr) : Json(text);
}

std::string resolved_at(const Json& object, const char* key) { return with_defaults(text_at(object, key)); }

/// The name of "llama3.1_70B-fp8.yaml", and whether it says so.
std::pair<std::string, bool> model_of_file(std::string name) {
  name.erase(0, std::min(name.find_last_of('/') + 1, name.size()));
  for (const std::string_view end : {".yaml", ".yml"})
    if (name.ends_with(end)) name.erase(name.size() - end.size());
  for (const std::string_view end : {"-fp8", "-bf16"})
    if (name.ends_with(end)) return {name.substr(0, name.size() - end.size()), end == "-fp8"};
  return {std::move(name), false};
}

/// Experiments set what the program calls its arguments once they are parsed: some have the opposite name on the command line (NVIDIA/Megatron-LM,
/// megatron/training/arguments.py, action='store_false'). All of them are on by themselves (primus/configs/models/megatron/language_model.yaml).
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kOpposites{{{"gradient-accumulation-fusion", "no-gradient-accumulation-fusion"},
                                                                                    {"create-attention-mask-in-dataloader", "no-create-attention-mask-in-dataloader"},
                                                                                    {"bias-gelu-fusion", "no-bias-gelu-fusion"},
                                                                                    {"bias-swiglu-fusion", "no-bias-swiglu-fusion"},
                                                                                    {"bias-dropout-fusion", "no-bias-dropout-fusion"},
                                                                                    {"masked-softmax-fusion", "no-masked-softmax-fusion"},
                                                                                    {"apply-rope-fusion", "no-rope-fusion"},
                                                                                    {"fp8-wgrad", "no-fp8-wgrad"},
                                                                                    {"check-for-nan-in-loss-and-grad", "no-check-for-nan-in-loss-and-grad"},
                                                                                    {"enable-gloo-process-groups", "disable-gloo-process-groups"}}};

Json arguments_of(const Json& module) {
  Json tree = Json::object();
  const Json overrides = module.contains("overrides") && module["overrides"].is_object() ? resolved(module["overrides"]) : Json::object();
  for (const auto& [key, value] : overrides.items()) {
    if (value.is_null()) continue; // as if it were not there
    std::string name = key;
    std::ranges::replace(name, '_', '-');
    if (name == "fp8") name = "fp8-format";
    if (name == "virtual-pipeline-model-parallel-size") name = "num-virtual-stages-per-pipeline-rank";
    const auto opposite = std::ranges::find(kOpposites, std::string_view{name}, &std::pair<std::string_view, std::string_view>::first);
    if (opposite == kOpposites.end()) tree[name] = value;
    else if (says_nothing(value)) tree[std::string{opposite->second}] = true;
  }
  if (const std::string name = model_of_file(resolved_at(module, "model")).first; !name.empty()) tree["model"] = name;
  if (!tree.contains("stage") && resolved_at(module, "config").find("sft_trainer") != std::string::npos) tree["stage"] = "sft";
  return tree;
}

/// What files of primus/configs/models/torchtitan name by more than their name.
struct TitanModel {
  std::string_view file, name, flavor;
};
constexpr std::array kTitanModels{TitanModel{"deepseek_v3_16b", "deepseek_v3", "16B"}, TitanModel{"deepseek_v3_236b", "deepseek_v3", "236B"},
                                  TitanModel{"deepseek_v3_671b", "deepseek_v3", "671B"}, TitanModel{"llama4_17Bx16E", "llama4", "17bx16e"},
                                  TitanModel{"llama4_17Bx128E", "llama4", "17bx128e"}};

Json titan_of(const Json& module) {
  Json tree = module.contains("overrides") && module["overrides"].is_object() ? resolved(module["overrides"]) : Json::object();
  const auto usual = [&](const char* section, const char* key, Json value) {
    if (!tree.contains(section) || !tree[section].is_object()) tree[section] = Json::object();
    if (!tree[section].contains(key)) tree[section][key] = std::move(value);
  };
  const auto [name, fp8] = model_of_file(resolved_at(module, "model"));
  const auto named = std::ranges::find(kTitanModels, std::string_view{name}, &TitanModel::file);
  if (named != kTitanModels.end()) usual("model", "name", std::string{named->name});
  if (!name.empty()) usual("model", "flavor", named != kTitanModels.end() ? std::string{named->flavor} : name);
  if (fp8) usual("model", "converters", Json::array({"quantize.linear.float8"}));
  usual("activation_checkpoint", "mode", "none");
  usual("compile", "enable", true);
  return tree;
}

bool recognises(const Document&) { return false; } // told by its experiment's shape alone

/// Single facts of a model that an experiment gives other values.
constexpr std::array<std::pair<const char*, const char*>, 10> kFacts{{{"hidden-size", "hidden_size"}, {"ffn-hidden-size", "intermediate_size"}, {"num-attention-heads", "query_heads"},
                                                                      {"num-query-groups", "kv_heads"}, {"kv-channels", "head_dim"}, {"num-experts", "experts"},
                                                                      {"moe-router-topk", "experts_per_token"}, {"moe-ffn-hidden-size", "expert_size"},
                                                                      {"q-lora-rank", "q_lora_rank"}, {"kv-lora-rank", "kv_lora_rank"}}};

/// The model is that of its file, unless the experiment gives it another shape.
void read_model(Document& document, RequestBuilder& draft) {
  const std::string name = document.text("model");
  if (name.empty()) return draft.miss_model("The experiment");
  if (name.starts_with("mamba")) // models/megatron/mamba_370M.yaml: 16 states in heads of 64, where its makers' has no heads
    return draft.refuse("model", "Primus's " + name + " is Megatron Core's Mamba 2 in a shape of its own, which only its file has.", "Give Megatron-LM's arguments of the model, or its config.json.");
  draft.name_model(name);
  const ModelRow* const row = model_of_config(draft.catalog, name).row;
  const std::optional<Model> model = row == nullptr ? std::nullopt : draft.catalog.model(*row).model;
  if (!model) return;
  const bool latent = std::ranges::any_of(model->groups, [](const LayerGroup& group) { return group.latent.kv_rank > Count{0}; });
  if (const auto stated = document.truth("multi-latent-attention"); stated && *stated != latent)
    document.refuse("multi-latent-attention", "what " + row->name + " has");
  draft.set_if("layers", document.whole("num-layers")); // a part of them, to try a model on fewer GPUs
  for (const auto& [key, field] : kFacts) draft.set_if(field, document.whole(key));
  const Json* const interval = document.peek("moe-layer-freq");
  if (interval != nullptr && *interval == Json(1U)) document.take("moe-layer-freq"), draft.set("dense_layers", std::int64_t{0}); // each layer has experts
}

/// A trainer of the stage "sft" tunes, and what "lora" says is as in sft_trainer.yaml where the experiment leaves it out; without packing, samples are
/// padded to the sequence's length (primus/backends/megatron/megatron_sft_trainer.py, sft/packing.py).
void read_tuning(Document& document, RequestBuilder& draft) {
  const bool packed = document.is_on("enable-packed-sequences"), apart = document.is_on("use-packed-attention");
  if (packed && apart) draft.set("batching", "packed");
  if (document.text("stage") == "sft") draft.set("task", "finetune"), draft.set("method", "full");
  if (!document.is_on("lora.enabled")) return document.take_section("lora");
  draft.set("method", "lora");
  if (const auto rank = document.whole("lora.dim")) draft.set("rank", *rank);
  else draft.set_assumed("rank", "32", "lora.dim is 32 by itself");
  if (const std::vector<std::string> names = document.texts("lora.target_modules"); !names.empty()) set_targets(document, draft, "lora.target_modules", names);
  else draft.set_assumed("targets", "all_linear", "linear_qkv, linear_proj, linear_fc1 and linear_fc2 are the targets by themselves");
  if (document.real("lora.dropout").value_or(0) > 0) draft.set("adapter_dropout", "true");
  document.take_section("lora"); // scales, and how adapters begin
}

void read(Document& document, RequestBuilder& draft) {
  draft.set("task", "pretrain");
  draft.set("profile", "megatron");
  read_model(document, draft);
  read_megatron(document, draft, MegatronDialect::arguments);
  if (document.is_on("no-bias-swiglu-fusion")) draft.set("mlp", "eager");
  read_tuning(document, draft);
  if (!document.has("fp16") && !document.has("bf16")) draft.set_assumed("precision", "master_bf16", "bf16 is on by itself in trainer_base.yaml");
  if (!document.has("use-distributed-optimizer") && !draft.has("sharding")) draft.set_assumed("sharding", "optimizer", "use_distributed_optimizer is on by itself in pre_trainer.yaml");
  for (const char* field : {"hidden_dropout", "attention_dropout"}) draft.set(field, "false");
  draft.assume("hidden_dropout and attention_dropout: 0 in the files of models");
  if (draft.has("tensor_parallel") && !document.has("sequence-parallel")) draft.set_assumed("sequence_parallel", "true", "it is on by itself in language_model.yaml");
}

/// What decides the shape is the model file's; an experiment that changes it makes another model.
constexpr std::array kShapes{
    Effect{"hidden-size ffn-hidden-size num-attention-heads num-query-groups kv-channels num-experts moe-ffn-hidden-size moe-layer-freq moe-router-topk "
           "moe-shared-expert-intermediate-size q-lora-rank kv-lora-rank mtp-num-layers hybrid-*",
           "it gives the model another shape than its file has.", false, Weight::decides},
    Effect{"recompute-layer-ids", "which layers run again in backward.", false, Weight::decides},
    Effect{"patch-zero-bubble enable-zero-bubble patch-primus-pipeline", "another schedule of the pipeline.", false, Weight::decides},
    Effect{"enable-fused-linear-ce", "the loss is computed in pieces, and logits never exist as a whole.", false, Weight::decides},
    Effect{"turbo-sync-free-moe-stage", "buffers of experts that are as large as they can become."},
    Effect{"use-turbo-*", "kernels of Primus-Turbo."},
};

constexpr std::string_view kHarmless = "stderr-sink-level file-sink-level sink-level log-avg-* auto-continue-train disable-last-saving enable-primus-turbo moe-use-fused-router-with-aux-score "
                                       "turbo-deepep-* max-position-embeddings no-fp8-weight-transpose-cache use-sink-attention sink-* apply-rope-fusion disable-tensorboard disable-wandb "
                                       "disable-mlflow mlflow-* dump-pp-data use-rocm-* trainable pp-warmup "
                                       "hf-path sft-* disable-profiler-activity-cpu torch-profiler-* pytorch-profiler-* record-shapes nvtx-ranges use-nsys-profiler memory-snapshot-path "
                                       "eval-* pretrained-checkpoint fully-parallel-save";

} // namespace

const Format& primus() noexcept {
  static const Format kFormat{.id = "primus",
                              .name = "Primus",
                              .source = "AMD-AGI/Primus, primus/configs/modules/megatron",
                              .syntax = Syntax::yaml,
                              .recognises = recognises,
                              .read = read,
                              .write = nullptr,
                              .harmless = kHarmless,
                              .effects = kShapes,
                              .shared_harmless = megatron_harmless(),
                              .shared_effects = megatron_effects()};
  return kFormat;
}

std::optional<PrimusRun> primus_run(const Json& tree) {
  if (!tree.is_object() || !tree.contains("modules") || !tree["modules"].is_object()) return std::nullopt;
  for (const auto& [name, module] : tree["modules"].items()) {
    if (!module.is_object() || !module.contains("framework")) continue;
    const std::string framework = resolved_at(module, "framework");
    PrimusRun run;
    if (framework == "megatron") run.format = &primus(), run.tree = arguments_of(module);
    else if (framework == "torchtitan") run.format = &torchtitan(), run.tree = titan_of(module);
    else run.error = "Primus drives " + framework + " here, which is not covered.", run.remedy = "State the model, the parallel degrees and batches.";
    return run;
  }
  return std::nullopt;
}

} // namespace plimsoll::io::configs
