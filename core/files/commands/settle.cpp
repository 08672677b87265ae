// What follows from all options together: the model and how it is stored, the context, and what slots divide.
#include "files/commands/request_builder.hpp"
#include "files/commands/values.hpp"
#include "plimsoll/catalog/names.hpp"
#include "plimsoll/method/parameters.hpp"
#include "text/json.hpp"

#include <algorithm>

namespace plimsoll::io::commands {

namespace {

/// `dtype` is what a quantised checkpoint computes in, and of others what they are stored in. Engines prepare for the model's longest
/// context unless they are told otherwise; Ollama for 4096 tokens (envconfig/config.go).
void settle_weights(RequestBuilder& into, bool quantised, std::int64_t longest) {
  if (into.weights.empty() && !quantised) into.weights = into.dtype;
  if (!into.weights.empty()) into.set("weight_dtype", into.weights);
  if (into.line.request.find("context_tokens") != nullptr || into.cells > 0) return;
  const std::int64_t context = into.engine.id == ollama().id ? 4096 : longest;
  if (context <= 0) return;
  into.set("context_tokens", std::to_string(context));
  into.say(Severity::note, "context_tokens", "No context is stated: " + std::to_string(context) + " tokens, as the engine takes by itself.", "Write the context that you need.");
}

/// The name that was typed stays in the request where the catalogue does not have it: resolving says so.
void settle_model(const Catalog& catalog, RequestBuilder& into) {
  if (!into.model) return into.asks_model ? void() : into.say(Severity::warning, "model", "The command line names no model.", "Choose one as model.");
  const bool is_tag = into.engine.id == ollama().id && into.model->find_first_of(":/\\") == std::string::npos; // without one it is "latest"
  const NamedModel tagged = is_tag ? model_named(catalog, *into.model + ":latest") : NamedModel{};
  const NamedModel named = tagged.row != nullptr && !tagged.by_likeness ? tagged : model_named(catalog, *into.model);
  into.set("model", named.row != nullptr ? named.row->id : *into.model);
  if (named.by_likeness) into.line.issues.push_back(built_alike("model", *into.model, *named.row));
  // The checkpoint's own format counts where its name says it: vllm's and SGLang's "modelopt" reads FP8 and NVFP4 (layers/quantization/modelopt.py, override_quantization_method).
  const std::string by_method = into.method.empty() ? std::string{} : std::exchange(into.weights, {});
  if (into.weights.empty() && named.row == nullptr) { // what stands behind the name of a model that nobody knows
    const std::string_view name = std::string_view{*into.model}.substr(0, into.model->ends_with(".gguf") ? into.model->size() - 5 : into.model->size());
    into.weights = weights_named(catalog, name.substr(name.find_last_of(":-") + 1));
  }
  const bool files = into.engine.id == llama_cpp().id || into.engine.id == ollama().id;
  const bool as_published = files && named.row != nullptr && !catalog.model(*named.row).quantization_config.empty(); // gpt-oss in mxfp4, which files of GGUF keep
  const bool is_usual = named.weights_assumed && named.weights == "q4_k_m" && lower_case(*into.model).find("q4_k") == std::string::npos; // "GGUF" alone
  if (into.weights.empty() && !named.weights.empty() && !(as_published && is_usual)) {
    into.weights = named.weights;
    if (named.weights_assumed) into.assume_weights(*into.model);
  }
  if (into.weights.empty() && !by_method.empty()) {
    into.weights = by_method;
    into.assume_weights(into.method);
  }
  if (const WeightSchemeRow* const mix = catalog.weights().find_row(into.weights); mix != nullptr && mix->engine == "ik_llama.cpp") into.fork = true; // which alone reads it
  if (into.weights.empty() && files && !as_published && (into.from_repository || into.engine.id == ollama().id)) {
    into.weights = "q4_k_m"; // common/arg.cpp: "default to Q4_K_M"; ollama pulls the same
    into.say(Severity::note, "weight_dtype", "No quantisation is named; Q4_K_M, which is taken by itself, is assumed.", "Choose another weight_dtype.");
  }
  if (named.row == nullptr) return settle_weights(into, false, 0);
  const ImportedModel model = catalog.model(*named.row);
  settle_weights(into, !model.quantization_config.empty(), model.model ? model.model->max_context.value : 0);
}

void settle_draft_model(const Catalog& catalog, RequestBuilder& into) {
  if (!into.draft_model || into.predicts || into.line.request.find("drafter") != nullptr) return; // heads made for the model follow from its shape
  const NamedModel named = model_named(catalog, *into.draft_model);
  if (named.row == nullptr)
    return into.say(Severity::warning, "draft_model", "The draft model " + quoted(std::string_view{*into.draft_model}) + " is not in the catalogue: its weights and its cache are not in the estimate.",
                    "Choose a draft_model of the catalogue that is built alike, or take what it needs off usable_bytes.");
  into.set("draft_model", named.row->id);
  if (named.by_likeness) into.line.issues.push_back(built_alike("draft_model", *into.draft_model, *named.row));
  if (!named.weights.empty()) into.say(Severity::note, "draft_model", "The draft model is counted in 16 bits.", "Add what its quantisation saves to usable_bytes.");
}

/// llama.cpp's slots divide the cells, or share them: the memory is the same.
void settle_cells(RequestBuilder& into) {
  if (into.slots > 1) into.set("batch", std::to_string(into.slots));
  if (into.cells > 0) into.set("context_tokens", std::to_string(std::max<std::int64_t>(into.cells / std::max<std::int64_t>(into.slots, 1), 1)));
  if (into.cells > 0 && into.slots > 1 && into.cells % into.slots != 0)
    into.say(Severity::note, "context_tokens", std::to_string(into.slots) + " slots do not divide " + std::to_string(into.cells) + " cells evenly.", "Write a context that they divide.");
}

/// Layers come one after the other on all GPUs that the process sees, unless it is told how, or to take one: ggml-org/llama.cpp,
/// src/llama-model.cpp, load_tensors.
void settle_visible(RequestBuilder& into) {
  if (into.visible > 1 && !into.whole_on_one && into.line.request.find("pipeline_parallel") == nullptr) into.set("pipeline_parallel", std::to_string(into.visible));
}

/// llama-bench makes a context as long as its test, which is of 512 tokens by itself.
void settle_tests(RequestBuilder& into) {
  if (into.engine.one_after_another && into.cells == 0) into.cells = 512;
}

/// ik_llama.cpp's -mla: 0 expands keys and values; 1 without flash attention keeps the latent vectors twice, once transposed; everything else once.
void settle_fork(RequestBuilder& into) {
  if (!into.fork) return;
  into.set("profile", "ik_llama_cpp");
  const std::string* const flash = into.line.request.find("flash_attention");
  const bool once = into.latent > 1 || (into.latent == 1 && flash != nullptr && *flash == "on");
  if (into.latent >= 0) into.set("latent_cache", into.latent == 0 ? "expanded" : once ? "latent" : "latent_and_values");
}

/// llama.cpp keeps keys and values in f16, each unless it is told otherwise.
void settle_cache(RequestBuilder& into) {
  if (into.engine.id != llama_cpp().id) return;
  const std::string *const keys = into.line.request.find("kv_dtype"), *const values = into.line.request.find("value_dtype");
  if (keys != nullptr && values != nullptr && *keys == *values) into.line.request.erase("value_dtype"); // the same, which our input says by itself
  if (keys != nullptr && values == nullptr) into.set("value_dtype", "fp16");
  if (values != nullptr && keys == nullptr) into.set("kv_dtype", "fp16");
}

std::int64_t degree(const RequestBuilder& draft, std::string_view field) {
  const std::string* const text = draft.line.request.find(field);
  const std::optional<std::int64_t> number = text == nullptr ? std::nullopt : whole_of(*text);
  return number && *number >= 1 ? *number : 1;
}

/// SGLang's --tp counts the GPUs of all replicas where these attend apart (srt/layers/dp_attention.py, compute_dp_attention_world_info);
/// vLLM's replicas have tensor_parallel GPUs each (vllm/config/parallel.py).
void settle_parallel(RequestBuilder& into) {
  const std::string* const apart = into.line.request.find("data_parallel_attention");
  const std::int64_t all = degree(into, "tensor_parallel"), replicas = degree(into, "data_parallel");
  if (into.engine.id == sglang().id && apart != nullptr && *apart == "on" && replicas > 1) {
    if (all % replicas == 0) into.set("tensor_parallel", std::to_string(all / replicas));
    else into.say(Severity::warning, "tensor_parallel", std::to_string(replicas) + " replicas cannot divide " + std::to_string(all) + " GPUs evenly.", "Write a --tp that --dp divides.");
  }
  if (!into.whole_experts || into.line.request.find("expert_parallel") != nullptr) return;
  const bool vllm_replicas = into.engine.id == vllm().id;
  const Count gpus = Count{all} * Count{vllm_replicas ? replicas : 1};
  if (gpus > Count{1}) into.set("expert_parallel", std::to_string(gpus.value));
}

/// SGLang says how large each GPU's part of the host's cache is (--hicache-size), and which of DeepEP's kernels run beside that they do.
void settle_tiers(RequestBuilder& into) {
  const Count gpus = Count{degree(into, "tensor_parallel")} * Count{degree(into, "pipeline_parallel")};
  if (into.cache_of_rank > 0) into.set("host_cache_bytes", std::to_string((gpus * Count{into.cache_of_rank}).value));
  if (into.lmcache.used) {
    if (into.lmcache.local_cpu && into.lmcache.host > 0) into.set("host_cache_bytes", std::to_string((gpus * Count{into.lmcache.host}).value));
    if (into.lmcache.drives > 0) into.set("drive_cache_bytes", std::to_string((gpus * Count{into.lmcache.drives}).value));
  }
  const std::string* const exchange = into.line.request.find("expert_exchange");
  if (exchange != nullptr && *exchange == "deepep" && !into.exchange_mode.empty() && into.exchange_mode != "auto") into.set("expert_exchange", "deepep_" + into.exchange_mode);
}

/// Prediction layers draft where the model has them.
void settle_prediction(const Catalog& catalog, RequestBuilder& into) {
  if (!into.predicts) return;
  const std::string* const name = into.line.request.find("model");
  const ModelRow* const row = name == nullptr ? nullptr : catalog.find_model(*name);
  const ImportedModel model = row == nullptr ? ImportedModel{} : catalog.model(*row);
  if (model.model && prediction_layers(*model.model) > Count{0}) return into.set("predicts_drafts", "true");
  if (!into.otherwise.empty()) return into.set("drafter", into.otherwise);
  into.say(Severity::warning, "predicts_drafts", "The model has no prediction layers that are known to draft: its draft head is not in the estimate.",
           "Take what it needs off usable_bytes, or name a draft_model.");
}

/// --max-loras and --max-lora-rank alone: no adapter is let in (vllm/engine/arg_utils.py, EngineArgs.create_engine_config; SGLang's are alike).
void settle_adapters(RequestBuilder& into) {
  if (into.adapters || into.line.request.find("lora_slots") == nullptr) return;
  into.line.request.erase("lora_slots");
  into.line.request.erase("lora_rank");
  into.say(Severity::note, "lora_slots", "Slots for adapters have no effect without --enable-lora.", "Add it where the engine serves adapters.");
}

} // namespace

void RequestBuilder::assume_weights(std::string_view method) {
  say(Severity::note, "weight_dtype", quoted(method) + " leaves bits and groups to the checkpoint; " + weights + " is assumed.",
      "Choose another weight_dtype where it has others.");
}

void settle(const Catalog& catalog, RequestBuilder& into) {
  settle_tests(into);
  settle_adapters(into);
  settle_model(catalog, into);
  settle_prediction(catalog, into);
  settle_draft_model(catalog, into);
  settle_parallel(into);
  settle_tiers(into);
  settle_visible(into);
  settle_places(catalog, into);
  settle_cells(into);
  settle_cache(into);
  settle_fork(into);
}

} // namespace plimsoll::io::commands
