#include "architectures/family.hpp"

#include <algorithm>
#include <vector>

namespace plimsoll::io {

namespace {

/// The types that multimodal files and their language parts have for the same rule.
struct Alias {
  std::string_view type;
  std::string_view family;
};

constexpr Alias kAliases[] = {
    {"gemma3_text", "gemma3"},
    {"gemma3n_text", "gemma3n"},
    {"gemma4_text", "gemma4"},
    {"gemma4_unified_text", "gemma4"},
    {"gemma4_unified", "gemma4"},
    {"llama4_text", "llama4"},
    {"qwen2_vl_text", "qwen2_vl"},
    {"qwen2_5_vl_text", "qwen2_5_vl"},
    {"qwen2_5_omni_text", "qwen2_5_omni_thinker"},
    {"qwen3_vl_text", "qwen3_vl"},
    {"qwen3_vl_moe_text", "qwen3_vl_moe"},
    {"qwen3_omni_moe_text", "qwen3_omni_moe_thinker"},
    {"qwen3_5_text", "qwen3_5"},
    {"qwen3_5_moe_text", "qwen3_5_moe"},
    {"glm4v_text", "glm4v"},
    {"glm_ocr_text", "glm_ocr"},
    {"muse_glimmer_text", "muse_glimmer"},
    {"paddleocr_vl_text", "paddleocr_vl"},
    {"bailing_moe_v2_5", "bailing_hybrid"},
    {"bailing2_5_moe", "bailing_hybrid"},
    {"glm4v_moe_text", "glm4v_moe"},
    {"mllama_text_model", "mllama"},
    {"phi3_v", "phi3"},
    {"grok_1", "grok-1"},
    {"nemotron_nas", "nemotron-nas"},
    {"xlm_roberta", "xlm-roberta"},
    {"mistral3", "mistral"},
    {"clip_text_model", "clip"},
    {"hubert", "wav2vec2"},
    {"kimi_k25", "kimi_k2"},
    {"deepseek_vl_v2", "deepseek_v2"},
    {"unlimited-ocr", "deepseek_v2"},
    {"hunyuan_vl_text", "hunyuan_v1_dense"},
    {"ernie4_5_vl_moe_text", "ernie4_5_vl_moe"},
    {"inkling_model", "inkling_text"},
    {"mimo_v2", "mimo_v2_flash"},
};

const std::vector<std::span<const Family>>& tables() {
  static const std::vector<std::span<const Family>> kTables{
      families::decoder(), families::llama_like(), families::qwen(),        families::gpt(),     families::gemma(),          families::experts(),
      families::latent(),  families::uneven(),     families::hybrid(),      families::state_space(), families::encoder(),    families::encoder_decoder(),
      families::speech(),  families::image()};
  return kTables;
}

} // namespace

const Family* find_family(std::string_view model_type) noexcept {
  const auto alias = std::ranges::find(kAliases, model_type, &Alias::type);
  if (alias != std::end(kAliases)) model_type = alias->family;
  for (const auto& table : tables())
    for (const Family& family : table)
      if (family.type == model_type) return &family;
  return nullptr;
}

std::vector<std::string_view> covered_architectures() {
  std::vector<std::string_view> types;
  for (const Alias& alias : kAliases) types.push_back(alias.type);
  for (const auto& table : tables())
    for (const Family& family : table) types.push_back(family.type);
  std::ranges::sort(types);
  return types;
}

} // namespace plimsoll::io
