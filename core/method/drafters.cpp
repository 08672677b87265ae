// Drafters that read the hidden states of the model they draft for.
//   EAGLE: Li et al. 2024 (arXiv 2401.15077), and vllm-project/vllm, vllm/model_executor/models/llama_eagle.py: a map from token vector and
//   hidden state to one hidden state, and one decoder layer without its first norm; token table and head are the model's.
//   EAGLE-3: Li et al. 2025 (arXiv 2503.01840), and llama_eagle3.py: a map from three hidden states to one, a layer whose queries, keys and
//   values are made of token vector and hidden state, and a head for the most frequent tokens.
//   Medusa: Cai et al. 2024 (arXiv 2401.10774), section 2.1, and medusa.py: for each draft token a square map and a head.
#include "method/drafters.hpp"

#include <algorithm>

namespace plimsoll {

namespace {

// Published heads of Llama 3.1, Llama 3.3 and Qwen3 have 32,000 tokens: SafeAILab/EAGLE, README, and draft_vocab_size of their configs.
constexpr Count kFrequentTokens{32'000};

Tensor map(std::string_view name, Count rows, Count columns, Split split = Split::none) {
  Tensor tensor;
  tensor.name = name;
  tensor.kind = split == Split::none ? TensorKind::mlp : TensorKind::head;
  tensor.rows = rows;
  tensor.columns = columns;
  tensor.split = split;
  tensor.units = split == Split::rows ? rows : Count{1};
  return tensor;
}

/// The last layer that attends, or the last one.
const LayerGroup& attending(const Model& model) {
  for (auto at = model.pattern.rbegin(); at != model.pattern.rend(); ++at) {
    const LayerGroup& group = model.groups[*at];
    if (group.attends()) return group;
  }
  return model.groups[model.pattern.back()];
}

/// A dense layer with the model's attention to the whole context, and an MLP as wide as what a token meets in the model.
Layer layer_of(const Model& model, Drafter drafter) {
  const LayerGroup& last = attending(model);
  Layer layer;
  layer.norms = Count{drafter == Drafter::eagle3 ? 3 : 1};
  layer.attention = last.attention;
  layer.attention.pattern = AttentionPattern::full;
  layer.attention.window = Count{0};
  layer.attention.reuses_cache = layer.attention.borrowed = false;
  layer.latent = last.latent;
  layer.mlp = last.mlp;
  for (const LayerGroup& group : model.groups) layer.mlp = group.mlp.intermediate_size > layer.mlp.intermediate_size ? group.mlp : layer.mlp;
  if (layer.mlp.intermediate_size == Count{0}) {
    layer.mlp.intermediate_size = last.moe.per_token * last.moe.expert_size + last.moe.shared_size;
    layer.mlp.kind = last.moe.kind;
  }
  return layer;
}

/// Queries, keys and values read token vector and hidden state side by side.
void widen_inputs(std::vector<ModelTensor>& drafter) {
  for (ModelTensor& part : drafter)
    if (part.tensor.name == "q_proj" || part.tensor.name == "k_proj" || part.tensor.name == "v_proj") part.tensor.columns = Count{2} * part.tensor.columns;
}

/// Beside those of its kind.
void add_to_layer(std::vector<ModelTensor>& drafter, Tensor tensor) {
  const auto at = std::ranges::find_if(drafter, [&](const ModelTensor& part) { return part.group == 0 && part.tensor.kind == tensor.kind; });
  if (at != drafter.end()) drafter.insert(at, {tensor, 0, Count{1}});
}

/// A block and a head for each token.
void add_medusa_heads(std::vector<ModelTensor>& drafter, const Model& model, Count tokens) {
  const Count h = model.hidden_size;
  Tensor block = map("medusa_block", h, h), head = map("medusa_head", model.vocab_size, h, Split::rows);
  block.kind = TensorKind::head;
  block.copies = block.active = head.copies = head.active = tokens;
  drafter.push_back({block});
  drafter.push_back({head});
}

} // namespace

Model drafter_for(const Model& model, Drafter drafter, Count tokens) {
  const Count h = model.hidden_size;
  Architecture architecture;
  architecture.id = "drafter";
  architecture.name = drafter == Drafter::medusa ? "Medusa heads" : drafter == Drafter::eagle3 ? "EAGLE-3" : "EAGLE";
  architecture.hidden_size = h;
  architecture.vocab_size = drafter == Drafter::eagle3 ? min(kFrequentTokens, model.vocab_size) : model.vocab_size;
  architecture.norm = model.norm;
  architecture.max_context = model.max_context;
  architecture.has_head = drafter == Drafter::eagle3;
  architecture.final_norm = drafter == Drafter::eagle3;
  const bool layered = (drafter == Drafter::eagle || drafter == Drafter::eagle3) && !model.pattern.empty();
  if (layered) architecture.layers.push_back(layer_of(model, drafter));
  Model made = make_model(architecture);
  made.tensors.edit([&](std::vector<ModelTensor>& tensors) {
    std::erase_if(tensors, [](const ModelTensor& part) { return part.tensor.kind == TensorKind::embedding; }); // the model's own
    if (layered && drafter == Drafter::eagle3) widen_inputs(tensors);
    if (layered) add_to_layer(tensors, map("fc", h, Count{drafter == Drafter::eagle3 ? 3 : 2} * h));
    if (drafter == Drafter::medusa) add_medusa_heads(tensors, model, tokens);
  });
  return made;
}

} // namespace plimsoll
