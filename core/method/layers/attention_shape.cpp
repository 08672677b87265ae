// The one place that knows which kind of attention a layer has: a new kind is a function here, and its tensors beside.
#include "method/layers/tensors.hpp"

namespace plimsoll::layers {

namespace {

/// Queries, keys and values each come from a map of their own.
AttentionShape with_own_maps(const Attention& attention) noexcept {
  AttentionShape shape;
  shape.heads = attention.query_heads;
  shape.kv_heads = attention.kv_heads;
  shape.query_dim = attention.head_dim;
  shape.value_dim = attention.value_dim > Count{0} ? attention.value_dim : attention.head_dim;
  shape.rotary_dim = attention.rotary_dim > Count{0} ? attention.rotary_dim : attention.head_dim;
  shape.input_maps = 3;
  shape.pattern = attention.pattern;
  shape.window = attention.window;
  if (attention.caches && !attention.reuses_cache) {
    shape.cached_keys = shape.query_dim;
    shape.cached_values = attention.one_cache ? Count{0} : shape.value_dim;
  }
  return shape;
}

/// Keys and values are expanded from one vector, which is cached with the rotary part that all heads share.
AttentionShape expanded_from_vector(const LatentAttention& attention) noexcept {
  AttentionShape shape;
  shape.id = "latent";
  shape.label = "latent-attention";
  shape.citation = "deepseek_v2";
  shape.copies = attention.copies;
  shape.heads = shape.kv_heads = attention.heads;
  shape.query_dim = attention.nope_dim + attention.rope_dim;
  shape.value_dim = attention.value_dim;
  shape.rotary_dim = attention.rope_dim;
  shape.input_maps = 2;
  shape.query_vector = attention.query_rank;
  shape.key_value_vector = attention.kv_rank;
  shape.expanded_dim = attention.nope_dim;
  shape.caches_vector = true;
  shape.cached_keys = attention.kv_rank + attention.rope_dim;
  shape.index_dim = attention.index_dim;
  return shape;
}

} // namespace

AttentionShape attention_shape_of(const Layer& layer) noexcept {
  return layer.latent.heads > Count{0} ? expanded_from_vector(layer.latent) : with_own_maps(layer.attention);
}

} // namespace plimsoll::layers
