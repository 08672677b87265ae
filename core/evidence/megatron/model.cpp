// The model of a row as Megatron-LM builds it (NVIDIA/Megatron-LM, megatron/core/models/gpt/gpt_layer_specs.py,
// megatron/core/models/hybrid, megatron/core/transformer): layers in order, then what follows each of them for prediction depths.
#include "evidence/megatron/blocks.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::accuracy {

namespace {

constexpr std::int64_t kMostLayers = 10'000;
constexpr std::int64_t kMostDepths = 64;

/// For each layer, whether a list of 0 and 1 or a frequency says so; nothing where it is neither.
std::optional<std::vector<bool>> by_layer(const Json& list, std::size_t layers) {
  if (!list.is_array() || list.size() != layers) return std::nullopt;
  std::vector<bool> chosen;
  for (const Json& item : list) {
    if (item != Json(0) && item != Json(1)) return std::nullopt;
    chosen.push_back(item == Json(1));
  }
  return chosen;
}

/// Layers with experts: all of them unless moe.layer_freq lists them.
std::vector<bool> expert_layers(const MegatronDraft& draft, std::size_t layers) {
  const Section moe = draft.model.inside("moe");
  if (!draft.model.has("moe")) return std::vector<bool>(layers, false);
  const Json* list = moe.find("layer_freq");
  if (list == nullptr) return std::vector<bool>(layers, true);
  if (const auto chosen = by_layer(*list, layers)) return *chosen;
  draft.reading.refuse("model.moe.layer_freq is not a list of 0 and 1 with one entry for each layer.");
  return std::vector<bool>(layers, false);
}

/// Layers with linear attention: a list, or all but every n-th (megatron/core/transformer/transformer_config.py,
/// linear_attention_freq).
std::vector<bool> linear_layers(const MegatronDraft& draft, std::size_t layers) {
  std::vector<bool> linear(layers, false);
  if (!draft.model.has("linear_attention")) return linear;
  const Section section = draft.model.inside("linear_attention");
  if (const Json* given = section.find("linear_attention_freq"); given != nullptr && given->is_array()) {
    if (const auto chosen = by_layer(*given, layers)) return *chosen;
    draft.reading.refuse("model.linear_attention.linear_attention_freq is not a list of 0 and 1 with one entry for each layer.");
    return linear;
  }
  if (!section.has("linear_attention_freq")) return linear;
  const auto every = static_cast<std::size_t>(section.integer("linear_attention_freq"));
  for (std::size_t i = 0; i < layers; ++i) linear[i] = (i + 1) % every != 0;
  return linear;
}

Layer both(const Layer& mixer, const Layer& channels) {
  Layer layer = mixer;
  layer.mlp = channels.mlp;
  layer.moe = channels.moe;
  layer.norms = mixer.norms + channels.norms;
  return layer;
}

/// One layer for each letter: M Mamba-2, * attention, - MLP, E experts, G Gated DeltaNet (megatron/core/models/hybrid,
/// hybrid_layer_allocation.py).
std::vector<Layer> layers_of_letters(const MegatronDraft& draft, const Blocks& blocks, std::string_view letters) {
  std::vector<Layer> layers;
  for (const char letter : letters) {
    if (letter == 'M') layers.push_back(blocks.state_space);
    else if (letter == '*') layers.push_back(blocks.attention);
    else if (letter == '-') layers.push_back(blocks.mlp);
    else if (letter == 'E' && draft.model.has("moe")) layers.push_back(blocks.experts);
    else if (letter == 'G' && draft.model.has("linear_attention")) layers.push_back(blocks.linear);
    else if (letter != '|') draft.reading.refuse("model.hybrid.pattern has a layer of kind " + quoted(std::string_view{&letter, 1}) + ", which is not known here.");
  }
  return layers;
}

/// The main stack; sets the layers of one prediction depth and how many there are.
std::vector<Layer> read_hybrid(MegatronDraft& draft, Blocks& blocks) {
  MegatronFacts& facts = draft.out.facts;
  const std::string pattern = draft.model.inside("hybrid").text("pattern");
  if (pattern.size() > static_cast<std::size_t>(kMostLayers)) {
    draft.reading.refuse("model.hybrid.pattern has more than 10000 layers.");
    return {};
  }
  const std::size_t end = std::min(pattern.find('/'), pattern.size());
  if (pattern.find('M') != std::string::npos) blocks.state_space.recurrence = read_mamba(draft.model);
  if (pattern.find('G') != std::string::npos && draft.model.has("linear_attention")) blocks.linear.recurrence = read_delta(draft.model);
  if (end < pattern.size()) {
    const std::string_view depths{pattern.data() + end + 1, pattern.size() - end - 1};
    const std::string_view first = depths.substr(0, depths.find('/'));
    facts.prediction = layers_of_letters(draft, blocks, first);
    facts.prediction_depths = 1 + std::ranges::count(depths, '/');
    for (std::size_t at = first.size(); at < depths.size(); at += first.size() + 1)
      if (depths.substr(at + 1, first.size()) != first || (at + 1 + first.size() < depths.size() && depths[at + 1 + first.size()] != '/')) {
        draft.reading.refuse("model.hybrid.pattern has prediction depths that differ.");
        break;
      }
  }
  if (facts.prediction.empty()) {
    // Older versions state the blocks of a depth apart; without, a depth is one whole transformer layer.
    const std::string own = draft.arguments.text("--mtp-hybrid-override-pattern");
    if (own.empty()) facts.prediction = {both(blocks.attention, draft.model.has("moe") ? blocks.experts : blocks.mlp)};
    else if (own.size() <= static_cast<std::size_t>(kMostDepths)) facts.prediction = layers_of_letters(draft, blocks, own);
    else draft.reading.refuse("--mtp-hybrid-override-pattern has more than 64 layers.");
  }
  return layers_of_letters(draft, blocks, std::string_view{pattern}.substr(0, end));
}

std::vector<Layer> read_stack(MegatronDraft& draft, Blocks& blocks) {
  const auto count = static_cast<std::size_t>(draft.model.integer("layers", 1, {}, kMostLayers));
  if (draft.model.has("hybrid") && draft.model.inside("hybrid").has("pattern")) {
    std::vector<Layer> layers = read_hybrid(draft, blocks);
    if (layers.size() != count) draft.reading.refuse("model.hybrid.pattern does not have model.layers layers.");
    return layers;
  }
  const std::vector<bool> with_experts = expert_layers(draft, count), with_linear = linear_layers(draft, count);
  if (std::ranges::find(with_linear, true) != with_linear.end()) blocks.linear.recurrence = read_delta(draft.model);
  std::vector<Layer> layers;
  for (std::size_t i = 0; i < count; ++i)
    layers.push_back(both(with_linear[i] ? blocks.linear : blocks.attention, with_experts[i] ? blocks.experts : blocks.mlp));
  return layers;
}

/// Multi-token prediction (megatron/core/transformer/multi_token_prediction.py): two norms, a map from twice the width that tensor
/// parallelism divides by rows, the layers, a last norm.
void add_prediction(MegatronDraft& draft, Architecture& architecture) {
  const MegatronFacts& facts = draft.out.facts;
  const Count width = architecture.hidden_size, sets{facts.prediction_repeated ? 1 : facts.prediction_depths};
  std::vector<Tensor> tensors;
  for (const Layer& layer : facts.prediction) {
    std::vector<Tensor> own = tensors_of(layer, width, architecture.norm);
    adapt_latent(own, draft.model);
    tensors.insert(tensors.end(), own.begin(), own.end());
  }
  Tensor map = tensor_of("eh_proj", TensorKind::prediction, width, Count{2} * width, true);
  map.split = Split::rows;
  map.units = width;
  tensors.push_back(map);
  Tensor norms = tensor_of("mtp_norm", TensorKind::prediction, width, Count{architecture.norm == NormKind::layernorm ? 2 : 1}, false);
  norms.copies = norms.active = Count{3};
  tensors.push_back(norms);
  for (Tensor& tensor : tensors) {
    tensor.kind = tensor.kind == TensorKind::experts ? TensorKind::prediction_experts : TensorKind::prediction;
    tensor.copies = sets * tensor.copies;
    tensor.active = sets * tensor.active;
    architecture.extras.push_back(tensor);
  }
}

} // namespace

void read_model(MegatronDraft& draft) {
  static constexpr std::array<Word<int>, 3> kPositions{{{"learned", 0}, {"rope", 1}, {"none", 2}}};
  const Section& model = draft.model;
  MegatronFacts& facts = draft.out.facts;
  Architecture architecture;
  architecture.id = "custom";
  architecture.name = draft.out.config;
  architecture.hidden_size = Count{model.integer("hidden")};
  if (!model.has("padded_vocab")) draft.reading.refuse("The row does not say the vocabulary.");
  architecture.vocab_size = Count{model.integer("padded_vocab")};
  architecture.norm = read_norm(model);
  architecture.tied_embeddings = model.flag("tied", true);
  const int position = model.choice<int>("position", kPositions);
  facts.rotary = position == 1;
  facts.activation = model.text("activation");
  const Count positions{model.integer("max_positions", 1, draft.workload.integer("seq_len"))};
  architecture.max_context = positions;
  if (position == 0) architecture.learned_positions = positions;

  Blocks blocks{draft};
  architecture.layers = read_stack(draft, blocks);
  facts.prediction_repeated = draft.arguments.flag("--mtp-use-repeated-layer");
  const std::int64_t depths = model.integer("mtp_layers", 0, facts.prediction_depths, kMostDepths);
  if (facts.prediction_depths > 0 && facts.prediction_depths != depths) draft.reading.refuse("model.mtp_layers is not the number of prediction depths in model.hybrid.pattern.");
  facts.prediction_depths = depths;
  if (draft.reading.failed()) return;
  if (depths == 0) facts.prediction.clear();
  else if (facts.prediction.empty()) facts.prediction = {architecture.layers.back()};
  if (depths > 0) add_prediction(draft, architecture);
  draft.out.inputs.workload.trains_prediction = depths > 0;
  architecture.prediction = facts.prediction;
  architecture.prediction_depths = Count{depths};
  draft.out.inputs.model = make_model(architecture);
  adapt_latent(draft.out.inputs.model.tensors, model);
}

} // namespace plimsoll::io::accuracy
