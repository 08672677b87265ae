#include "evidence/inference/parts.hpp"
#include "plimsoll/method/fields.hpp"

#include <algorithm>

namespace plimsoll::io::accuracy::inference {

namespace {

bool is_ggml(const Question& question) {
  return question.profile.starts_with("llama_cpp") || question.profile == "ik_llama_cpp" || question.profile == "ollama";
}

/// "q4_k - medium" is "q4_k_m", "int4wo-64" "int4wo_64", "awq 4-bit g128 gemm" "awq_4bit_g128", "mlx q4 g64" "mlx_4bit_g64".
std::string scheme_name(std::string format, const Question& question) {
  for (const auto& [words, letter] : {std::pair{" - small", "_s"}, std::pair{" - medium", "_m"}, std::pair{" - large", "_l"}})
    if (const std::size_t at = format.find(words); at != std::string::npos) format.replace(at, std::string_view{words}.size(), letter);
  if (is_ggml(question) && (format.starts_with("f16") || format.starts_with("bf16/f16"))) return "gguf_f16";
  if (is_ggml(question) && format == "f32") return "gguf_f32";
  if (is_ggml(question) && format == "bf16") return "gguf_bf16";
  if (format.starts_with("int4wo-")) return "int4wo_" + format.substr(7);
  if (format.starts_with("awq 4-bit g")) return "awq_4bit_g" + std::to_string(number_behind(format, "awq 4-bit g", 0).value_or(0));
  if (format.starts_with("awq w4a16 g")) return "awq_4bit_g" + std::to_string(number_behind(format, "awq w4a16 g", 0).value_or(0));
  if (format.starts_with("mlx q")) return "mlx_" + std::to_string(number_behind(format, "mlx q", 0).value_or(0)) + "bit_g" + std::to_string(number_behind(format, " g", 0).value_or(0));
  if (format.starts_with("mxfp4_moe")) return "mxfp4_moe";
  if (format == "int8 wo") return "int8_weight_only";
  if (format == "int4 wo") return "int4_weight_only";
  if (format == "int8 w8a8") return "int8_channel";
  if (has(format, "1x16") && format.starts_with("aqlm")) return "aqlm_1x16";
  if (format == "fp8") return question.profile.starts_with("tensorrt") ? "fp8_tensor" : "fp8_block";
  return format;
}

} // namespace

void read_weights(const Json& row, Question& into) {
  into.weights_format = text_of(row, "weights_format");
  const std::string notes = lower(text_of(row, "notes")), format = lower(into.weights_format);
  if (format.empty()) return into.decline("The row does not say how the weights are stored.");
  if (has(notes, "custom per-tensor mix")) return into.decline("The mix of formats is the file's maker's own, which the row does not list.");
  if (into.inputs.model.groups.empty()) return;
  const bool important = has(format, "imatrix") || has(notes, "imatrix branch");
  std::string name = scheme_name(format.substr(0, format.find(" (imatrix)")), into);
  if (important && presets().weights().find(name + "_imatrix")) name += "_imatrix";
  std::optional<WeightScheme> scheme = presets().weights().find(name);
  if (!scheme) return into.decline("There is no weight format \"" + into.weights_format + "\".");
  if (has(format, "+k_b/v_b")) scheme->latent_map = LatentMap::both;
  into.inputs.weights = store(into.inputs.model, *scheme);
}

void read_cache(const Json& row, Question& into) {
  const std::string format = lower(text_of(row, "kv_format"));
  Serving& serving = into.inputs.serving;
  if (format.empty()) return into.assumed.push_back("The cache's format: 16 bits.");
  const bool latent = has(format, "mla"), transposed = has(format, "kvt");
  if (latent && !transposed && serving.latent_cache == LatentCache::profile) serving.latent_cache = LatentCache::latent;
  if (transposed) serving.latent_cache = LatentCache::latent_and_values;
  if (!latent && is_ggml(into) && serving.latent_cache == LatentCache::profile) serving.latent_cache = LatentCache::expanded;
  const std::size_t slash = format.find('/');
  const auto choice_in = [&](std::string_view text) -> const Choice* {
    const Choice* found = nullptr;
    for (const Choice& choice : find_field("kv_dtype")->choices) {
      const bool named = has(text, choice.name) || (choice.name == "fp16" && (has(text, "f16") && !has(text, "bf16")));
      if (named && (found == nullptr || choice.name.size() > found->name.size())) found = &choice;
    }
    return found;
  };
  const Choice* const keys = choice_in(std::string_view{format}.substr(0, slash));
  if (keys == nullptr) return into.decline("The cache's format \"" + text_of(row, "kv_format") + "\" is not known.");
  serving.kv_dtype = static_cast<CacheDtype>(keys->value);
  if (slash == std::string::npos) return;
  const Choice* const values = choice_in(std::string_view{format}.substr(slash + 1));
  if (values == nullptr) return into.decline("The cache's format \"" + text_of(row, "kv_format") + "\" is not known.");
  serving.value_dtype = static_cast<CacheDtype>(values->value);
}

} // namespace plimsoll::io::accuracy::inference
