// Attention in some layers, a recurrence in the others, or both side by side. Sources as in llama_like.cpp; Jamba (arXiv 2403.19887),
// Nemotron-H (arXiv 2504.03624), Falcon-H1 (arXiv 2507.22448), LFM2, Granite 4, Qwen3-Next, MiniMax-01 (arXiv 2501.08313).
#include "architectures/families/hybrid.hpp"

namespace plimsoll::io {

namespace {

constexpr FlagRule kAttentionBias{.names = {"attention_bias"}};
constexpr FlagRule kMlpBias{.names = {"mlp_bias"}};

// ---- Qwen3-Next and Qwen3.5: Gated DeltaNet, every fourth layer attention with an output gate

void build_qwen3_next(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  Layer layer = read_block(draft);
  Attention attention = read_attention(draft);
  attention.output_gate = read.flag("attention_gate", {"attn_output_gate"}, true);
  const GatedDeltaNet delta{.key_heads = read.count("linear_key_heads", {"linear_num_key_heads"}, 16),
                            .value_heads = read.count("linear_value_heads", {"linear_num_value_heads"}, 32),
                            .key_dim = read.count("linear_key_dim", {"linear_key_head_dim"}, 128),
                            .value_dim = read.count("linear_value_dim", {"linear_value_head_dim"}, 128),
                            .kernel = read.count("conv_kernel", {"linear_conv_kernel_dim"}, 4)};
  read_layers(draft, layer);
  read_feed_forward(draft);
  const std::vector<bool> full = read_full_layers(draft, "linear_attention", 4);
  for (std::size_t i = 0; i < draft.layers(); ++i) {
    if (full[i]) draft.out.layers[i].attention = attention;
    else draft.out.layers[i].recurrence = delta;
  }
  // The file of Qwen3-Next does not tell of its prediction layer, but the weights have one.
  Layer predicted = draft.out.layers.back();
  predicted.recurrence = {};
  predicted.attention = attention;
  add_prediction(draft, predicted, read_prediction_layers(draft, draft.family.type == "qwen3_next" ? 1 : 0));
}

// ---- Jamba: Mamba-1, attention and experts each by a period and an offset

void build_jamba(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  const Layer layer = read_block(draft);
  const Attention attention = read_attention(draft);
  const Mamba1 ssm = read_mamba1(draft, true);
  read_layers(draft, layer);
  const auto every = static_cast<std::size_t>(read.integer("full_attention_interval", {"attn_layer_period"}, 8));
  const auto first = static_cast<std::size_t>(read.number({"attn_layer_offset"}, {0, 10'000}, 4));
  const Moe moe = read_moe(draft, draft.family.experts);
  const auto sparse_every = static_cast<std::size_t>(read.integer("expert_interval", {"expert_layer_period"}, 2));
  const auto sparse_first = static_cast<std::size_t>(read.number({"expert_layer_offset"}, {0, 10'000}, 1));
  const Count width = read_mlp_width(draft);
  for (std::size_t i = 0; i < draft.layers(); ++i) {
    Layer& at = draft.out.layers[i];
    if (i % every == first % every) at.attention = attention;
    else at.recurrence = ssm;
    if (moe.experts > Count{1} && i % sparse_every == sparse_first % sparse_every) at.moe = moe, at.mlp = {};
    else at.mlp.intermediate_size = width;
  }
  set_windows(draft, std::vector<bool>(draft.layers(), true), read.integer("sliding_window", {"sliding_window"}, 0));
}

// ---- Granite 4 and Bamba: Mamba-2 or attention, then MLP and experts

Recurrence read_granite_mamba(ModelBuilder& draft) {
  return read_mamba2(draft, {.heads = 128, .state = 256});
}

void build_granite_hybrid(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  Layer layer = read_block(draft);
  const Attention attention = read_attention(draft);
  layer.mlp.intermediate_size = read.count("intermediate_size", {"shared_intermediate_size"}, 1024); // stands beside the experts, as shared ones do
  layer.moe = read_moe(draft, draft.family.experts);
  read_layers(draft, layer);
  const auto kinds = layer_words(draft, {"layer_types", "layers_block_type"}, draft.layers());
  if (kinds && !check_words(draft, *kinds, read.has("layer_types") ? "layer_types" : "layers_block_type", {"attention", "mamba"})) return;
  const auto is_mamba = [&](std::size_t i) { return !kinds || by_layer(*kinds, i) == "mamba"; };
  Recurrence ssm;
  for (std::size_t i = 0; i < draft.layers(); ++i) {
    if (!is_mamba(i)) {
      draft.out.layers[i].attention = attention;
      continue;
    }
    if (ssm.index() == 0) ssm = read_granite_mamba(draft);
    draft.out.layers[i].recurrence = ssm;
  }
}

void build_bamba(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  Layer layer = read_block(draft);
  const Attention attention = read_attention(draft);
  layer.mlp.intermediate_size = read_mlp_width(draft);
  const Recurrence ssm = read_granite_mamba(draft);
  read_layers(draft, layer);
  const std::vector<bool> full = marked(read.numbers({"attn_layer_indices"}, {0, 10'000}).value_or(std::vector<std::int64_t>{}), draft.layers());
  for (std::size_t i = 0; i < draft.layers(); ++i) {
    if (full[i]) draft.out.layers[i].attention = attention;
    else draft.out.layers[i].recurrence = ssm;
  }
}

// ---- Falcon-H1: both in every layer

void build_falcon_h1(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  Layer layer = read_block(draft);
  layer.attention = read_attention(draft);
  layer.mlp.intermediate_size = read_mlp_width(draft);
  Mamba2 ssm = read_mamba2(draft, {.heads = 128, .state = 256});
  ssm.gated_norm = read.says({"mamba_rms_norm"}, false);
  layer.recurrence = ssm;
  read_layers(draft, layer);
}

// ---- LFM2: gated short convolutions

/// The file's width may stand before two thirds are taken and rounded up.
std::int64_t lfm2_width(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  const std::int64_t stated = read.number({"block_ff_dim", "intermediate_size"}, {1, 16'777'216}, 12288);
  if (!read.says({"block_auto_adjust_ff_dim"}, draft.family.type == "lfm2")) return stated;
  const std::int64_t width = scaled(2 * stated / 3, read.real({"block_ffn_dim_multiplier"}, {0, 1024}, 1));
  const std::int64_t multiple = read.number({"block_multiple_of"}, {1, 1'048'576}, 256);
  return (width + multiple - 1) / multiple * multiple;
}

void build_lfm2(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  const Layer layer = read_block(draft);
  const Attention attention = read_attention(draft);
  const ShortConvolution convolution{.kernel = read.count("conv_kernel", {"conv_L_cache"}, 3), .bias = read.says({"conv_bias"}, false)};
  read_layers(draft, layer);
  read_feed_forward(draft);
  std::vector<bool> full(draft.layers(), true);
  if (const auto kinds = layer_words(draft, {"layer_types"}, draft.layers())) {
    if (!check_words(draft, *kinds, "layer_types", {"full_attention", "conv"})) return;
    for (std::size_t i = 0; i < full.size(); ++i) full[i] = by_layer(*kinds, i) == "full_attention";
  } else if (const auto listed = read.numbers({"full_attn_idxs"}, {0, 10'000})) {
    full = marked(*listed, draft.layers());
  }
  for (std::size_t i = 0; i < full.size(); ++i) {
    if (full[i]) draft.out.layers[i].attention = attention;
    else draft.out.layers[i].recurrence = convolution;
  }
}

// ---- MiniMax-01 and M1: lightning attention

void build_minimax(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  const Layer layer = read_block(draft);
  const Attention attention = read_attention(draft);
  const Lightning lightning{.heads = Count{read.fact("linear_value_heads", attention.query_heads.value)},
                            .head_dim = Count{read.fact("linear_value_dim", attention.head_dim.value)}};
  read_layers(draft, layer);
  read_feed_forward(draft);
  std::vector<bool> full;
  if (const auto marks = layer_numbers(draft, {"attn_type_list"}, {0, 1}, draft.layers())) {
    for (std::size_t i = 0; i < draft.layers(); ++i) full.push_back(by_layer(*marks, i) == 1);
  } else {
    full = read_full_layers(draft, "linear_attention", 2);
  }
  for (std::size_t i = 0; i < draft.layers(); ++i) {
    if (full[i]) draft.out.layers[i].attention = attention;
    else draft.out.layers[i].recurrence = lightning;
  }
}

constexpr ExpertRule kQwenExperts{.has = true, .experts = 512, .per_token = 10, .width = 512, .shared = SharedRule::width, .shared_width = 512, .shared_gate = true};

constexpr Family qwen(std::string_view type, std::string_view name, Defaults defaults, ExpertRule experts) {
  return {.type = type, .name = name, .defaults = defaults, .norm = NormKind::rmsnorm_zero_centered, .qk_norm = QkRule::per_head,
          .qkv_bias = kAttentionBias, .output_bias = kAttentionBias, .experts = experts, .build = build_qwen3_next};
}

constexpr Family minimax(std::string_view type) {
  return {.type = type, .name = "MiniMax-01 and M1",
          .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .kv_heads = 8, .vocab = 32000, .context = 131072},
          .experts = {.has = true, .own_width = false, .experts = 8, .per_token = 2, .width = 14336, .dense_first = false}, .build = build_minimax};
}

constexpr Family kFamilies[] = {
    qwen("qwen3_next", "Qwen3-Next",
         {.hidden = 2048, .layers = 48, .heads = 16, .kv_heads = 2, .head_dim = 256, .mlp = 5632, .vocab = 151936, .context = 32768}, kQwenExperts),
    qwen("qwen3_5", "Qwen3.5",
         {.hidden = 4096, .layers = 32, .heads = 16, .kv_heads = 4, .head_dim = 256, .mlp = 12288, .vocab = 248320, .context = 32768}, {}),
    [] {
      ExpertRule experts = kQwenExperts;
      experts.experts = 256;
      experts.per_token = 8;
      return qwen("qwen3_5_moe", "Qwen3.5-MoE",
                  {.hidden = 2048, .layers = 40, .heads = 16, .kv_heads = 2, .head_dim = 256, .vocab = 248320, .context = 32768}, experts);
    }(),
    {.type = "jamba", .name = "Jamba",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .kv_heads = 8, .mlp = 14336, .vocab = 65536, .context = 262144},
     .experts = {.has = true, .own_width = false, .experts = 16, .per_token = 2, .width = 14336}, .build = build_jamba},
    {.type = "granitemoehybrid", .name = "Granite 4",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .vocab = 32000, .context = 2048}, .qkv_bias = kAttentionBias, .output_bias = kAttentionBias,
     .experts = {.has = true, .own_width = false, .experts = 8, .per_token = 2, .width = 11008}, .build = build_granite_hybrid},
    {.type = "bamba", .name = "Bamba",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .kv_heads = 8, .mlp = 14336, .vocab = 128000, .context = 262144},
     .qkv_bias = kAttentionBias, .output_bias = kAttentionBias, .mlp_bias = kMlpBias, .build = build_bamba},
    {.type = "falcon_h1", .name = "Falcon-H1",
     .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .kv_heads = 8, .mlp = 14336, .vocab = 128000, .context = 8192},
     .qkv_bias = kAttentionBias, .output_bias = kAttentionBias, .mlp_bias = kMlpBias, .build = build_falcon_h1},
    {.type = "lfm2", .name = "LFM2",
     .defaults = {.hidden = 2560, .layers = 32, .heads = 32, .kv_heads = 8, .vocab = 65536, .context = 128000}, .qk_norm = QkRule::per_head,
     .tied = true, .mlp_width = lfm2_width, .build = build_lfm2},
    {.type = "lfm2_moe", .name = "LFM2-MoE",
     .defaults = {.hidden = 2048, .layers = 32, .heads = 32, .kv_heads = 8, .mlp = 7168, .vocab = 65536, .context = 128000}, .qk_norm = QkRule::per_head,
     .tied = true, .experts = {.has = true, .experts = 32, .per_token = 4, .width = 1792, .correction = {.names = {"use_expert_bias"}, .standard = true}, .dense_default = 2},
     .build = build_lfm2},
    minimax("minimax"),
    minimax("minimax_text_01"),
    minimax("minimax_m1"),
    {.type = "kimi_linear", .name = "Kimi Linear", .defaults = {.mlp = 9216, .vocab = 163840, .context = 1048576},
     .experts = {.has = true, .shared = SharedRule::count_times_width, .correction = kPresent}, .build = build_kimi_linear},
    {.type = "bailing_hybrid", .name = "Ling 2.5 to 3",
     .defaults = {.hidden = 8192, .layers = 80, .heads = 64, .mlp = 18432, .vocab = 157184, .context = 131072},
     .experts = {.has = true, .experts = 256, .per_token = 8, .width = 2048, .shared = SharedRule::count_times_width, .correction = kPresent, .dense_default = 4},
     .build = build_bailing_hybrid},
    {.type = "inkling_text", .name = "Inkling",
     .defaults = {.hidden = 6144, .layers = 66, .heads = 64, .kv_heads = 8, .head_dim = 128, .vocab = 201024, .context = 131072}, .qk_norm = QkRule::per_head,
     .experts = {.has = true, .own_width = false, .experts = 256, .per_token = 6, .width = 3072, .shared = SharedRule::count_times_width, .correction = kPresent},
     .mlp_width = [](ModelBuilder& draft) { return draft.read.number({"dense_intermediate_size"}, {1, 16'777'216}, 24576); }, .build = build_inkling},
    {.type = "nemotron_h", .name = "Nemotron-H",
     .defaults = {.hidden = 4096, .heads = 32, .kv_heads = 8, .head_dim = 128, .mlp = 21504, .vocab = 131072, .context = 4096}, .norms = 1,
     .qkv_bias = kAttentionBias, .output_bias = kAttentionBias, .mlp_bias = kMlpBias, .mlp = MlpKind::plain,
     .experts = {.has = true, .experts = 8, .per_token = 2, .width = 7688, .shared = SharedRule::width, .shared_width = 7688, .correction = kPresent},
     .build = build_nemotron_h},
    {.type = "zamba2", .name = "Zamba2", .defaults = {.hidden = 2560, .layers = 54, .heads = 32, .vocab = 32000, .context = 4096}, .norms = 1, .tied = true,
     .build = build_zamba2},
};

} // namespace

/// Layers that look at the whole context: listed by kind, or every n-th.
std::vector<bool> read_full_layers(ModelBuilder& draft, const char* other, std::int64_t every) {
  std::vector<bool> full(draft.layers());
  const bool changed = draft.read.overridden("full_attention_interval");
  if (const auto kinds = changed ? std::nullopt : layer_words(draft, {"layer_types"}, draft.layers())) {
    if (!check_words(draft, *kinds, "layer_types", {"full_attention", other})) return full;
    for (std::size_t i = 0; i < full.size(); ++i) full[i] = by_layer(*kinds, i) == "full_attention";
    return full;
  }
  const auto interval = static_cast<std::size_t>(draft.read.integer("full_attention_interval", {"full_attention_interval"}, every));
  for (std::size_t i = 0; i < full.size(); ++i) full[i] = (i + 1) % interval == 0;
  return full;
}

std::vector<bool> marked(const std::vector<std::int64_t>& listed, std::size_t layers) {
  std::vector<bool> marks(layers, false);
  for (const std::int64_t i : listed)
    if (i >= 0 && static_cast<std::size_t>(i) < layers) marks[static_cast<std::size_t>(i)] = true;
  return marks;
}

std::span<const Family> families::hybrid() noexcept { return kFamilies; }

} // namespace plimsoll::io
