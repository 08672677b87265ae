#include "files/tensors/layer_facts.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::tensor_files {

namespace {

using enum TensorKind;

bool has(std::span<const Module> modules, TensorKind kind, std::string_view name) noexcept {
  return find_module(modules, kind, name) != nullptr;
}

/// The width of the side of a matrix that is not the model's; GPT-2 stores inputs before outputs, most others outputs first.
Count other_side(const Module& module, Count hidden_size, bool hidden_is_rows) noexcept {
  const Tensor& tensor = module.tensor;
  const Count expected = hidden_is_rows ? tensor.rows : tensor.columns, other = hidden_is_rows ? tensor.columns : tensor.rows;
  return expected != hidden_size && other == hidden_size ? expected : other;
}

Count divided(Count whole, Count part) noexcept {
  return part > Count{0} && whole.value % part.value == 0 ? Count{whole.value / part.value} : Count{0};
}

struct Widths {
  Count query{0}, key{0}, value{0}, output{0};
};

/// Norms of queries and keys show the size of a head, or of all heads; sinks show their number.
void find_heads(std::span<const Module> modules, const Widths& widths, Attention& attention, Unknowns& unknowns) {
  const Module* norm = find_module(modules, TensorKind::attention, "q_norm");
  Count head_dim{0};
  if (norm && norm->tensor.rows < widths.query) {
    attention.qk_norm = QkNorm::per_head;
    head_dim = norm->tensor.rows;
  } else if (norm) {
    attention.qk_norm = QkNorm::full;
  }
  if (const Module* sinks = find_module(modules, TensorKind::attention, "sinks")) {
    attention.sinks = true;
    head_dim = divided(widths.query, sinks->tensor.rows);
  }
  const Count query_heads = divided(widths.query, head_dim), kv_heads = divided(widths.key, head_dim);
  if (query_heads > Count{0} && kv_heads > Count{0}) {
    attention.head_dim = head_dim;
    attention.query_heads = query_heads;
    attention.kv_heads = kv_heads;
    const Count value_dim = divided(widths.value, kv_heads);
    if (value_dim != head_dim) attention.value_dim = value_dim;
    return;
  }
  unknowns.heads = true;
  attention.kv_heads = Count{1};
  attention.head_dim = widths.key;
  if (widths.value != widths.key) attention.value_dim = widths.value;
  attention.query_heads = max(divided(widths.query, widths.key), Count{1});
}

Attention attention_from(std::span<const Module> modules, Count hidden_size, Unknowns& unknowns) {
  Attention attention;
  const Module* q = find_module(modules, TensorKind::attention, "q_proj");
  const Module* k = find_module(modules, TensorKind::attention, "k_proj");
  const Module* v = find_module(modules, TensorKind::attention, "v_proj");
  const Module* o = find_module(modules, TensorKind::attention, "o_proj");
  const Module* fused = find_module(modules, TensorKind::attention, "qkv_proj");
  if (!fused && !q) return attention;
  Widths widths;
  if (o) widths.output = other_side(*o, hidden_size, true);
  if (fused) {
    const Count all = other_side(*fused, hidden_size, false);
    widths.query = widths.output > Count{0} ? widths.output : divided(all, Count{3});
    widths.key = widths.value = Count{std::max<std::int64_t>((all - widths.query).value / 2, 0)};
  } else {
    widths.query = other_side(*q, hidden_size, false);
    attention.output_gate = widths.output > Count{0} && widths.query == Count{2} * widths.output;
    if (attention.output_gate) widths.query = widths.output;
    if (k) widths.key = other_side(*k, hidden_size, false);
    if (v) widths.value = other_side(*v, hidden_size, false);
    attention.keys_are_values = k && !v;
    attention.has_kv_map = k != nullptr;
    attention.reuses_cache = !k;
    if (!v) widths.value = widths.key;
    if (!k) widths.key = widths.value = widths.query; // of a cache that another layer keeps
  }
  if (widths.key == Count{0}) widths.key = widths.value = widths.query;
  find_heads(modules, widths, attention, unknowns);
  for (const Module& module : modules) {
    attention.qkv_bias = attention.qkv_bias || module.tensor.name == "q_proj.bias" || module.tensor.name == "qkv_proj.bias";
    attention.output_bias = attention.output_bias || module.tensor.name == "o_proj.bias";
  }
  return attention;
}

/// The maps of latent attention determine its sizes: rows of q = n (nope + rope), rows of kv_b = n (nope + v), columns of o = n v.
LatentAttention latent_from(std::span<const Module> modules, Unknowns& unknowns) {
  LatentAttention latent;
  const Module* kv_a = find_module(modules, TensorKind::attention, "kv_a_proj_with_mqa");
  const Module* norm = find_module(modules, TensorKind::attention, "kv_a_layernorm");
  if (!kv_a) return latent;
  const Module* q_a = find_module(modules, TensorKind::attention, "q_a_proj");
  const Module* q = find_module(modules, TensorKind::attention, q_a ? "q_b_proj" : "q_proj");
  const Module* kv_b = find_module(modules, TensorKind::attention, "kv_b_proj");
  const Module* o = find_module(modules, TensorKind::attention, "o_proj");
  latent.heads = Count{1};
  latent.kv_rank = norm ? min(norm->tensor.rows, kv_a->tensor.rows) : kv_a->tensor.rows;
  latent.rope_dim = kv_a->tensor.rows - latent.kv_rank;
  if (q_a) latent.query_rank = q_a->tensor.rows;
  unknowns.heads = true;
  if (!q || !kv_b || !o) return latent;
  const Count value = o->tensor.columns, nope = kv_b->tensor.rows - value, rope = q->tensor.rows - nope;
  const Count heads = rope > Count{0} ? divided(rope, latent.rope_dim) : Count{0};
  if (heads == Count{0} || nope < Count{0} || divided(nope, heads) * heads != nope || divided(value, heads) * heads != value)
    return latent;
  unknowns.heads = false;
  latent.heads = heads;
  latent.nope_dim = divided(nope, heads);
  latent.value_dim = divided(value, heads);
  return latent;
}

Mlp mlp_from(std::span<const Module> modules, TensorKind kind, Count hidden_size) {
  Mlp result;
  const Module* up = find_module(modules, kind, "up_proj");
  const Module* down = find_module(modules, kind, "down_proj");
  const bool fused = has(modules, kind, "gate_up_proj");
  if (!down && !up) return result;
  result.intermediate_size = down ? other_side(*down, hidden_size, true) : other_side(*up, hidden_size, false);
  const bool doubled = up && down && other_side(*up, hidden_size, false) == Count{2} * result.intermediate_size;
  result.kind = fused || doubled || has(modules, kind, "gate_proj") ? MlpKind::gated : MlpKind::plain;
  for (const Module& module : modules)
    result.bias = result.bias || (module.tensor.kind == kind &&
                                  (module.tensor.name == "up_proj.bias" || module.tensor.name == "gate_up_proj.bias"));
  return result;
}

Moe moe_from(std::span<const Module> modules, Count hidden_size, Unknowns& unknowns) {
  Moe moe;
  const Module* down = find_module(modules, experts, "down_proj");
  if (!down) return moe;
  const Mlp expert = mlp_from(modules, experts, hidden_size);
  moe.experts = down->tensor.copies;
  moe.per_token = moe.experts;
  moe.expert_size = expert.intermediate_size;
  moe.kind = expert.kind;
  moe.bias = expert.bias;
  moe.shared_size = mlp_from(modules, shared_experts, hidden_size).intermediate_size;
  moe.shared_gate = has(modules, shared_experts, "shared_expert_gate");
  unknowns.experts_used = true;
  for (const Module& module : modules) {
    moe.router_bias = moe.router_bias || module.tensor.name == "gate.bias";
    moe.correction_bias = moe.correction_bias || module.role.name == "gate.e_score_correction_bias";
  }
  return moe;
}

Recurrence recurrence_from(std::span<const Module> modules, Unknowns& unknowns) {
  const Module* state = find_module(modules, TensorKind::recurrence, "A_log");
  const Module* taps = find_module(modules, TensorKind::recurrence, "conv1d");
  if (const Module* conv = find_module(modules, TensorKind::recurrence, "conv"); conv && !state)
    return ShortConvolution{.kernel = max(conv->tensor.columns, Count{1})};
  if (const Module* conv = find_module(modules, TensorKind::recurrence, "q_conv1d"); conv && state) {
    const Count heads = elements(state->tensor), head_dim = divided(conv->tensor.rows, heads);
    if (head_dim > Count{0}) return KimiDelta{.heads = heads, .head_dim = head_dim, .kernel = max(conv->tensor.columns, Count{1})};
  }
  if (const Module* step = find_module(modules, TensorKind::recurrence, "dt_proj");
      step && state && taps && state->tensor.columns > Count{1})
    return Mamba1{.inner = max(state->tensor.rows, Count{1}),
                  .state = state->tensor.columns,
                  .rank = step->tensor.columns,
                  .kernel = max(taps->tensor.columns, Count{1}),
                  .inner_norms = has(modules, TensorKind::recurrence, "norm")};
  const auto recurrent = [](const Module& module) { return module.tensor.kind == TensorKind::recurrence; };
  unknowns.recurrence = unknowns.recurrence || std::ranges::any_of(modules, recurrent);
  return std::monostate{};
}

} // namespace

bool is_cross(const Module& module) noexcept {
  return has_component(module.path, "EncDecAttention") || has_component(module.path, "encoder_attn") ||
         module.path.starts_with("cross_attn");
}

const Module* find_module(std::span<const Module> modules, TensorKind kind, std::string_view name) noexcept {
  for (const Module& module : modules)
    if (module.tensor.kind == kind && module.tensor.name == name && !is_cross(module)) return &module;
  return nullptr;
}

Layer layer_from_shapes(std::span<const Module> modules, Count hidden_size, Unknowns& unknowns) {
  Layer layer;
  layer.latent = latent_from(modules, unknowns);
  if (layer.latent.heads == Count{0}) layer.attention = attention_from(modules, hidden_size, unknowns);
  layer.recurrence = recurrence_from(modules, unknowns);
  layer.mlp = mlp_from(modules, mlp, hidden_size);
  layer.moe = moe_from(modules, hidden_size, unknowns);
  layer.norms = Count{0};
  for (const Module& module : modules)
    if (module.tensor.kind == norms && module.tensor.name == "norm") layer.norms += Count{1};
  const bool feeds = layer.mlp.intermediate_size > Count{0} || layer.moe.experts > Count{0};
  layer.parallel = layer.norms == Count{1} && feeds && layer.attention.query_heads > Count{0};
  layer.fused_projections = has(modules, TensorKind::attention, "qkv_proj");
  return layer;
}

void cut_tensors(std::span<Module> modules, const Layer& layer) {
  const Count heads = max(layer.latent.heads, layer.attention.query_heads), kv_heads = layer.attention.kv_heads;
  for (Module& module : modules) {
    Tensor& tensor = module.tensor;
    const auto cut = [&](Split split, Count units) {
      tensor.split = split;
      tensor.units = max(units, Count{1});
    };
    tensor.active = tensor.copies;
    if (tensor.kind == experts) tensor.active = min(layer.moe.per_token, tensor.copies);
    if (!tensor.matrix) continue;
    switch (module.role.cut) {
      case Cut::none: break;
      case Cut::query_rows: cut(Split::rows, heads); break;
      case Cut::key_rows: cut(Split::rows, kv_heads); break;
      case Cut::query_columns: cut(Split::columns, heads); break;
      case Cut::channel_rows: cut(Split::rows, tensor.rows); break;
      case Cut::channel_columns: cut(Split::columns, tensor.columns); break;
    }
  }
}

} // namespace plimsoll::io::tensor_files
