#include "evidence/tables/row.hpp"
#include "evidence/words.hpp"

namespace plimsoll::io::accuracy::tables {

namespace {

constexpr std::int64_t kMostLayers = 4096, kWidest = 16'777'216;

bool is_true(const Json& row, const char* key) {
  const auto at = row.find(key);
  return at != row.end() && at->is_boolean() && at->get<bool>();
}

/// A size of at least 1, or nothing.
std::optional<Count> size_of(const Json& row, const char* key, std::int64_t most = kWidest) {
  const std::optional<std::int64_t> value = number_of(row, key);
  if (!value || *value < 1 || *value > most) return std::nullopt;
  return Count{*value};
}

bool is_absent(const Json& row, const char* key) {
  const auto at = row.find(key);
  return at == row.end() || at->is_null();
}

} // namespace

std::optional<Model> model_of(const Json& shapes, Head head) {
  if (!shapes.is_object()) return std::nullopt;
  for (const char* part : {"moe", "mla", "hybrid", "linear_attention"})
    if (!is_absent(shapes, part)) return std::nullopt;
  const auto layers = size_of(shapes, "layers", kMostLayers), hidden = size_of(shapes, "hidden"), ffn = size_of(shapes, "ffn_hidden"),
             heads = size_of(shapes, "heads", 65536), head_dim = size_of(shapes, "head_dim", 65536);
  auto vocab = size_of(shapes, "padded_vocab", 67'108'864);
  if (!vocab) vocab = size_of(shapes, "vocab", 67'108'864);
  if (!layers || !hidden || !ffn || !heads || !head_dim || !vocab) return std::nullopt;

  const std::string norm = text_of(shapes, "norm");
  const bool norm_bias = is_true(shapes, "norm_bias"), rms = norm == "rmsnorm";
  if (!rms && norm != "layernorm") return std::nullopt;
  Layer layer;
  layer.attention.query_heads = *heads;
  layer.attention.kv_heads = size_of(shapes, "kv_heads", 65536).value_or(*heads);
  layer.attention.head_dim = *head_dim;
  layer.attention.qkv_bias = is_true(shapes, "linear_bias") || is_true(shapes, "qkv_bias");
  layer.attention.output_bias = is_true(shapes, "linear_bias");
  layer.attention.qk_norm = is_true(shapes, "qk_norm") ? QkNorm::per_head : QkNorm::none;
  layer.mlp.intermediate_size = *ffn;
  layer.mlp.kind = is_true(shapes, "gated_mlp") ? MlpKind::gated : MlpKind::plain;
  layer.mlp.bias = is_true(shapes, "linear_bias");
  layer.norms = size_of(shapes, "norms_per_layer", 8).value_or(Count{2});
  layer.parallel = is_true(shapes, "parallel_block");

  Architecture architecture;
  architecture.id = std::string{kCustomModel};
  architecture.hidden_size = *hidden;
  architecture.vocab_size = *vocab;
  architecture.max_context = size_of(shapes, "max_positions", 67'108'864).value_or(Count{0});
  if (text_of(shapes, "position") == "learned") architecture.learned_positions = architecture.max_context;
  architecture.norm = rms ? NormKind::rmsnorm : norm_bias ? NormKind::layernorm : NormKind::layernorm_no_bias;
  architecture.tied_embeddings = head == Head::as_told && is_true(shapes, "tied");
  architecture.layers.assign(static_cast<std::size_t>(layers->value), layer);
  return make_model(architecture);
}

} // namespace plimsoll::io::accuracy::tables
