// Gemma. Sources as in llama_like.cpp; Gemma 3n: the model class gemma3n of transformers, and MatFormer (arXiv 2310.07707), AltUp
// (arXiv 2301.13310), LAuReL (arXiv 2411.07501).
#include "architectures/steps/steps.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

constexpr FlagRule kAttentionBias{.names = {"attention_bias"}};

/// A token table for every layer, packed into one, and the map of the hidden state that is added to it.
void add_layer_inputs(ModelBuilder& draft, Count vocab, Count size) {
  if (size == Count{0}) return;
  Architecture& out = draft.out;
  const Count all = Count{static_cast<std::int64_t>(draft.layers())} * size;
  out.extras.push_back({.name = "embed_tokens_per_layer", .kind = TensorKind::embedding, .rows = vocab, .columns = all, .active_rows = Count{1}});
  out.extras.push_back(map_tensor("per_layer_model_projection", TensorKind::adapters, all, out.hidden_size));
  out.extras.push_back(vector_tensor("per_layer_projection_norm", TensorKind::norms, size));
  for (Layer& layer : out.layers) {
    layer.extras.push_back(map_tensor("per_layer_input_gate", TensorKind::adapters, size, out.hidden_size));
    layer.extras.push_back(map_tensor("per_layer_projection", TensorKind::adapters, out.hidden_size, size));
    layer.extras.push_back(vector_tensor("post_per_layer_input_norm", TensorKind::norms, out.hidden_size));
  }
}

/// The last layers that attend to the cache of earlier ones.
std::size_t first_sharing_layer(ModelBuilder& draft, std::int64_t standard) {
  const auto layers = static_cast<std::int64_t>(draft.layers());
  const std::int64_t sharing = draft.read.integer("kv_shared_layers", {"num_kv_shared_layers"}, standard);
  if (sharing >= layers && sharing > 0)
    draft.read.report_at(draft.read.where("kv_shared_layers"), std::to_string(sharing) + " layers cannot all share the cache of earlier ones: the model has " +
                         std::to_string(layers) + ".", "Write at most " + std::to_string(layers - 1) + ".");
  return static_cast<std::size_t>(std::max<std::int64_t>(0, layers - sharing));
}

/// MLP widths by layer: a list in the larger files.
void read_widths(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  const Json* width = read.find("intermediate_size");
  if (width == nullptr || !width->is_array() || read.overridden("intermediate_size")) {
    const Count one = read_mlp_width(draft);
    for (Layer& layer : draft.out.layers) layer.mlp.intermediate_size = one;
    return;
  }
  const auto widths = layer_numbers(draft, {"intermediate_size"}, {1, 16'777'216}, draft.layers());
  if (!widths) return;
  read.fact("intermediate_size", widths->front());
  for (std::size_t i = 0; i < draft.layers(); ++i) draft.out.layers[i].mlp.intermediate_size = Count{by_layer(*widths, i)};
}

void build_gemma3n(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_alike_layers(draft);
  read_widths(draft);
  read_windows(draft);

  Architecture& out = draft.out;
  const Count h = out.hidden_size, rank = read.count("laurel_rank", {"laurel_rank"}, 64), streams = read.count("altup_inputs", {"altup_num_inputs"}, 4);
  const std::size_t sharing = first_sharing_layer(draft, 15);
  for (std::size_t i = 0; i < draft.layers(); ++i) {
    Layer& at = out.layers[i];
    at.attention.reuses_cache = i >= sharing; // their key and value matrices exist nevertheless
    at.extras.push_back(map_tensor("laurel_left", TensorKind::adapters, rank, h));
    at.extras.push_back(map_tensor("laurel_right", TensorKind::adapters, h, rank));
    at.extras.push_back(vector_tensor("laurel_norm", TensorKind::adapters, h));
    at.extras.push_back(map_tensor("altup_router", TensorKind::adapters, streams, h));
    at.extras.push_back(vector_tensor("altup_router_norm", TensorKind::adapters, h));
    at.extras.push_back(map_tensor("altup_prediction", TensorKind::adapters, streams * streams, streams));
    at.extras.push_back(map_tensor("altup_correction", TensorKind::adapters, streams, streams));
    at.extras.push_back(vector_tensor("altup_scale", TensorKind::adapters, h));
  }
  const Count others = streams - Count{1};
  out.extras.push_back(map_tensor("altup_projections", TensorKind::adapters, h, h, others));
  out.extras.push_back(map_tensor("altup_unembed_projections", TensorKind::adapters, h, h, others));
  add_layer_inputs(draft, read.count("per_layer_vocab_size", {"vocab_size_per_layer_input"}, 262'144),
                   read.count("per_layer_input_size", {"hidden_size_per_layer_input"}, 256));
}

/// Full-attention layers have wider heads, and may make keys and values with one matrix.
void widen_global_layers(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  const Attention first = draft.out.layers.front().attention;
  const Count wide = read.count("global_head_dim", {"global_head_dim"}, 512);
  const bool one_matrix = read.flag("keys_are_values", {"attention_k_eq_v"}, false);
  const std::int64_t kv = first.kv_heads.value;
  const Count heads = one_matrix ? read.count("global_kv_heads", {"num_global_key_value_heads"}, kv) : first.kv_heads;
  check_heads(draft, first.query_heads.value, heads.value, "global_kv_heads");
  for (Layer& layer : draft.out.layers) {
    if (layer.attention.pattern != AttentionPattern::full) continue;
    layer.attention.head_dim = wide;
    layer.attention.kv_heads = heads;
    layer.attention.keys_are_values = one_matrix;
  }
}

/// Which layers are full is decided before a window beyond the context makes all of them so.
void build_gemma4(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_alike_layers(draft);
  read_widths(draft);
  read_windows(draft);
  widen_global_layers(draft);

  const std::size_t sharing = first_sharing_layer(draft, 0);
  const bool doubled = read.says({"use_double_wide_mlp"}, false);
  for (std::size_t i = sharing; i < draft.layers(); ++i) {
    Layer& at = draft.out.layers[i];
    at.attention.reuses_cache = true;
    at.attention.has_kv_map = false;
    if (doubled) at.mlp.intermediate_size = Count{2} * at.mlp.intermediate_size;
  }
  if (read.says({"enable_moe_block"}, false)) {
    Moe moe = read_moe(draft, draft.family.experts);
    moe.router_scales = true;
    for (Layer& at : draft.out.layers) { // beside the MLP, with three norms of its own
      at.moe = moe;
      at.norms = Count{read.fact("norms_per_layer", 7)};
    }
  }
  add_layer_inputs(draft, read.count("per_layer_vocab_size", {"vocab_size_per_layer_input"}, 262'144),
                   read.count("per_layer_input_size", {"hidden_size_per_layer_input"}, 256));
}

constexpr Family base(std::string_view type, std::string_view name, Defaults defaults) {
  return {.type = type, .name = name, .defaults = defaults, .norm = NormKind::rmsnorm_zero_centered, .qkv_bias = kAttentionBias,
          .output_bias = kAttentionBias, .tied = true, .activation = "gelu_pytorch_tanh"};
}

constexpr Defaults kSecond{.hidden = 2304, .layers = 26, .heads = 8, .kv_heads = 4, .head_dim = 256, .mlp = 9216, .vocab = 256000, .context = 8192};

constexpr Family second(std::string_view type, std::string_view name, std::int64_t norms) {
  Family family = base(type, name, kSecond);
  family.norms = norms;
  family.caps_scores = family.caps_logits = true;
  family.window = WindowRule::every_second;
  family.window_size = 4096;
  return family;
}

constexpr Family later(std::string_view type, std::string_view name, Defaults defaults, std::int64_t window, std::int64_t pattern) {
  Family family = base(type, name, defaults);
  family.norms = 4;
  family.qk_norm = QkRule::per_head;
  family.window = WindowRule::all_but_every_nth;
  family.window_size = window;
  family.window_pattern = pattern;
  return family;
}

constexpr Family kFamilies[] = {
    base("gemma", "Gemma", {.hidden = 3072, .layers = 28, .heads = 16, .head_dim = 256, .mlp = 24576, .vocab = 256000, .context = 8192}),
    second("gemma2", "Gemma 2", 4),
    second("vaultgemma", "VaultGemma", 2),
    later("gemma3", "Gemma 3",
          {.hidden = 2304, .layers = 26, .heads = 8, .kv_heads = 4, .head_dim = 256, .mlp = 9216, .vocab = 262208, .context = 131072}, 4096, 6),
    [] {
      Family family = later("gemma3n", "Gemma 3n",
                            {.hidden = 2048, .layers = 35, .heads = 8, .kv_heads = 2, .head_dim = 256, .mlp = 16384, .vocab = 262400, .context = 32768}, 512, 5);
      family.norm = NormKind::rmsnorm;
      family.caps_logits = true;
      family.build = build_gemma3n;
      return family;
    }(),
    [] {
      Family family = later("gemma4", "Gemma 4",
                            {.hidden = 2304, .layers = 30, .heads = 8, .kv_heads = 4, .head_dim = 256, .mlp = 9216, .vocab = 262144, .context = 131072}, 512, 6);
      family.norm = NormKind::rmsnorm;
      family.experts = {.has = true};
      family.build = build_gemma4;
      return family;
    }(),
};

} // namespace

std::span<const Family> families::gemma() noexcept { return kFamilies; }

} // namespace plimsoll::io
