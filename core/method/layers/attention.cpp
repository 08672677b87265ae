// Multi-head, grouped-query and multi-query attention. Vaswani et al. 2017 (arXiv 1706.03762); Ainslie et al. 2023 (arXiv
// 2305.13245). Heads are the parts that GPUs divide; the output bias is added after the sum over GPUs, so every GPU holds it.
#include "method/layers/tensors.hpp"

namespace plimsoll::layers {

namespace {

void add_norms(TensorList& list, const Attention& attention, Count query, Count key) {
  const Count d = attention.head_dim;
  switch (attention.qk_norm) {
    case QkNorm::none: return;
    case QkNorm::per_head:
      list.vector("q_norm", d);
      if (attention.has_kv_map) list.vector("k_norm", d);
      return;
    case QkNorm::per_head_layernorm:
      list.table("q_layernorm", d, Count{2});
      if (attention.has_kv_map) list.table("k_layernorm", d, Count{2});
      return;
    case QkNorm::full:
      list.vector("q_norm", query, Split::rows, attention.query_heads);
      if (attention.has_kv_map) list.vector("k_norm", key, Split::rows, attention.kv_heads);
      return;
  }
}

} // namespace

Tensors of(const Attention& attention, Count hidden_size) {
  TensorList list{TensorKind::attention};
  if (attention.query_heads == Count{0} || attention.borrowed) return std::move(list).take();
  const Count value_dim = attention.value_dim == Count{0} ? attention.head_dim : attention.value_dim;
  const Count query = attention.query_heads * attention.head_dim, key = attention.kv_heads * attention.head_dim;
  const Count value = attention.kv_heads * value_dim, output = attention.query_heads * value_dim;
  const Count mapped_query = Count{attention.output_gate ? 2 : 1} * query;
  const bool has_values = attention.has_kv_map && !attention.keys_are_values;

  list.map("q_proj", mapped_query, hidden_size, Split::rows, attention.query_heads);
  if (attention.has_kv_map) list.map("k_proj", key, hidden_size, Split::rows, attention.kv_heads);
  if (has_values) list.map("v_proj", value, hidden_size, Split::rows, attention.kv_heads);
  list.map("o_proj", hidden_size, output, Split::columns, attention.query_heads);
  if (attention.head_gate) list.map("g_proj", attention.query_heads, hidden_size, Split::rows, attention.query_heads);
  if (attention.qkv_bias) {
    list.vector("q_proj.bias", mapped_query, Split::rows, attention.query_heads);
    if (attention.has_kv_map && attention.key_bias) list.vector("k_proj.bias", key, Split::rows, attention.kv_heads);
    if (has_values) list.vector("v_proj.bias", value, Split::rows, attention.kv_heads);
  }
  if (attention.output_bias) list.vector("o_proj.bias", hidden_size);
  if (attention.sinks) list.vector("sinks", attention.query_heads, Split::rows, attention.query_heads);
  add_norms(list, attention, query, key);
  return std::move(list).take();
}

} // namespace plimsoll::layers
