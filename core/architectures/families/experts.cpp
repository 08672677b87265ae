// Decoders with mixtures of experts in all or most layers. Sources as in llama_like.cpp.
#include "architectures/steps/steps.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

constexpr FlagRule kAttentionBias{.names = {"attention_bias"}};
constexpr FlagRule kUseBias{.names = {"use_bias"}};
constexpr FlagRule kRoutingBias{.names = {"use_routing_bias"}};

void finish_gpt_oss(ModelBuilder& draft) {
  const bool sinks = draft.read.fact("attention_sinks", 1) != 0;
  for (Layer& layer : draft.out.layers) layer.attention.sinks = sinks;
}

/// Layers with rotary positions look at their chunk only; the others look at everything.
void finish_llama4(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  const std::int64_t chunk = read.integer("attention_chunk", {"attention_chunk_size"}, read.says_null("attention_chunk_size") ? 0 : 8192);
  std::vector<bool> chunked(draft.layers());
  const auto every = static_cast<std::size_t>(read.integer("full_attention_interval", {"no_rope_layer_interval"}, 4));
  for (std::size_t i = 0; i < chunked.size(); ++i) chunked[i] = (i + 1) % every != 0;
  if (read.overridden("full_attention_interval")) {
  } else if (const auto types = layer_words(draft, {"layer_types"}, draft.layers())) {
    if (!check_words(draft, *types, "layer_types", {"full_attention", "chunked_attention"})) return;
    for (std::size_t i = 0; i < chunked.size(); ++i) chunked[i] = by_layer(*types, i) == "chunked_attention";
  } else if (const Json* listed = read.find("no_rope_layers"); listed != nullptr && !listed->empty()) {
    const auto rotary = layer_numbers(draft, {"no_rope_layers"}, {0, 1}, draft.layers());
    if (!rotary) return;
    for (std::size_t i = 0; i < chunked.size(); ++i) chunked[i] = by_layer(*rotary, i) != 0;
  }
  for (std::size_t i = 0; i < chunked.size(); ++i) {
    if (!chunked[i] || chunk == 0) continue;
    draft.out.layers[i].attention.pattern = AttentionPattern::chunked;
    draft.out.layers[i].attention.window = Count{chunk};
  }
}

/// Dense layers have a width of their own, which files of sparse models only leave out.
std::int64_t llama4_width(ModelBuilder& draft) { return draft.read.number({"intermediate_size_mlp"}, {1, 16'777'216}, 16384); }

/// An MLP as wide as the model stands beside the experts, with a norm of its own.
void finish_arctic(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  if (!read.says({"parallel_attn_mlp_res"}, false)) return;
  const Mlp style = read_mlp_style(draft);
  for (Layer& layer : draft.out.layers) {
    if (layer.moe.experts == Count{0}) continue;
    layer.mlp = style;
    layer.mlp.intermediate_size = draft.out.hidden_size;
    layer.norms = Count{read.fact("norms_per_layer", 3)};
  }
}

/// Per-layer query/key norms count every channel; per-head ones are shared.
void finish_minimax(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  QkNorm norm = QkNorm::none;
  if (read.says({"use_qk_norm"}, false)) norm = read.text({"qk_norm_type"}, "per_head") == "per_layer" ? QkNorm::full : QkNorm::per_head;
  norm = read.choice("qk_norm", norm);
  for (Layer& layer : draft.out.layers) layer.attention.qk_norm = norm;
}

/// MiniMax-M3: some layers select blocks of the context with an indexer.
void finish_minimax_m3(ModelBuilder& draft) {
  finish_minimax(draft);
  const auto sparse = draft.read.inside("sparse_attention_config");
  if (!sparse) return;
  ConfigReader inner = *sparse;
  const Count heads = Count{draft.read.fact("index_heads", inner.number({"sparse_num_index_heads"}, {0, 65'536}, 0))};
  const Count size = Count{draft.read.fact("index_head_dim", inner.number({"sparse_index_dim"}, {0, 65'536}, 0))};
  const auto marks = inner.numbers({"sparse_attention_freq"}, {0, 1});
  for (std::size_t i = 0; i < draft.layers(); ++i) {
    if (!marks || i >= marks->size() || (*marks)[i] == 0 || heads == Count{0}) continue;
    auto& extras = draft.out.layers[i].extras;
    extras.push_back(map_tensor("index_q_proj", TensorKind::indexer, heads * size, draft.out.hidden_size));
    extras.push_back(map_tensor("index_k_proj", TensorKind::indexer, size, draft.out.hidden_size));
    extras.push_back(vector_tensor("index_norm", TensorKind::indexer, size, Count{2}));
  }
}

/// K-EXAONE's last layer looks at everything whatever the pattern says; prediction layers are dense.
void finish_exaone_moe(ModelBuilder& draft) { add_prediction(draft, draft.out.layers.front(), read_prediction_layers(draft)); }

/// ERNIE's prediction layers are dense: one norm for each input, and a biasless or biased map.
void finish_ernie(ModelBuilder& draft) {
  const std::int64_t count = read_prediction_layers(draft);
  if (count == 0) return;
  Layer layer = draft.out.layers.front();
  layer.moe = {};
  layer.mlp = read_mlp_style(draft);
  layer.mlp.intermediate_size = read_mlp_width(draft);
  add_prediction(draft, layer, count, 2);
  if (layer.mlp.bias) draft.out.extras.push_back(vector_tensor("mtp_linear_proj.bias", TensorKind::prediction, draft.out.hidden_size, Count{count}));
}

void finish_hy_v3(ModelBuilder& draft) { add_prediction(draft, draft.out.layers.back(), read_prediction_layers(draft)); }

/// Layers that no list names look at the whole context.
void read_listed_windows(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  std::vector<bool> slides(draft.layers());
  if (const auto types = layer_words(draft, {"layer_types"}, draft.layers())) {
    if (!check_words(draft, *types, "layer_types", {"full_attention", "sliding_attention"})) return;
    for (std::size_t i = 0; i < slides.size(); ++i) slides[i] = by_layer(*types, i) == "sliding_attention";
  }
  set_windows(draft, slides, read.integer("sliding_window", names::kWindow, draft.family.window_size));
}

/// Layers have query heads of their own number, and a gate on what attention gives: one for each of them, or for each of their channels.
void finish_laguna(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  const bool by_channel = read.text({"gating"}, "per-head") == "per-element";
  const auto heads = read.overridden("query_heads") ? std::nullopt : layer_numbers(draft, {"num_attention_heads_per_layer"}, {1, 65'536}, draft.layers());
  for (std::size_t i = 0; i < draft.layers(); ++i) {
    Layer& layer = draft.out.layers[i];
    Attention& attention = layer.attention;
    if (heads) attention.query_heads = Count{by_layer(*heads, i)};
    const Count gates = by_channel ? attention.query_heads * attention.head_dim : attention.query_heads;
    Tensor gate = map_tensor("g_proj", TensorKind::attention, gates, draft.out.hidden_size);
    gate.split = Split::rows;
    gate.units = attention.query_heads;
    layer.extras.push_back(gate);
  }
  read_listed_windows(draft);
}

constexpr Family bailing(std::string_view type, std::string_view name) {
  return {.type = type, .name = name, .defaults = {.context = 4096}, .qk_norm = QkRule::per_head_by_flag,
          .qkv_bias = {.names = {"use_qkv_bias"}}, .output_bias = kUseBias, .fused = true,
          .experts = {.has = true, .shared = SharedRule::count_times_width, .correction = {.names = {"moe_router_enable_expert_bias"}}},
          .prediction = true};
}

constexpr Family granite(std::string_view type, std::string_view name, SharedRule shared) {
  return {.type = type, .name = name, .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .vocab = 32000, .context = 2048},
          .qkv_bias = kAttentionBias, .output_bias = kAttentionBias,
          .experts = {.has = true, .own_width = false, .experts = 8, .per_token = 2, .width = 11008, .shared = shared, .dense_first = false}};
}

constexpr Family olmoe(std::string_view type, std::string_view name) {
  return {.type = type, .name = name, .defaults = {.hidden = 2048, .layers = 16, .heads = 16, .vocab = 50304, .context = 4096},
          .qk_norm = QkRule::full, .qkv_bias = kAttentionBias, .output_bias = kAttentionBias,
          .experts = {.has = true, .own_width = false, .experts = 64, .per_token = 8, .width = 2048, .dense_first = false}};
}

constexpr Family kFamilies[] = {
    {.type = "mixtral", .name = "Mixtral",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .kv_heads = 8, .vocab = 32000, .context = 131072}, .window = WindowRule::all_layers,
     .experts = {.has = true, .own_width = false, .experts = 8, .per_token = 2, .width = 14336, .dense_first = false}},
    {.type = "phimoe", .name = "Phi-3.5-MoE",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .kv_heads = 8, .vocab = 32064, .context = 131072}, .norm = NormKind::layernorm,
     .qkv_bias = kAttentionBias, .output_bias = kAttentionBias, .head_bias = {.names = {"lm_head_bias"}}, .window = WindowRule::all_layers,
     .experts = {.has = true, .own_width = false, .experts = 16, .per_token = 2, .width = 6400, .dense_first = false}},
    {.type = "deepseek", .name = "DeepSeekMoE", .defaults = {.mlp = 11008, .vocab = 102400, .context = 2048}, .qkv_bias = kAttentionBias,
     .output_bias = kAttentionBias, .experts = {.has = true, .shared = SharedRule::count_times_width}},
    {.type = "dots1", .name = "dots.llm1",
     .defaults = {.hidden = 4608, .layers = 62, .heads = 32, .mlp = 10944, .vocab = 152064, .context = 2048}, .qk_norm = QkRule::per_head,
     .qkv_bias = kAttentionBias, .output_bias = kAttentionBias, .window = WindowRule::when_switched_on,
     .experts = {.has = true, .width = 1408, .shared = SharedRule::count_times_width, .correction = kPresent}},
    {.type = "glm4_moe", .name = "GLM-4.5",
     .defaults = {.hidden = 4096, .layers = 46, .heads = 96, .kv_heads = 8, .head_dim = 128, .mlp = 10944, .vocab = 151552, .context = 131072},
     .qk_norm = QkRule::per_head_by_flag, .qkv_bias = kAttentionBias,
     .experts = {.has = true, .experts = 128, .per_token = 8, .width = 1408, .shared = SharedRule::count_times_width, .correction = kPresent, .dense_default = 1},
     .prediction = true},
    {.type = "glm4v_moe", .name = "GLM-4.5V",
     .defaults = {.hidden = 4096, .layers = 46, .heads = 96, .kv_heads = 8, .mlp = 10944, .vocab = 151424, .context = 65536},
     .qk_norm = QkRule::per_head_by_flag, .qkv_bias = {.names = {"attention_bias"}, .standard = true},
     .experts = {.has = true, .experts = 128, .per_token = 8, .width = 1408, .shared = SharedRule::count_times_width, .correction = kPresent, .dense_default = 1},
     .prediction = true},
    {.type = "gpt_oss", .name = "gpt-oss",
     .defaults = {.hidden = 2880, .layers = 36, .heads = 64, .kv_heads = 8, .head_dim = 64, .vocab = 201088, .context = 131072},
     .qkv_bias = {.names = {"attention_bias"}, .standard = true}, .output_bias = {.names = {"attention_bias"}, .standard = true},
     .mlp_bias = kPresent, .window = WindowRule::every_second, .window_size = 128,
     .experts = {.has = true, .own_width = false, .experts = 128, .per_token = 4, .width = 2880, .router_bias = true, .dense_first = false},
     .finish = finish_gpt_oss},
    {.type = "llama4", .name = "Llama 4",
     .defaults = {.hidden = 5120, .layers = 48, .heads = 40, .kv_heads = 8, .head_dim = 128, .mlp = 16384, .vocab = 202048, .context = 131072},
     .qkv_bias = kAttentionBias, .output_bias = kAttentionBias,
     .experts = {.has = true, .own_width = false, .experts = 16, .per_token = 1, .width = 8192, .shared = SharedRule::one_like_routed, .dense_first = false},
     .mlp_width = llama4_width, .finish = finish_llama4},
    olmoe("olmoe", "OLMoE"),
    olmoe("flex_olmo", "FlexOlmo"),
    granite("granitemoe", "Granite-MoE", SharedRule::none),
    granite("granitemoeshared", "Granite-MoE with a shared expert", SharedRule::width),
    {.type = "dbrx", .name = "DBRX", .defaults = {.hidden = 2048, .layers = 24, .heads = 16, .vocab = 32000, .context = 2048},
     .norm = NormKind::layernorm_no_bias, .fused = true,
     .experts = {.has = true, .own_width = false, .experts = 4, .per_token = 1, .width = 3584, .dense_first = false}},
    {.type = "grok-1", .name = "Grok-1", .defaults = {.context = 8192}, .norms = 4, .tied = true,
     .experts = {.has = true, .own_width = false, .dense_first = false}},
    {.type = "arctic", .name = "Arctic", .defaults = {.mlp = 14336, .vocab = 32000, .context = 4096},
     .experts = {.has = true, .own_width = false, .experts = 8, .per_token = 1, .dense_first = false}, .finish = finish_arctic},
    {.type = "minimax_m2", .name = "MiniMax-M2",
     .defaults = {.hidden = 3072, .layers = 62, .heads = 48, .kv_heads = 8, .head_dim = 128, .vocab = 200064, .context = 196608},
     .experts = {.has = true, .own_width = false, .experts = 256, .per_token = 8, .width = 1536, .correction = kRoutingBias, .dense_first = false},
     .finish = finish_minimax},
    {.type = "minimax_m3", .name = "MiniMax-M3", .defaults = {.head_dim = 128},
     .experts = {.has = true, .shared = SharedRule::count_times_width, .correction = kRoutingBias},
     .mlp_width = [](ModelBuilder& draft) { return draft.read.number({"dense_intermediate_size"}, {1, 16'777'216}); }, .finish = finish_minimax_m3},
    {.type = "hy_v3", .name = "Hunyuan 3", .qk_norm = QkRule::per_head_unless_off, .qkv_bias = kAttentionBias, .output_bias = kAttentionBias,
     .experts = {.has = true, .shared = SharedRule::count_times_width, .correction = kPresent, .dense_default = 1}, .finish = finish_hy_v3},
    {.type = "laguna", .name = "Laguna",
     .defaults = {.hidden = 2048, .layers = 40, .heads = 48, .kv_heads = 8, .head_dim = 128, .mlp = 8192, .vocab = 100352, .context = 131072},
     .qk_norm = QkRule::per_head, .qkv_bias = kAttentionBias, .output_bias = kAttentionBias, .window = WindowRule::own, .window_size = 512,
     .experts = {.has = true, .experts = 256, .per_token = 8, .width = 512, .shared = SharedRule::width, .shared_width = 512, .correction = kPresent, .dense_default = 1},
     .finish = finish_laguna},
    {.type = "mellum", .name = "Mellum 2",
     .defaults = {.hidden = 2304, .layers = 28, .heads = 32, .kv_heads = 4, .head_dim = 128, .mlp = 7168, .vocab = 98304, .context = 131072},
     .qk_norm = QkRule::per_head, .qkv_bias = kAttentionBias, .output_bias = kAttentionBias, .window = WindowRule::own, .window_size = 1024,
     .experts = {.has = true, .experts = 64, .per_token = 8, .width = 896}, .prediction = true, .finish = read_listed_windows},
    {.type = "afmoe", .name = "Trinity",
     .defaults = {.hidden = 2048, .layers = 32, .heads = 16, .head_dim = 128, .mlp = 6144, .vocab = 200192, .context = 16384}, .norms = 4,
     .qk_norm = QkRule::per_head, .window = WindowRule::all_but_every_nth, .window_size = 1024, .window_pattern = 4,
     .experts = {.has = true, .experts = 64, .per_token = 6, .width = 1408, .shared = SharedRule::count_times_width, .correction = kPresent, .dense_default = 1},
     .finish = gate_attention},
    {.type = "exaone_moe", .name = "K-EXAONE",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .mlp = 16384, .vocab = 102400, .context = 2048}, .qk_norm = QkRule::per_head,
     .window = WindowRule::all_but_every_nth, .window_size = 4096, .window_pattern = 4,
     .experts = {.has = true, .experts = 64, .per_token = 8, .width = 1024, .shared = SharedRule::count_times_width, .correction = kPresent, .dense_default = 1},
     .finish = finish_exaone_moe},
    {.type = "ernie4_5_moe", .name = "ERNIE 4.5 MoE",
     .defaults = {.hidden = 2560, .layers = 28, .heads = 20, .kv_heads = 4, .mlp = 12288, .vocab = 103424, .context = 131072},
     .qkv_bias = kUseBias, .output_bias = kUseBias, .mlp_bias = kUseBias, .tied = true,
     .experts = {.has = true, .experts = 64, .per_token = 6, .width = 1536, .shared = SharedRule::count_times_width,
                 .correction = {.names = {"moe_use_aux_free"}}, .dense_default = 1},
     .finish = finish_ernie},
    {.type = "deepseek_ocr2_text", .name = "DeepSeek-OCR 2",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .mlp = 11008, .vocab = 32000, .context = 2048}, .qkv_bias = kAttentionBias, .output_bias = kAttentionBias,
     .experts = {.has = true, .experts = 64, .width = 1407, .shared = SharedRule::count_times_width}},
    bailing("bailing_moe", "Ling"),
    bailing("bailing_moe_v2", "Ling 2"),
};

} // namespace

std::span<const Family> families::experts() noexcept { return kFamilies; }

} // namespace plimsoll::io
