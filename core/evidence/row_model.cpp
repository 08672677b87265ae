#include "evidence/peft.hpp"
#include "evidence/rows.hpp"

#include <algorithm>

namespace plimsoll::io::accuracy {

namespace {

constexpr std::int64_t kMostLayers = 10'000, kLargest = 1'000'000'000'000;

std::optional<Count> size_of(const Json& model, const char* key) {
  if (!model.is_object()) return std::nullopt;
  const std::optional<std::int64_t> value = number_of(model, key);
  return value && *value >= 1 && *value <= kLargest ? std::optional{Count{*value}} : std::nullopt;
}

/// A size that must be there.
bool take(const Json& model, const char* key, Count& into, std::string& reason) {
  const std::optional<Count> value = size_of(model, key);
  if (!value) {
    if (reason.empty()) reason = std::string{"The row's model gives no whole number \""} + key + "\" of at least 1.";
    return false;
  }
  into = *value;
  return true;
}

} // namespace

const Json& member(const Json& value, const char* key) {
  static const Json kNull;
  if (!value.is_object()) return kNull;
  const auto at = value.find(key);
  return at == value.end() ? kNull : *at;
}

bool flag(const Json& value, const char* key, bool otherwise) {
  const Json& found = member(value, key);
  return found.is_boolean() ? found.get<bool>() : otherwise;
}

std::optional<Architecture> architecture_of_row(const Json& model, std::vector<std::string>& assumed, std::string& reason) {
  for (const char* part : {"moe", "mla", "hybrid", "linear_attention"})
    if (!member(model, part).is_null()) {
      reason = std::string{"Models with \""} + part + "\" are not covered by this reader.";
      return std::nullopt;
    }
  Architecture architecture;
  Layer layer;
  Count layers;
  bool ok = take(model, "layers", layers, reason);
  ok &= take(model, "hidden", architecture.hidden_size, reason);
  ok &= take(model, "ffn_hidden", layer.mlp.intermediate_size, reason);
  ok &= take(model, "heads", layer.attention.query_heads, reason);
  ok &= take(model, "vocab", architecture.vocab_size, reason);
  if (ok && layers > Count{kMostLayers}) reason = "The row's model has more layers than any model.", ok = false;
  if (!ok) return std::nullopt;

  layer.attention.kv_heads = size_of(model, "kv_heads").value_or(layer.attention.query_heads);
  if (const std::optional<Count> head_dim = size_of(model, "head_dim")) {
    layer.attention.head_dim = *head_dim;
  } else {
    layer.attention.head_dim = Count{std::max<std::int64_t>(architecture.hidden_size.value / layer.attention.query_heads.value, 1)};
    assumed.push_back("model.head_dim: hidden / heads");
  }
  const bool bias = flag(model, "linear_bias");
  layer.attention.qkv_bias = layer.attention.output_bias = layer.mlp.bias = bias;
  layer.attention.qk_norm = flag(model, "qk_norm") ? QkNorm::per_head : QkNorm::none;
  layer.mlp.kind = flag(model, "gated_mlp", true) ? MlpKind::gated : MlpKind::plain;
  const std::string norm = text_of(model, "norm");
  if (norm == "layernorm") architecture.norm = flag(model, "norm_bias", true) ? NormKind::layernorm : NormKind::layernorm_no_bias;
  else if (norm != "rmsnorm") assumed.push_back("model.norm: rmsnorm");
  architecture.max_context = size_of(model, "max_positions").value_or(Count{0});
  if (text_of(model, "position") == "learned") architecture.learned_positions = architecture.max_context;
  architecture.tied_embeddings = flag(model, "tied");
  architecture.id = "custom";
  architecture.layers.assign(static_cast<std::size_t>(layers.value), layer);
  return architecture;
}

} // namespace plimsoll::io::accuracy
