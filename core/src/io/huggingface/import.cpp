#include "plimsoll/io/huggingface.hpp"

#include "io/huggingface/families.hpp"
#include "io/huggingface/reader.hpp"
#include "io/value.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

/// The layers that the file marks as "sliding_attention", where it lists every layer; nothing when it does not.
std::optional<std::int64_t> listed_window_layers(ConfigReader& file, std::int64_t layers) {
  const Json* types = file.find("layer_types");
  if (types == nullptr) return std::nullopt;
  if (!types->is_array()) {
    file.report(Severity::error, "layer_types", "layer_types is " + quoted(*types) + ", where a list is needed.", "Correct the value in the file.");
    return 0;
  }
  std::int64_t sliding = 0, seen = 0;
  for (const Json& type : *types) {
    if (++seen > layers) break; // some files list extra prediction layers at the end
    if (type == "sliding_attention") ++sliding;
    else if (type != "full_attention") {
      file.report(Severity::error, "layer_types", "layer_types names " + quoted(type) + ", a kind of layer that is not covered yet.",
                  "Full and sliding-window attention are; choose another model.");
      return 0;
    }
  }
  return sliding;
}

void read_window(ConfigReader& file, const Family& family, ModelSpec& model) {
  if (family.window == WindowRule::none) return;
  const std::int64_t window = file.integer("sliding_window", {"sliding_window"}, family.default_window);
  if (window == 0) return;
  std::int64_t sliding = 0;
  if (const auto listed = listed_window_layers(file, model.layers)) {
    sliding = *listed;
  } else {
    switch (family.window) {
      case WindowRule::none: break;
      case WindowRule::all_layers: sliding = model.layers; break;
      case WindowRule::when_switched_on:
        if (file.flag("use_sliding_window", false))
          sliding = std::max<std::int64_t>(0, model.layers - file.integer("sliding_layers", {"max_window_layers"}, model.layers));
        break;
      case WindowRule::every_second: sliding = model.layers - model.layers / 2; break;
      case WindowRule::all_but_every_nth: {
        const std::int64_t n = std::max<std::int64_t>(1, file.integer("layers", {"sliding_window_pattern"}, family.default_window_pattern));
        sliding = model.layers - model.layers / n;
        break;
      }
    }
  }
  // A window beyond the longest context never takes effect (Phi-3.5 writes 262,144 over 131,072).
  if (model.max_context > 0 && window >= model.max_context) return;
  model.sliding_layers = sliding;
  model.sliding_window = sliding > 0 ? window : 0;
}

bool bias(ConfigReader& file, BiasRule rule) {
  switch (rule) {
    case BiasRule::absent: return false;
    case BiasRule::present: return true;
    case BiasRule::attention_bias_flag: return file.flag("attention_bias", false);
    case BiasRule::mlp_bias_flag: return file.flag("mlp_bias", false);
  }
  return false;
}

/// Only gelu_new is written out in Python and so keeps more; the name must be text.
Activation read_activation(ConfigReader& file, const Family& family) {
  std::string name{family.default_activation};
  for (const char* key : {"hidden_act", "activation_function", "hidden_activation"})
    if (const Json* value = file.find(key)) {
      if (value->is_string()) name = value->get<std::string>();
      else file.report(Severity::error, key, std::string{key} + " is " + quoted(*value) + ", where a name is needed.", "Correct the value in the file.");
      break;
    }
  return name == "gelu_new" || name == "gelu_fast" ? Activation::gelu_new : Activation::native;
}

std::int64_t read_head_dim(ConfigReader& file, const Family& family, const ModelSpec& model) {
  if (family.default_head_dim > 0 || file.find("head_dim") != nullptr)
    return file.integer("head_dim", {"head_dim"}, family.default_head_dim);
  if (model.query_heads > 0 && model.hidden_size % model.query_heads == 0) return model.hidden_size / model.query_heads;
  file.report(Severity::error, "head_dim", "The width " + std::to_string(model.hidden_size) + " is not a multiple of " +
              std::to_string(model.query_heads) + " heads, and the file gives no head_dim.", "Add head_dim to the file.");
  return 1;
}

ModelSpec read_model(ConfigReader& file, const Family& family, bool tied_by_default) {
  ModelSpec model;
  model.name = family.name;
  const auto optional = [](std::int64_t standard) { return standard > 0 ? std::optional{standard} : std::nullopt; };
  model.hidden_size = file.integer("hidden_size", {"hidden_size", "n_embd"});
  model.layers = file.integer("layers", {"num_hidden_layers", "n_layer"});
  model.query_heads = file.integer("query_heads", {"num_attention_heads", "n_head"}, optional(family.default_query_heads));
  model.kv_heads = file.integer("kv_heads", {"num_key_value_heads"}, family.default_kv_heads > 0 ? family.default_kv_heads : model.query_heads);
  model.head_dim = read_head_dim(file, family, model);
  model.intermediate_size = file.integer("intermediate_size", {"intermediate_size", "n_inner"}, optional(family.mlp_width_factor * model.hidden_size));
  model.vocab_size = file.integer("vocab_size", {"vocab_size"}, optional(family.default_vocab_size));
  model.max_context = file.integer("max_context", {"max_position_embeddings", "n_positions"}, family.default_max_context);
  model.learned_positions = family.learned_positions ? file.integer("learned_positions", {"n_positions", "max_position_embeddings"}) : 0;
  model.norms_per_layer = family.norms_per_layer;
  model.mlp_kind = family.mlp_kind;
  model.norm = family.norm;
  model.qk_norm = family.qk_norm;
  model.activation = read_activation(file, family);
  model.qkv_bias = bias(file, family.qkv_bias);
  model.output_bias = bias(file, family.output_bias);
  model.mlp_bias = bias(file, family.mlp_bias);
  model.head_bias = family.head_bias;
  model.parallel_block = family.parallel_block;
  model.fused_projections = family.fused_projections;
  model.tied_embeddings = file.flag("tie_word_embeddings", tied_by_default);
  read_window(file, family, model);
  if (model.kv_heads > model.query_heads || model.query_heads % model.kv_heads != 0)
    file.report(Severity::error, "num_key_value_heads", std::to_string(model.kv_heads) + " key/value heads cannot be shared evenly by " +
                std::to_string(model.query_heads) + " query heads.", "Correct one of the two in the file.");
  return model;
}

const Family* read_family(const Json& outer, const ConfigReader& file, Issues& issues) {
  const Json* type = file.find("model_type");
  std::string path = file.path_of("model_type");
  if (type == nullptr) {
    const auto outer_type = outer.find("model_type");
    if (outer_type != outer.end()) type = &*outer_type, path = "model_type";
  }
  std::vector<std::string> known;
  for (std::string_view name : family_types()) known.emplace_back(name);
  const std::string covered = "Covered are " + joined_with_or(known) + "; or choose a model and change its facts.";
  if (type == nullptr || !type->is_string()) {
    issues.push_back({Severity::error, path, type == nullptr ? path + " is missing: without it the architecture is unknown."
                                                             : path + " is " + quoted(*type) + ", where a name is needed.", covered});
    return nullptr;
  }
  const Family* family = find_family(type->get<std::string>());
  if (family == nullptr) issues.push_back({Severity::error, path, path + " is " + quoted(*type) + ", an architecture that is not covered yet.", covered});
  return family;
}

void note_what_is_left_out(const Json& outer, ConfigReader& file, Issues& issues) {
  if (outer.contains("vision_config"))
    issues.push_back({Severity::note, "vision_config", "The vision tower is not counted; the language model is.", "Add its parameters yourself where they matter."});
  for (const char* key : {"quantization_config", "compression_config"})
    if (outer.contains(key) || file.find(key) != nullptr)
      issues.push_back({Severity::warning, key, "The file describes quantised weights; the estimate is for unquantised ones.", "Expect smaller weights than shown."});
  if (file.flag("qk_layernorm", false))
    file.report(Severity::error, "qk_layernorm", "Query and key LayerNorms of Phi are not covered yet.", "Set qk_layernorm to false to leave them out.");
}

} // namespace

ImportedModel import_huggingface_config(std::string_view text) {
  ImportedModel imported;
  const std::string whole = "Paste or drop the whole config.json of a model.";
  const ParsedJson parsed = parse_json(text);
  if (!parsed.ok) {
    imported.issues.push_back({Severity::error, "", text.empty() ? "The text is empty." : parsed.error, whole});
    return imported;
  }
  if (!parsed.value.is_object()) {
    imported.issues.push_back({Severity::error, "", "A config.json is an object, not " + quoted(parsed.value) + ".", whole});
    return imported;
  }
  const Json& outer = parsed.value;
  const auto nested = outer.find("text_config"); // multimodal files keep the language model there
  const bool is_nested = nested != outer.end() && nested->is_object();
  ConfigReader file{is_nested ? *nested : outer, is_nested ? "text_config" : "", imported.issues};
  const Family* family = read_family(outer, file, imported.issues);
  if (family == nullptr) return imported;

  // Multimodal files may state the tie outside only.
  const bool tied_by_default = is_nested ? ConfigReader{outer, "", imported.issues}.flag("tie_word_embeddings", family->tied_by_default)
                                         : family->tied_by_default;
  const ModelSpec model = read_model(file, *family, tied_by_default);
  note_what_is_left_out(outer, file, imported.issues);
  if (!has_errors(imported.issues)) imported.model = model;
  return imported;
}

} // namespace plimsoll::io
