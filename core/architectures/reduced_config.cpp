// The shortest config that says the same, for URLs: keys are taken away one at a time as long as the model stays what it is.
#include "plimsoll/architectures/huggingface.hpp"
#include "text/json.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

/// Nobody waits for this: keys that come later in a longer config, or in one of very many layers, stay.
constexpr std::size_t kMostTries = 512;
constexpr std::size_t kMostLayers = 200'000; ///< read in all tries together

bool same_tensors(const Model& a, const Model& b) {
  return std::ranges::equal(a.tensors, b.tensors, [](const ModelTensor& x, const ModelTensor& y) {
    return x.tensor == y.tensor && x.group == y.group && x.layers == y.layers;
  });
}

bool same_groups(const Model& a, const Model& b) {
  return a.pattern == b.pattern && std::ranges::equal(a.groups, b.groups, [](const LayerGroup& x, const LayerGroup& y) {
           return static_cast<const Layer&>(x) == static_cast<const Layer&>(y) && x.id == y.id && x.layers == y.layers;
         });
}

bool same(const ImportedModel& a, const ImportedModel& b) {
  if (!a.model || !b.model) return false;
  const Model &x = *a.model, &y = *b.model;
  return a.architecture == b.architecture && a.quantization_config == b.quantization_config && a.dtype == b.dtype &&
         a.issues.size() == b.issues.size() && a.facts.known == b.facts.known && a.facts.values == b.facts.values &&
         x.hidden_size == y.hidden_size && x.vocab_size == y.vocab_size && x.learned_positions == y.learned_positions &&
         x.max_context == y.max_context && x.encoder_tokens == y.encoder_tokens && x.rotary_factors == y.rotary_factors && x.norm == y.norm &&
         x.tied_embeddings == y.tied_embeddings && x.head_bias == y.head_bias && x.has_head == y.has_head && x.caps_logits == y.caps_logits && same_groups(x, y) && same_tensors(x, y);
}

class Reducer {
public:
  explicit Reducer(Json config) : config_(std::move(config)), whole_(import_huggingface_config(dump(config_))) {}

  std::string run() {
    if (!whole_.model) return {};
    reduce(config_);
    return dump(config_);
  }

private:
  /// Whole objects first, then what is inside those that are needed.
  void reduce(Json& object) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : object.items()) keys.push_back(key);
    for (const std::string& key : keys) {
      if (++tries_ > kMostTries || tries_ * whole_.model->pattern.size() > kMostLayers) return;
      Json value = std::move(object[key]);
      object.erase(key);
      if (same(whole_, import_huggingface_config(dump(config_)))) continue;
      object[key] = std::move(value);
      if (object[key].is_object()) reduce(object[key]);
    }
  }

  Json config_;
  ImportedModel whole_;
  std::size_t tries_ = 0;
};

} // namespace

std::string reduced_config(std::string_view text) {
  ParsedJson parsed = parse_python_json(text);
  if (!parsed.ok || !parsed.value.is_object()) return std::string{text};
  const std::string reduced = Reducer{std::move(parsed.value)}.run();
  return reduced.empty() ? std::string{text} : reduced;
}

} // namespace plimsoll::io
