// Decoders whose layers differ in more than window and experts. Sources as in llama_like.cpp; Nemotron-NAS: Puzzle (arXiv 2411.19146).
#include "architectures/steps/steps.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

constexpr FlagRule kAttentionBias{.names = {"attention_bias"}};
constexpr std::int64_t kWide = 16'777'216;

/// A list by layer, or one number for all (Hunyuan, ERNIE).
std::vector<std::int64_t> by_layer_or_one(ModelBuilder& draft, NameList names, Range range, std::int64_t standard) {
  std::string_view found;
  const Json* value = draft.read.find_any(Names{names.begin(), names.size()}, found);
  if (value != nullptr && value->is_array())
    if (auto list = layer_numbers(draft, names, range, draft.layers())) return *list;
  return {value != nullptr && value->is_array() ? range.min : draft.read.number(names, range, standard)};
}

/// The width that a multiplier stands for: two thirds of it times four, in whole multiples of 256 (DeciLM's rule).
std::int64_t multiplied_width(std::int64_t hidden, double multiplier) {
  const std::int64_t width = scaled(hidden, 2 * multiplier / 3);
  return (width + 255) / 256 * 256;
}

/// One entry of block_configs: attention with some heads per group, a linear map instead, or nothing; likewise the MLP.
Layer read_nas_block(ModelBuilder& draft, ConfigReader block, const Layer& whole) {
  constexpr Range kHeads{1, 65'536};
  Layer layer = whole;
  layer.norms = Count{0};
  if (auto attention = block.inside("attention"); attention && !attention->says({"no_op"}, false)) {
    layer.norms += Count{1};
    if (attention->says({"replace_with_linear"}, false)) {
      layer.attention = {};
      layer.extras.push_back(map_tensor("linear_attn", TensorKind::attention, draft.out.hidden_size, draft.out.hidden_size));
    } else {
      const std::int64_t heads = whole.attention.query_heads.value, per_group = attention->number({"n_heads_in_group"}, kHeads);
      if (heads % per_group != 0)
        attention->report(Severity::error, "n_heads_in_group", std::to_string(heads) + " query heads do not make groups of " + std::to_string(per_group) + ".",
                          "Correct the value in the file.");
      layer.attention.kv_heads = draft.read.overridden("kv_heads") ? whole.attention.kv_heads : Count{std::max<std::int64_t>(1, heads / per_group)};
    }
  } else {
    layer.attention = {};
  }
  if (auto mlp = block.inside("ffn"); mlp && !mlp->says({"no_op"}, false)) {
    layer.norms += Count{1};
    if (mlp->says({"replace_with_linear"}, false)) {
      layer.mlp = {};
      layer.extras.push_back(map_tensor("linear_mlp", TensorKind::mlp, draft.out.hidden_size, draft.out.hidden_size));
    } else if (!draft.read.overridden("intermediate_size")) {
      const std::int64_t by_factor = multiplied_width(draft.hidden(), mlp->real({"ffn_mult"}, {0, 64}, 1));
      layer.mlp.intermediate_size = Count{mlp->number({"intermediate_size"}, {1, kWide}, by_factor)};
    }
  } else {
    layer.mlp = {};
  }
  return layer;
}

void build_nemotron_nas(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  Layer whole = read_block(draft);
  whole.attention = read_attention(draft);
  whole.mlp.intermediate_size = read.count("intermediate_size", {"intermediate_size"}, 1);
  read_layers(draft, whole);
  const Json* blocks = read.find("block_configs");
  if (blocks == nullptr || !blocks->is_array() || blocks->empty() || (blocks->size() < draft.layers() && !read.overridden("layers"))) {
    read.report(Severity::error, "block_configs", read.path_of("block_configs") + " is no list with an entry for each layer.", "Paste the whole config.json of the model.");
    return;
  }
  std::int64_t kv = 0, width = 0;
  for (std::size_t i = 0; i < draft.layers(); ++i) {
    const std::size_t at = i % blocks->size();
    if (!(*blocks)[at].is_object()) {
      read.report(Severity::error, "block_configs", read.path_of("block_configs") + " has an entry that is no object.", "Correct the file.");
      return;
    }
    Layer& layer = draft.out.layers[i] = read_nas_block(draft, read.at((*blocks)[at], "block_configs[" + std::to_string(at) + "]"), whole);
    kv = std::max(kv, layer.attention.kv_heads.value);
    width = std::max(width, layer.mlp.intermediate_size.value);
    if (read.failed()) return;
  }
  read.fact("kv_heads", kv);
  read.fact("intermediate_size", width);
}

/// Some layers may attend with the keys and values of an earlier one (cross-layer attention).
void build_hunyuan(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  Layer layer = read_block(draft);
  layer.attention = read_attention(draft);
  read_layers(draft, layer);
  const std::int64_t share = read.says({"use_cla"}, false) ? read.number({"cla_share_factor"}, {1, 10'000}, 1) : 1;

  const auto experts = by_layer_or_one(draft, {"num_experts"}, {0, 65'536}, 1);
  const auto picked = by_layer_or_one(draft, {"moe_topk"}, {0, 65'536}, 1);
  const bool own_width = read.has("moe_intermediate_size");
  const auto widths = own_width ? by_layer_or_one(draft, {"moe_intermediate_size"}, {1, kWide}, 1) : std::vector<std::int64_t>{read_mlp_width(draft).value};
  const auto shared = read.says({"use_mixed_mlp_moe"}, false) ? by_layer_or_one(draft, {"num_shared_expert"}, {0, 1024}, 1) : std::vector<std::int64_t>{0};
  const std::int64_t dense = read.fact("dense_layers", 0);
  for (std::size_t i = 0; i < draft.layers(); ++i) {
    Layer& at = draft.out.layers[i];
    if (i % static_cast<std::size_t>(share) != 0) {
      at.attention.has_kv_map = false;
      at.attention.reuses_cache = true;
    }
    const std::int64_t count = read.fact("experts", by_layer(experts, i));
    if (count <= 1 || static_cast<std::int64_t>(i) < dense) {
      at.mlp.intermediate_size = read_mlp_width(draft);
      continue;
    }
    at.mlp = {};
    at.moe = {.experts = Count{count},
              .per_token = Count{read.fact("experts_per_token", by_layer(picked, i))},
              .expert_size = Count{read.fact("expert_size", by_layer(widths, i))},
              .kind = layer.mlp.kind,
              .bias = layer.mlp.bias};
    at.moe.shared_size = Count{read.fact("shared_expert_size", (Count{by_layer(shared, i)} * at.moe.expert_size).value)};
    if (at.moe.per_token > at.moe.experts) {
      read.report_at(read.overridden("experts_per_token") ? "experts_per_token" : read.path_of("moe_topk"), "More experts for each token than there are.",
                     "Write at most " + std::to_string(count) + ".");
      return;
    }
  }
  read_windows(draft);
}

/// Step-3.5: window layers have more query heads, every head a gate; three prediction layers follow the pattern of the others.
void build_step3p5(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  Layer layer = read_block(draft);
  layer.attention = read_attention(draft);
  layer.attention.head_gate = read.flag("attention_gate", {"use_head_wise_attn_gate"}, true);
  read_layers(draft, layer);
  read_feed_forward(draft);

  Attention sliding = layer.attention;
  if (auto other = read.inside("attention_other_setting")) {
    const Range heads{1, 65'536};
    sliding.query_heads = Count{read.fact("window_query_heads", other->number({"num_attention_heads"}, heads, sliding.query_heads.value))};
    sliding.kv_heads = Count{read.fact("window_kv_heads", other->number({"num_attention_groups"}, heads, sliding.kv_heads.value))};
    check_heads(draft, sliding.query_heads.value, sliding.kv_heads.value, "window_kv_heads");
  }
  const auto types = layer_words(draft, {"layer_types"}, draft.layers());
  if (types && !check_words(draft, *types, "layer_types", {"full_attention", "sliding_attention"})) return;
  const auto slides = [&](std::size_t i) { return types && i < types->size() && (*types)[i] == "sliding_attention"; };
  std::vector<bool> pattern(draft.layers());
  for (std::size_t i = 0; i < draft.layers(); ++i)
    if (pattern[i] = types && by_layer(*types, i) == "sliding_attention"; pattern[i]) draft.out.layers[i].attention = sliding;
  const std::int64_t window = read.integer("sliding_window", names::kWindow, 0);
  set_windows(draft, pattern, window);

  const std::int64_t count = read_prediction_layers(draft);
  Layer predicted = layer;
  predicted.mlp.intermediate_size = read_mlp_width(draft);
  for (std::int64_t i = 0; i < std::min<std::int64_t>(count, 64); ++i) {
    predicted.attention = slides(draft.layers() + static_cast<std::size_t>(i)) ? sliding : layer.attention;
    add_prediction(draft, predicted, i == 63 ? count - 63 : 1);
  }
}

/// MiMo-V2: window layers have their own heads; values are narrower than keys.
void build_mimo_v2(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  Layer layer = read_block(draft);
  layer.attention = read_attention(draft);
  layer.attention.value_dim = read.count("v_head_dim", {"v_head_dim"}, layer.attention.head_dim.value);
  read_layers(draft, layer);
  read_feed_forward(draft);

  Attention sliding = layer.attention;
  sliding.query_heads = read.count("window_query_heads", {"swa_num_attention_heads"}, sliding.query_heads.value);
  sliding.kv_heads = read.count("window_kv_heads", {"swa_num_key_value_heads"}, sliding.kv_heads.value);
  const Range sizes{1, 65'536};
  sliding.head_dim = Count{read.number({"swa_head_dim"}, sizes, sliding.head_dim.value)};
  sliding.value_dim = Count{read.number({"swa_v_head_dim"}, sizes, sliding.value_dim.value)};
  check_heads(draft, sliding.query_heads.value, sliding.kv_heads.value, "window_kv_heads");
  sliding.sinks = read.flag("attention_sinks", {"add_swa_attention_sink_bias"}, false);
  const bool full_sinks = read.says({"add_full_attention_sink_bias"}, false);
  const auto marks = layer_numbers(draft, {"hybrid_layer_pattern"}, {0, 1}, draft.layers());
  std::vector<bool> slides(draft.layers());
  for (std::size_t i = 0; i < draft.layers(); ++i) {
    slides[i] = marks && by_layer(*marks, i) == 1;
    if (slides[i]) draft.out.layers[i].attention = sliding;
    else draft.out.layers[i].attention.sinks = full_sinks;
  }
  set_windows(draft, slides, read.integer("sliding_window", names::kWindow, 0));
}

/// ERNIE 4.5 VL: a second, narrower set of experts beside the first, which tokens of images alone meet; the shared ones are common.
void build_ernie_vl(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  Layer layer = read_block(draft);
  layer.attention = read_attention(draft);
  read_layers(draft, layer);
  const auto widths = read.numbers({"moe_intermediate_size"}, {1, kWide}).value_or(std::vector<std::int64_t>{1536, 512});
  if (widths.size() != 2) {
    read.report(Severity::error, "moe_intermediate_size", read.path_of("moe_intermediate_size") + " is no pair of widths, for text and for images.", "Paste the whole config.json of the model.");
    return;
  }
  const ExpertRule& rule = draft.family.experts;
  Moe moe{.experts = read.count("experts", names::kExperts, rule.experts), .per_token = read.count("experts_per_token", names::kPicked, rule.per_token),
          .expert_size = Count{read.fact("expert_size", widths[0])}, .kind = layer.mlp.kind, .bias = layer.mlp.bias};
  moe.shared_size = Count{read.fact("shared_expert_size", (Count{read.number(names::kSharedCount, {0, 1024}, 2)} * moe.expert_size).value)};
  moe.correction_bias = rule.correction.read(read, "correction_bias");
  if (moe.per_token > moe.experts) {
    read.report_at(read.where("experts_per_token"), "More experts for each token than there are.", "Write at most " + std::to_string(moe.experts.value) + ".");
    return;
  }
  const Count hidden = draft.out.hidden_size, width{widths[1]}, none{0};
  const std::vector<bool> sparse = read_expert_layers(draft, rule, draft.layers());
  for (std::size_t i = 0; i < draft.layers(); ++i) {
    Layer& at = draft.out.layers[i];
    if (!sparse[i]) {
      at.mlp.intermediate_size = read_mlp_width(draft);
      continue;
    }
    at.mlp = {};
    at.moe = moe;
    at.extras.push_back({.name = "vision_experts.gate_up_proj", .kind = TensorKind::experts, .rows = Count{2} * width, .columns = hidden, .copies = moe.experts, .active = none, .split = Split::rows, .units = width});
    at.extras.push_back({.name = "vision_experts.down_proj", .kind = TensorKind::experts, .rows = hidden, .columns = width, .copies = moe.experts, .active = none, .split = Split::columns, .units = width});
    at.extras.push_back({.name = "vision_router", .kind = TensorKind::router, .rows = moe.experts, .columns = hidden, .active = none});
    if (moe.correction_bias) at.extras.push_back({.name = "vision_router.bias", .kind = TensorKind::router, .rows = moe.experts, .active = none, .matrix = false});
  }
}

constexpr Family hunyuan(std::string_view type) {
  return {.type = type, .name = "Hunyuan", .defaults = {.context = 2048}, .qk_norm = QkRule::per_head_by_flag, .qkv_bias = kAttentionBias,
          .output_bias = kAttentionBias, .mlp_bias = {.names = {"mlp_bias"}}, .tied = true, .build = build_hunyuan};
}

constexpr Family step(std::string_view type) {
  return {.type = type, .name = "Step-3.5", .qk_norm = QkRule::per_head,
          .experts = {.has = true, .shared = SharedRule::width, .correction = kPresent, .dense_default = 1}, .build = build_step3p5};
}

constexpr Family kFamilies[] = {
    {.type = "nemotron-nas", .name = "Nemotron-NAS", .defaults = {.vocab = 128256, .context = 131072}, .build = build_nemotron_nas},
    {.type = "deci", .name = "DeciLM", .defaults = {.vocab = 128256, .context = 131072}, .build = build_nemotron_nas},
    {.type = "ernie4_5_vl_moe", .name = "ERNIE 4.5 VL",
     .defaults = {.hidden = 2560, .layers = 28, .heads = 20, .kv_heads = 4, .mlp = 12288, .vocab = 103424, .context = 131072},
     .qkv_bias = {.names = {"use_bias"}}, .output_bias = {.names = {"use_bias"}}, .mlp_bias = {.names = {"use_bias"}}, .tied = true,
     .experts = {.has = true, .experts = 64, .per_token = 6, .correction = kPresent, .dense_default = 1}, .build = build_ernie_vl},
    hunyuan("hunyuan_v1_moe"),
    hunyuan("hunyuan"),
    step("step3p5"),
    step("step3p7"),
    {.type = "mimo_v2_flash", .name = "MiMo-V2", .qkv_bias = kAttentionBias,
     .experts = {.has = true, .shared = SharedRule::count_times_width, .correction = kPresent}, .build = build_mimo_v2},
};

} // namespace

std::span<const Family> families::uneven() noexcept { return kFamilies; }

} // namespace plimsoll::io
