// What makers of quantised checkpoints call their formats. Where a name leaves numbers open, those that such checkpoints have as a rule:
// groups of 128 in AutoAWQ, GPTQModel and llm-compressor, NF4 with double quantisation in Unsloth's repositories, groups of 64 in mlx-lm,
// FP8 in blocks of 128 from Qwen, DeepSeek and MiniMax, one scale per matrix from NVIDIA's ModelOpt, one per row from llm-compressor (their config.json).
#include "catalog/names/weights.hpp"

#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace plimsoll::io::names {

namespace {

struct Method {
  std::string_view word, weights;
};
constexpr std::array kMethods{Method{"awq", "awq_4bit_g128"}, Method{"nvfp4", "nvfp4"},       Method{"fp4", "nvfp4"},          Method{"mxfp4", "mxfp4"},
                              Method{"mxfp8", "mxfp8"},       Method{"w4a16", "w4a16_g128"},  Method{"w8a16", "w8a16_channel"}, Method{"w8a8", "int8_channel"},
                              Method{"nf4", "nf4"},           Method{"eetq", "int8_weight_only"}};
/// llama.cpp's levels by their bits alone: of each the file that is published most.
constexpr std::array kLevels{Method{"q2", "q2_k"}, Method{"q3", "q3_k_m"}, Method{"q4", "q4_k_m"}, Method{"q5", "q5_k_m"}, Method{"q6", "q6_k"}, Method{"q8", "q8_0"}};
/// Of these the name tells all that there is to tell.
constexpr std::array<std::string_view, 5> kWhole{"nvfp4", "mxfp4", "mxfp8", "fp8_block", "w8a8"};
/// Words that go with a method or a program and tell no more.
constexpr std::array<std::string_view, 18> kAccompany{"gguf", "merged", "int4", "int8", "4bit", "8bit", "3bit", "6bit", "5bit", "2bit", "autoround", "qat", "exl2", "exl3", "mlx", "bnb", "dwq", "torchao"};
/// Owners, or families of theirs, that store FP8 in blocks of 128 by 128: quantization_config of their published files.
constexpr std::array<std::string_view, 11> kBlockOwners{"qwen/",    "deepseek-ai/", "minimaxai/",  "moonshotai/",  "xiaomimimo/", "poolside/",
                                                        "internlm/", "sgl-project/", "stepfun-ai/", "zai-org/glm-5", "inclusionai/ling-3"};

bool has(const Words& words, std::string_view word) { return std::ranges::find(words, word) != words.end(); }

std::string bits_of(const Words& parts) {
  for (const std::string& part : parts) {
    if (part.size() == 4 && part.ends_with("bit")) return part.substr(0, 1);
    if (part.size() == 4 && part.starts_with("int")) return part.substr(3);
  }
  return {};
}

/// Unsloth's larger mixes: "q4_k_xl" is nearest to Q4_K_M, "q2_k_xl" to Q2_K, "q8_k_xl" to Q8_0.
std::string without_xl(std::string_view part) {
  const std::string bits{part.substr(0, part.size() - 3)};
  return bits == "q8_k" ? "q8_0" : bits;
}

/// "iq4_ks_r4": rows of ik_llama.cpp that are interleaved take no other room.
std::string without_interleaving(const std::string& part) {
  for (const std::string_view rows : {"_r4", "_r8", "_r16"})
    if (part.size() > rows.size() + 2 && part.ends_with(rows)) return part.substr(0, part.size() - rows.size());
  return part;
}

/// The format that a part names: llama.cpp's, or one of ik_llama.cpp's, of which a name says what most of a file is and no more.
std::optional<StatedWeights> ggml_of(const WeightCatalog& weights, const std::string& typed) {
  const bool is_own = weights.engine_of("ik_" + typed) == "ik_llama.cpp"; // IQ1_S_R4 has another size than IQ1_S
  const std::string part = is_own ? typed : without_interleaving(typed);
  const bool is_mix = part.size() > 3 && part.ends_with("_xl");
  const std::string bits = is_mix ? without_xl(part) : part;
  const WeightSchemeRow* row = is_mix ? weights.find_row(bits + "_m") : nullptr;
  if (row == nullptr) row = weights.find_row(bits);
  if (row != nullptr && row->engine == "llama.cpp") return StatedWeights{row->id, is_mix || part != typed};
  if (row != nullptr && row->engine == "ik_llama.cpp") return StatedWeights{row->id, true};
  if (weights.engine_of("ik_" + part) == "ik_llama.cpp") return StatedWeights{part, true};
  return std::nullopt;
}

/// "UD": Unsloth chooses the formats of such a file by tensor, whatever mixture its name has; "mix", "smol" and "pure" are such files of ik_llama.cpp's.
bool is_by_tensor(std::string_view part) { return part == "ud" || part == "mix" || part == "smol" || part == "pure"; }

StatedWeights fp8_of(std::string_view whole, const Words& parts) {
  if (has(parts, "block")) return {"fp8_block", false};
  if (has(parts, "dynamic")) return {"fp8_channel", true};
  if (std::ranges::any_of(kBlockOwners, [&](std::string_view owner) { return whole.starts_with(owner); })) return {"fp8_block", true};
  return {whole.starts_with("nvidia/") ? "fp8_tensor" : "fp8_channel", true};
}

StatedWeights method_of(const WeightCatalog& weights, std::string_view whole, const Words& parts) {
  const std::string bits = bits_of(parts);
  for (const std::string& part : parts) {
    if (part.ends_with("bpw"))
      for (const std::string& id : {"exl2_" + part, "exl3_" + part})
        if (weights.find(id)) return {id, true};
    if (part == "gptq") return {"gptq_" + (bits.empty() ? "4" : bits) + "bit_g128", true};
    if (part == "fp8") return fp8_of(whole, parts);
    const auto method = std::ranges::find(kMethods, part, &Method::word);
    if (method != kMethods.end()) return {std::string{method->weights}, std::ranges::find(kWhole, part) == kWhole.end()};
  }
  const bool is_mlx = whole.starts_with("mlx-community/") || has(parts, "mlx");
  if (is_mlx && !bits.empty()) return {"mlx_" + bits + "bit_g64", true};
  for (const Method& level : kLevels)
    if (has(parts, level.word)) return {std::string{level.weights}, true};
  if (has(parts, "bnb") || has(parts, "4bit") || has(parts, "8bit")) {
    if (bits == "8") return {"int8_bnb", true};
    return {whole.find("unsloth") != std::string_view::npos ? "nf4_double_quant" : "nf4", true};
  }
  if (has(parts, "int4")) return {"w4a16_g128", true};
  if (has(parts, "int8")) return {"int8_channel", true};
  return {};
}

bool is_plain(std::string_view part) { return part == "bf16" || part == "fp16" || part == "f16" || part == "f32" || part == "fp32"; }

/// 16 and 32 bits: of a GGUF file where the name is of one, else the plain format.
std::string plain_of(std::string_view whole, const Words& parts, std::string_view part) {
  const bool is_ggml = whole.ends_with(".gguf") || has(parts, "gguf") || (whole.find(':') != std::string_view::npos && part != "bf16") || part.size() == 3;
  if (is_ggml) return part == "bf16" ? "gguf_bf16" : part.ends_with("16") ? "gguf_f16" : "gguf_f32";
  return std::string{part};
}

} // namespace

StatedWeights take_weights(const WeightCatalog& weights, std::string_view whole, Words& parts) {
  const std::string text = lower_case(whole);
  StatedWeights stated;
  for (const std::string& part : parts)
    if (const auto ggml = ggml_of(weights, part)) stated = *ggml;
  if (!stated.id.empty() && std::ranges::any_of(parts, is_by_tensor)) stated.assumed = true;
  const bool is_ggml = !stated.id.empty();
  if (stated.id.empty() && has(parts, "qat") && text.find(':') != std::string::npos) stated = {"q4_0", true}; // Ollama's files of Gemma 3
  if (stated.id.empty()) stated = method_of(weights, text, parts);
  if (stated.id.empty())
    for (const std::string& part : parts)
      if (is_plain(part)) stated = {plain_of(text, parts, part), false};
  // A repository of GGUF files: without a name, llama.cpp takes its Q4_K_M (common/arg.cpp, -hf).
  if (stated.id.empty() && has(parts, "gguf")) stated = {"q4_k_m", true};
  const bool is_fp8 = has(parts, "fp8");
  std::erase_if(parts, [&](const std::string& part) {
    return ggml_of(weights, part) || (is_ggml && is_by_tensor(part)) || is_plain(part) || part == "gptq" || part == "fp8" || (is_fp8 && (part == "block" || part == "dynamic")) || part.ends_with("bpw") ||
           std::ranges::find(kMethods, part, &Method::word) != kMethods.end() || std::ranges::find(kLevels, part, &Method::word) != kLevels.end() || std::ranges::find(kAccompany, part) != kAccompany.end();
  });
  return stated;
}

} // namespace plimsoll::io::names
