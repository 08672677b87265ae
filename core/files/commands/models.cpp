#include "files/commands/models.hpp"

#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace plimsoll::io::commands {

namespace {

/// Words that makers hang on a model's name without changing its shape.
constexpr std::array<std::string_view, 14> kVersions{"instruct", "chat", "it", "hf", "base", "gguf", "unsloth", "text", "dynamic", "quantized", "i1", "imatrix", "ud", "marlin"};

struct Method {
  std::string_view word, weights;
};
/// Words that tell how weights are stored, as far as a name can.
constexpr std::array kMethods{Method{"awq", "awq_4bit_g128"},  Method{"gptq", "gptq_4bit_g128"}, Method{"fp8", "fp8_channel"},
                              Method{"nvfp4", "nvfp4"},        Method{"fp4", "nvfp4"},           Method{"bnb", "nf4"},
                              Method{"mxfp4", "mxfp4"},        Method{"int4", ""},               Method{"int8", ""},
                              Method{"4bit", ""},              Method{"8bit", ""},               Method{"w4a16", "w4a16_g128"},
                              Method{"w8a8", "int8_channel"}};

/// The last part of a path without what only files have.
std::string_view file_name(std::string_view text) {
  while (text.ends_with('/') || text.ends_with('\\')) text.remove_suffix(1);
  text.remove_prefix(std::min(text.find_last_of("/\\") + 1, text.size()));
  if (text.ends_with(".gguf")) text.remove_suffix(5);
  const std::size_t part = text.find("-00001-of-");
  return text.substr(0, part);
}

/// "Meta-Llama-3-8B-Instruct-Q4_K_M" in words: cut at hyphens, colons and @.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : name) {
    if (c != '-' && c != ':' && c != '@' && c != ' ') {
      word += c;
      continue;
    }
    if (!word.empty()) words.push_back(lower_case(word));
    word.clear();
  }
  if (!word.empty()) words.push_back(lower_case(word));
  return words;
}

/// Without the signs that people write differently: "llama-3.1-8b" and "llama3.1:8b" are one.
std::string squeezed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    for (const char c : word)
      if (c != '_') text += c;
  return text;
}

std::vector<std::string> without_versions(std::vector<std::string> words) {
  if (!words.empty() && words.front() == "meta") words.erase(words.begin());
  std::erase_if(words, [](const std::string& word) { return std::ranges::find(kVersions, word) != kVersions.end(); });
  return words;
}

/// A row whose id or alias is these words; `plainly` drops versions of both sides.
const ModelRow* row_of(const Catalog& catalog, const std::vector<std::string>& words, bool plainly) {
  const auto key = [&](std::vector<std::string> of) { return squeezed(plainly ? without_versions(std::move(of)) : of); };
  const std::string wanted = key(words);
  if (wanted.empty()) return nullptr;
  for (const ModelRow& row : catalog.models()) {
    if (key(words_of(row.id)) == wanted) return &row;
    for (const std::string& alias : row.aliases)
      if (key(words_of(file_name(alias))) == wanted) return &row;
  }
  return nullptr;
}

/// Takes the words that tell how weights are stored out of the name.
void take_weights(const Catalog& catalog, std::vector<std::string>& words, NamedModel& into) {
  std::erase_if(words, [&](const std::string& word) {
    const std::string id = word == "f16" || word == "bf16" || word == "f32" ? "gguf_" + word : word;
    const WeightSchemeRow* const scheme = catalog.weights().find_row(id);
    if (scheme != nullptr && scheme->engine == "llama.cpp") {
      into.weights = scheme->id;
      return true;
    }
    const auto method = std::ranges::find(kMethods, word, &Method::word);
    if (method == kMethods.end()) return false;
    if (into.weights.empty() && !method->weights.empty()) into.weights = method->weights, into.weights_assumed = true;
    return true;
  });
}

/// Dots before a quantisation, as in "llama-3-8b.Q4_K_M", become hyphens; those of versions stay.
std::string with_hyphens(std::string_view name) {
  std::string text{name};
  const std::size_t dot = text.rfind('.');
  if (dot == std::string::npos || dot + 1 == text.size()) return text;
  const char next = text[dot + 1];
  if (next < '0' || next > '9') text[dot] = '-';
  return text;
}

} // namespace

NamedModel model_named(const Catalog& catalog, std::string_view text) {
  NamedModel model;
  model.row = catalog.find_model(text);
  if (model.row != nullptr) return model;
  std::vector<std::string> words = words_of(with_hyphens(file_name(text)));
  model.row = row_of(catalog, words, false);
  if (model.row != nullptr) return model;
  take_weights(catalog, words, model);
  model.row = row_of(catalog, words, false);
  if (model.row != nullptr) return model;
  model.row = row_of(catalog, words, true);
  model.by_likeness = model.row != nullptr;
  return model;
}

} // namespace plimsoll::io::commands
