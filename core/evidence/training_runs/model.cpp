// A model from its counts. Depth and width of decoders go together: 128 channels of width for each layer, which GPT-3's and Llama's
// sizes keep to within a third (Brown et al., 2020, table 2.1; Touvron et al., 2023, table 2).
#include "evidence/training_runs/parts.hpp"

#include "evidence/measured.hpp"
#include "evidence/words.hpp"
#include "plimsoll/method/parameters.hpp"

#include <algorithm>

namespace plimsoll::io::accuracy::training_runs {

namespace {

constexpr std::int64_t kChannels = 128, kMostLayers = 1000, kWidest = 1'000'000, kMostParameters = 100'000'000'000'000;

std::optional<Count> count_in(const Json& row, const char* key, std::int64_t most) {
  const auto value = number_of(row, key);
  return value && *value >= 1 && *value <= most ? std::optional{Count{*value}} : std::nullopt;
}

/// The width, a multiple of 128, of a decoder that has so many parameters in layers: 12 width² each, width / 128 of them.
Count usual_width(Count parameters) {
  std::int64_t width = kChannels;
  while (width < kWidest && static_cast<double>(width) * static_cast<double>(width) * static_cast<double>(width) * 12.0 / kChannels < static_cast<double>(parameters.value))
    width += kChannels;
  return Count{width};
}

/// Layers of 12 width² each.
Count usual_layers(Count parameters, Count width) {
  const Count one = Count{12} * (width * width);
  return Count{std::clamp<std::int64_t>((parameters.value + one.value / 2) / one.value, 1, kMostLayers)};
}

struct Sizes {
  Count total, active, layers, hidden, vocabulary, context;
};

Layer layer_of(const Sizes& of, std::vector<std::string>& assumed) {
  Layer layer;
  const Count heads{std::max<std::int64_t>(of.hidden.value / kChannels, 1)};
  layer.attention.query_heads = layer.attention.kv_heads = heads;
  layer.attention.head_dim = Count{std::max<std::int64_t>(of.hidden.value / heads.value, 1)};
  layer.mlp.kind = MlpKind::plain;
  // What is left of the parameters once embeddings and attention have theirs.
  const Count around = of.vocabulary * of.hidden + of.layers * (Count{4} * (of.hidden * of.hidden));
  const Count active_rest = max(of.active - around, of.layers * of.hidden), rest = max(of.total - around, of.layers * of.hidden);
  const Count matrices = of.layers * (Count{2} * of.hidden);
  if (of.total.value <= of.active.value + of.active.value / 10) {
    layer.mlp.intermediate_size = max(Count{active_rest.value / matrices.value}, Count{1});
    assumed.push_back("The MLP has the parameters that embeddings and attention leave.");
    return layer;
  }
  // Eight of as many experts as the two counts say.
  constexpr std::int64_t kChosen = 8, kMostExperts = 4096;
  const std::int64_t wanted = std::clamp<std::int64_t>((Count{kChosen} * rest).value / active_rest.value, kChosen, kMostExperts);
  std::int64_t experts = kChosen; // a power of two, so that GPUs can divide them
  while (2 * experts <= wanted + wanted / 3) experts *= 2;
  layer.moe.experts = Count{experts};
  layer.moe.per_token = Count{kChosen};
  layer.moe.kind = MlpKind::plain;
  layer.moe.expert_size = max(Count{active_rest.value / (matrices * Count{kChosen}).value}, Count{1});
  assumed.push_back("Each token goes to 8 experts of about as many as the counts of all and of active parameters say.");
  return layer;
}

bool agrees(Count a, Count b) {
  const Count difference = max(a, b) - min(a, b);
  return (Count{20} * difference) <= max(a, b); // names and tables round to a few per cent
}

/// The catalogue's model of that name: "Llama 3.1 8B (torchtitan)" and "LLAMA3.1_405B" are "Llama 3.1 8B" and "Llama 3.1 405B".
std::optional<Model> named_model(const Json& row, Count total) {
  std::string name = text_of(row, "model");
  if (const std::size_t note = name.find('('); note != std::string::npos) name.resize(note);
  const std::string letters = letters_of(name);
  if (letters.empty()) return std::nullopt;
  for (const ModelRow& model : presets().models()) {
    if (letters_of(model.name) != letters && letters_of(model.id) != letters) continue;
    std::optional<Model> made = import_model(model).model;
    if (made && agrees(count_parameters(*made), total)) return made;
  }
  return std::nullopt;
}

} // namespace

void read_model(const Json& row, Run& into) {
  auto total = count_in(row, "params_total", kMostParameters), active = count_in(row, "params_active", kMostParameters);
  if (!total) total = active;
  if (!active) active = total;
  if (!total) return into.decline("The row does not tell how many parameters the model has.");
  if (std::optional<Model> named = named_model(row, *total)) return void(into.inputs.model = std::move(*named));

  constexpr Count kVocabulary{50'304}; // GPT-2's, padded
  Sizes of{.total = *total, .active = *active, .layers = {}, .hidden = {}, .vocabulary = kVocabulary, .context = {}};
  const auto hidden = count_in(row, "hidden", kWidest), layers = count_in(row, "layers", kMostLayers);
  of.hidden = hidden.value_or(usual_width(*active));
  of.layers = layers.value_or(usual_layers(*active, of.hidden));
  if (!hidden || !layers) into.assumed.push_back("Width and depth are the usual ones for so many parameters: 128 channels for each layer.");
  while (of.vocabulary * of.hidden > Count{of.active.value / 2} && of.vocabulary > Count{128}) of.vocabulary = Count{of.vocabulary.value / 2};
  into.assumed.push_back("A decoder with heads of 128 channels, keys and values for each, and one table of " + std::to_string(of.vocabulary.value) + " tokens.");
  Architecture architecture;
  architecture.id = std::string{kCustomModel};
  architecture.hidden_size = of.hidden;
  architecture.vocab_size = of.vocabulary;
  architecture.tied_embeddings = true;
  architecture.layers.assign(static_cast<std::size_t>(of.layers.value), layer_of(of, into.assumed));
  into.inputs.model = make_model(architecture);
  into.inputs.model.name = text_of(row, "model");
}

} // namespace plimsoll::io::accuracy::training_runs
