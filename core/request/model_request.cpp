#include "request/model_request.hpp"

#include "plimsoll/architectures/huggingface.hpp"
#include "plimsoll/catalog/weights.hpp"
#include "plimsoll/method/fields.hpp"
#include "plimsoll/method/parameters.hpp"
#include "text/value.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

bool is_plain(const LayerGroup& group) {
  return group.attention.query_heads > Count{0} && group.cross.query_heads == Count{0} && group.latent.heads == Count{0} &&
         std::holds_alternative<std::monostate>(group.recurrence);
}

/// Tokens of keys and values that all layers cache, by how far they look: what a cache formula reads of a model.
struct CacheShape {
  Count full{0}, windowed{0}, window{0};
  friend bool operator==(const CacheShape&, const CacheShape&) = default;
};

CacheShape cache_of(const Model& model) {
  CacheShape shape;
  for (const LayerGroup& group : model.groups) {
    const Attention& attention = group.attention;
    const Count value_dim = attention.value_dim == Count{0} ? attention.head_dim : attention.value_dim;
    const Count width = group.layers * (attention.kv_heads * (attention.head_dim + value_dim));
    (attention.pattern == AttentionPattern::full ? shape.full : shape.windowed) += width;
    if (attention.pattern != AttentionPattern::full) shape.window = attention.window;
  }
  return shape;
}

/// The value of a fact of that name; within its range, or the fact is left out and the check below fails.
void add(Overrides& facts, std::string_view name, std::int64_t value) {
  const Field* field = find_field(name);
  if (field != nullptr && (field->kind != FieldKind::integer || (value >= field->min && value <= field->max))) facts.facts.emplace(name, value);
}

Overrides facts_of(const Model& model) {
  const auto has_experts = [](const LayerGroup& group) { return group.moe.experts > Count{0}; };
  const auto slides = [](const LayerGroup& group) { return group.attention.pattern == AttentionPattern::sliding; };
  const LayerGroup& any = model.groups.front();
  Count dense_layers{0}, sliding_layers{0}, window{0}, mlp{0};
  const LayerGroup* expert = nullptr;
  for (const LayerGroup& group : model.groups) {
    if (has_experts(group)) expert = &group;
    else dense_layers += group.layers;
    if (slides(group)) sliding_layers += group.layers, window = group.attention.window;
    mlp = max(mlp, group.mlp.intermediate_size);
  }
  Overrides facts;
  add(facts, "hidden_size", model.hidden_size.value);
  add(facts, "layers", static_cast<std::int64_t>(model.pattern.size()));
  add(facts, "query_heads", any.attention.query_heads.value);
  add(facts, "kv_heads", any.attention.kv_heads.value);
  add(facts, "head_dim", any.attention.head_dim.value);
  if (mlp > Count{0}) add(facts, "intermediate_size", mlp.value);
  add(facts, "vocab_size", model.vocab_size.value);
  add(facts, "max_context", model.max_context.value);
  add(facts, "learned_positions", model.learned_positions.value);
  add(facts, "norms_per_layer", any.norms.value);
  add(facts, "norm", static_cast<std::int64_t>(model.norm));
  add(facts, "qk_norm", static_cast<std::int64_t>(any.attention.qk_norm));
  add(facts, "mlp_kind", static_cast<std::int64_t>((expert != nullptr ? expert->moe.kind : any.mlp.kind)));
  add(facts, "tied_embeddings", model.tied_embeddings);
  add(facts, "head_bias", model.head_bias);
  add(facts, "caps_logits", model.caps_logits);
  add(facts, "caps_scores", any.attention.caps_scores);
  add(facts, "qkv_bias", any.attention.qkv_bias);
  add(facts, "output_bias", any.attention.output_bias);
  add(facts, "mlp_bias", any.mlp.bias);
  add(facts, "activation", static_cast<std::int64_t>(any.mlp.activation));
  add(facts, "parallel_block", any.parallel);
  add(facts, "fused_projections", any.fused_projections);
  if (sliding_layers > Count{0}) {
    add(facts, "sliding_layers", sliding_layers.value);
    add(facts, "sliding_window", window.value);
  }
  if (expert != nullptr) {
    add(facts, "experts", expert->moe.experts.value);
    add(facts, "experts_per_token", expert->moe.per_token.value);
    add(facts, "expert_size", expert->moe.expert_size.value);
    add(facts, "shared_expert_size", expert->moe.shared_size.value);
    add(facts, "dense_layers", dense_layers.value);
  }
  return facts;
}

/// Of a file whose mixture has no known name: tensors outside its list have no format that could be another's.
constexpr std::string_view kNoMixture = "gguf_f16";

void set_weights(const WeightCatalog& weights, ModelRequest& made, const Model& model, std::string_view weight_format, std::span<const TensorFormat> formats) {
  const std::string format = lower_case(weight_format);
  const WeightSchemeRow* const row = weights.find_row(format);
  if (!formats.empty()) {
    const bool of_ggml = std::ranges::any_of(formats, [&](const TensorFormat& one) { return weights.engine_of(one.format) == "llama.cpp"; });
    const std::string base{row == nullptr || (of_ggml && row->engine != "llama.cpp") ? kNoMixture : std::string_view{row->id}};
    const std::string usual = weights.find(base)->formats.front().id;
    std::vector<TensorFormat> known;
    for (TensorFormat one : formats) {
      if (one.format.empty()) one.format = usual;
      if (one.format == usual || weights.find_format(one.format) != nullptr) known.push_back(std::move(one));
    }
    const std::string id = weights.as_stored(model, base, known);
    made.request.set("weight_dtype", id);
    if (const std::optional<WeightScheme> scheme = weights.find(id)) made.weights = stored_bytes(model, store(model, *scheme)); // a hostile file's list may be too long
  } else if (row != nullptr) {
    made.request.set("weight_dtype", row->id);
  } else if (!format.empty()) {
    made.request.set("weight_dtype", format); // an answer says that it knows no such format: it is not read as bf16
  }
}

} // namespace

ModelRequest request_of_model(const WeightCatalog& weights, std::string_view id, const Model& model, std::string_view weight_format, std::span<const TensorFormat> formats) {
  ModelRequest made;
  made.request.set("model", std::string{id});
  set_weights(weights, made, model, weight_format, formats);
  return made;
}

ModelRequest request_of_model(const WeightCatalog& weights, const Model& model, std::string_view weight_format, std::span<const TensorFormat> formats) {
  ModelRequest made;
  Request& request = made.request;
  if (model.groups.empty() || !std::ranges::all_of(model.groups, is_plain)) return made;
  const Overrides facts = facts_of(model);
  const ImportedModel again = import_custom_model(facts), standard = import_custom_model();
  if (!again.model || count_parameters(*again.model) != count_parameters(model) || cache_of(*again.model) != cache_of(model)) return made;
  request.set("model", "custom");
  for (const auto& [name, value] : facts.facts) {
    const Field& field = *find_field(name);
    const std::size_t index = fact_index(field);
    if (std::ranges::find(custom_model_sizes(), name) != custom_model_sizes().end() || !standard.facts.known[index] || standard.facts.values[index] != value) request.set(name, text_of(field, value));
  }
  set_weights(weights, made, *again.model, weight_format, formats);
  return made;
}

} // namespace plimsoll::io
