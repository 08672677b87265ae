// A row's "model" and "notes": "GPT 7B (h4096 L32 a32 ffn16384 vocab50304)": dimensions in words. A number belongs to the name before it
// ("hidden 2048", "h2048", "kv heads 8") or to the unit behind it ("24 layers", "16 heads", "24L").
#include "evidence/measured_training/fields.hpp"
#include "evidence/tables/row.hpp"
#include "evidence/words.hpp"

#include <algorithm>
#include <initializer_list>

namespace plimsoll::io::accuracy::measured_training {

namespace {

using Words = std::vector<std::string>;
using Names = std::initializer_list<std::string_view>;

/// "2048", or "250k" for 250,000.
std::optional<std::int64_t> number_in(std::string_view digits) {
  if (digits.size() > 1 && digits.size() < 6 && digits.back() == 'k') {
    const auto thousands = number_in(digits.substr(0, digits.size() - 1));
    return thousands ? std::optional{*thousands * 1000} : std::nullopt;
  }
  if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  return std::stoll(std::string{digits});
}

bool is_any(std::string_view word, Names names) { return std::ranges::find(names, word) != names.end(); }

/// The number that belongs to one of `names` (before it or as its first letters) or `units` (behind it or as its last letters).
std::optional<std::int64_t> dimension(const Words& words, Names names, Names units) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    for (const std::string_view name : names) {
      if (word == name && i + 1 < words.size())
        if (const auto number = number_in(words[i + 1])) return number;
      if (word.starts_with(name))
        if (const auto number = number_in(word.substr(name.size()))) return number;
    }
    for (const std::string_view unit : units) {
      if (word == unit && i > 0)
        if (const auto number = number_in(words[i - 1])) return number;
      if (word.ends_with(unit))
        if (const auto number = number_in(word.substr(0, word.size() - unit.size()))) return number;
    }
  }
  return std::nullopt;
}

bool says_any(const Words& words, Names names) {
  return std::ranges::any_of(words, [&](const std::string& word) { return is_any(word, names); });
}

/// Megatron-LM pads the vocabulary to a multiple of 128 for each tensor-parallel GPU (megatron/training/tokenizer, _vocab_size_with_padding).
std::int64_t padded(std::int64_t vocab, const Json& row) {
  const Framework* framework = framework_of(row);
  if (framework == nullptr || framework->profile != "megatron") return vocab;
  const Json* parallelism = member_of(row, "parallelism");
  const auto degree = parallelism != nullptr && parallelism->is_object() ? number_of(*parallelism, "tp") : std::nullopt;
  const std::int64_t step = 128 * std::clamp<std::int64_t>(degree.value_or(1), 1, 1000);
  return (vocab + step - 1) / step * step;
}

std::optional<std::int64_t> vocabulary(const Words& words, const Json& row) {
  if (const Json* knobs = member_of(row, "other_knobs"); knobs != nullptr && knobs->is_object()) {
    if (const auto exact = number_of(*knobs, "padded_vocab")) return exact;
    for (const char* key : {"vocab", "vocab_size"})
      if (const auto value = number_of(*knobs, key); value && *value > 0 && *value < 100'000'000) return padded(*value, row);
  }
  const auto named = dimension(words, {"vocab", "vocabulary", "v"}, {"vocab", "tokens"});
  return named ? std::optional{padded(*named, row)} : std::nullopt;
}

} // namespace

std::optional<std::int64_t> described_layers(std::string_view text) {
  return dimension(words_of(text), {"layers"}, {"layers", "layer"});
}

std::optional<Model> described_model(const Json& row, std::vector<std::string>& assumed) {
  const Words words = words_of(text_of(row, "model") + ", " + text_of(row, "notes"));
  const bool llama = says_any(words, {"llama", "llama2", "llama3", "mistral", "qwen2", "rmsnorm", "swiglu"});
  const bool gpt = says_any(words, {"gpt", "gpt2", "gpt3", "mcore"});
  if (llama == gpt && !llama) return std::nullopt;
  if (says_any(words, {"moe", "experts", "mamba", "hybrid", "mla", "t5", "bert", "retro", "multimodal"})) return std::nullopt;
  const auto hidden = dimension(words, {"h", "hidden", "size", "dim", "width"}, {"hidden", "wide"}), layers = dimension(words, {"l", "layers"}, {"l", "layers", "layer"}),
             heads = dimension(words, {"heads", "a"}, {"heads", "a"}), ffn = dimension(words, {"ffn", "f"}, {"ffn"}),
             groups = dimension(words, {"kv", "groups", "gqa", "g", "query groups"}, {"kv", "groups"}), vocab = vocabulary(words, row);
  if (!hidden || !layers || !heads || !vocab || *hidden < 1 || *heads < 1 || *hidden % *heads != 0) return std::nullopt;
  const bool tied = says_any(words, {"tied"}), untied = says_any(words, {"untied"});
  if (llama && (!ffn || tied == untied)) return std::nullopt;
  Json shapes{{"layers", *layers}, {"hidden", *hidden}, {"heads", *heads}, {"kv_heads", groups.value_or(*heads)}, {"head_dim", *hidden / *heads}, {"vocab", *vocab}};
  shapes["ffn_hidden"] = ffn.value_or(4 * *hidden);
  shapes["norm"] = llama || says_any(words, {"rmsnorm"}) ? "rmsnorm" : "layernorm";
  shapes["norm_bias"] = shapes["linear_bias"] = !llama;
  shapes["gated_mlp"] = llama || says_any(words, {"swiglu", "gated"});
  shapes["tied"] = !untied;
  if (!llama) {
    shapes["position"] = says_any(words, {"rope", "rotary"}) ? "rope" : "learned";
    if (const auto tokens = number_of(row, "seq_len")) shapes["max_positions"] = *tokens;
    if (!ffn) assumed.push_back("The MLP is four times as wide as the model, as Megatron-LM makes it unless told otherwise.");
    if (!tied && !untied) assumed.push_back("Embedding and head share one table, as in Megatron-LM unless told otherwise.");
    assumed.push_back("Layers of GPT: LayerNorm, GELU, biases.");
  }
  return tables::model_of(shapes);
}

} // namespace plimsoll::io::accuracy::measured_training
