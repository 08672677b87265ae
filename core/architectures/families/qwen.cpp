// Qwen and what is built like it, dense and with experts. Sources as in llama_like.cpp.
#include "architectures/steps/steps.hpp"

namespace plimsoll::io {

namespace {

constexpr FlagRule kAttentionBias{.names = {"attention_bias"}};
constexpr FlagRule kBiasUnlessOff{.names = {"qkv_bias", "attention_bias"}, .standard = true};

/// The first Qwen's field counts gate and up together.
std::int64_t half_width(ModelBuilder& draft) { return draft.read.number({"intermediate_size"}, {2, 16'777'216}, 22016) / 2; }

constexpr Family dense(std::string_view type, std::string_view name) {
  return {.type = type, .name = name,
          .defaults = {.hidden = 4096, .layers = 32, .heads = 32, .mlp = 22016, .vocab = 151936, .context = 32768},
          .qkv_bias = kBiasUnlessOff, .window = WindowRule::when_switched_on, .window_size = 4096};
}

constexpr Family vision_language(std::string_view type, std::string_view name) {
  Family family = dense(type, name);
  family.defaults = {.hidden = 8192, .layers = 80, .heads = 64, .kv_heads = 8, .mlp = 29568, .vocab = 152064, .context = 32768};
  return family;
}

constexpr Family third(std::string_view type, std::string_view name) {
  Family family = dense(type, name);
  family.defaults.head_dim = 128;
  family.qk_norm = QkRule::per_head;
  family.qkv_bias = family.output_bias = kAttentionBias;
  return family;
}

constexpr Family experts(std::string_view type, std::string_view name) {
  return {.type = type, .name = name,
          .defaults = {.hidden = 2048, .layers = 24, .heads = 32, .kv_heads = 4, .mlp = 6144, .vocab = 151936, .context = 32768},
          .qk_norm = QkRule::per_head, .qkv_bias = kAttentionBias, .output_bias = kAttentionBias, .window = WindowRule::when_switched_on,
          .window_size = 4096, .experts = {.has = true, .experts = 128, .per_token = 8, .width = 768}};
}

constexpr Family kFamilies[] = {
    {.type = "qwen", .name = "Qwen", .defaults = {.mlp = 11008, .vocab = 151936, .context = 8192}, .qkv_bias = kPresent, .fused = true,
     .mlp_width = half_width},
    dense("qwen2", "Qwen2"),
    [] { // text diffusion from Qwen2.5's weights (arXiv 2508.15487)
      Family family = dense("Dream", "Dream");
      family.finish = look_both_ways;
      return family;
    }(),
    vision_language("qwen2_vl", "Qwen2-VL"),
    vision_language("qwen2_5_vl", "Qwen2.5-VL"),
    [] {
      Family family = dense("qwen2_5_omni_thinker", "Qwen2.5-Omni");
      family.defaults = {.hidden = 3584, .layers = 28, .heads = 28, .kv_heads = 4, .mlp = 18944, .vocab = 152064, .context = 32768};
      return family;
    }(),
    [] {
      Family family = dense("mimo", "MiMo");
      family.prediction = true;
      return family;
    }(),
    third("qwen3", "Qwen3"),
    third("qwen3_vl", "Qwen3-VL"),
    {.type = "qwen2_moe", .name = "Qwen2-MoE",
     .defaults = {.hidden = 2048, .layers = 24, .heads = 16, .mlp = 5632, .vocab = 151936, .context = 32768},
     .qkv_bias = {.names = {"qkv_bias"}, .standard = true}, .window = WindowRule::when_switched_on, .window_size = 4096,
     .experts = {.has = true, .experts = 60, .per_token = 4, .width = 1408, .shared = SharedRule::width, .shared_width = 5632, .shared_gate = true}},
    experts("qwen3_moe", "Qwen3-MoE"),
    experts("qwen3_vl_moe", "Qwen3-VL-MoE"),
    experts("qwen3_omni_moe_thinker", "Qwen3-Omni-MoE"),
};

} // namespace

std::span<const Family> families::qwen() noexcept { return kFamilies; }

} // namespace plimsoll::io
