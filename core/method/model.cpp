#include "plimsoll/method/model.hpp"

#include "method/layers/group_names.hpp"
#include "method/layers/tensors.hpp"
#include "method/sort_stably.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

namespace plimsoll {

namespace {

/// Equal layers have equal hashes; those of one model that differ mostly do so in one of these sizes.
std::size_t hash_of(const Layer& layer) noexcept {
  std::uint64_t hash = layer.recurrence.index();
  for (const Count size : {layer.attention.query_heads, layer.attention.kv_heads, layer.attention.head_dim, layer.attention.window,
                           layer.latent.heads, layer.mlp.intermediate_size, layer.moe.experts, layer.moe.expert_size, layer.norms})
    hash = hash * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(size.value);
  return static_cast<std::size_t>(hash ^ (hash >> 32));
}

/// Sorts layers into groups of equal ones.
class Grouping {
public:
  explicit Grouping(Model& model, Count hidden_size) : model_(model), hidden_size_(hidden_size) {}

  void add(const Layer& layer) {
    const std::size_t hash = hash_of(layer);
    const auto [begin, end] = known_.equal_range(hash);
    for (auto at = begin; at != end; ++at) {
      LayerGroup& group = model_.groups[at->second];
      if (static_cast<const Layer&>(group) == layer) return count(group, at->second);
    }
    known_.emplace(hash, model_.groups.size());
    LayerGroup& group = model_.groups.emplace_back();
    static_cast<Layer&>(group) = layer;
    group.attention_shape = layers::attention_shape_of(layer);
    group.recurrence_shape = layers::shape_of(layer.recurrence, hidden_size_);
    count(group, model_.groups.size() - 1);
  }

private:
  void count(LayerGroup& group, std::size_t index) {
    group.layers += Count{1};
    model_.pattern.push_back(static_cast<std::uint16_t>(index));
  }

  Model& model_;
  Count hidden_size_;
  std::unordered_multimap<std::size_t, std::size_t> known_;
};

/// Tensors of one kind stand together.
void add(std::vector<ModelTensor>& to, std::vector<Tensor> tensors, std::size_t group = ModelTensor::kNoGroup, Count layers = Count{1}) {
  sort_stably(tensors, {}, &Tensor::kind);
  for (Tensor& tensor : tensors) to.push_back({std::move(tensor), group, layers});
}

std::vector<Tensor> embedding(const Architecture& architecture) {
  layers::TensorList list{TensorKind::embedding};
  const bool narrow = architecture.embedding_size > Count{0};
  if (architecture.has_embedding)
    list.map("embed_tokens", architecture.vocab_size, narrow ? architecture.embedding_size : architecture.hidden_size, Split::rows,
             architecture.vocab_size);
  return std::move(list).take();
}

std::vector<Tensor> positions(const Architecture& architecture) {
  layers::TensorList list{TensorKind::positions};
  if (architecture.learned_positions > Count{0})
    list.map("embed_positions", architecture.learned_positions, architecture.hidden_size);
  return std::move(list).take();
}

std::vector<Tensor> head(const Architecture& architecture) {
  layers::TensorList list{TensorKind::head};
  const Count vocab = architecture.vocab_size;
  const bool narrow = architecture.embedding_size > Count{0};
  if (architecture.has_head && !architecture.tied_embeddings)
    list.map("lm_head", vocab, narrow ? architecture.embedding_size : architecture.hidden_size, Split::rows, vocab);
  if (architecture.has_head && architecture.head_bias) list.vector("lm_head.bias", vocab, Split::rows, vocab);
  return std::move(list).take();
}

bool before_layers(const Tensor& tensor) noexcept { return tensor.kind < TensorKind::attention; }

/// Cross attention has the names of self attention with a prefix, so that both can be told apart.
std::vector<Tensor> crossed(std::vector<Tensor> tensors) {
  static constexpr std::array<std::string_view, 9> kNames{"cross.q_proj",      "cross.k_proj",      "cross.v_proj",
                                                          "cross.o_proj",      "cross.q_proj.bias", "cross.k_proj.bias",
                                                          "cross.v_proj.bias", "cross.o_proj.bias", "cross.norm"};
  for (Tensor& tensor : tensors) {
    const auto at = std::ranges::find_if(kNames, [&](std::string_view name) { return name.substr(6) == tensor.name; });
    tensor.name = at == kNames.end() ? kNames.back() : *at;
  }
  return tensors;
}

/// Groups of their own: a depth may have a kind of layer that the stack lacks.
void add_prediction(Model& model, const Architecture& architecture) {
  Model depth;
  Grouping grouping{depth, architecture.hidden_size};
  for (const Layer& layer : architecture.prediction) grouping.add(layer);
  for (LayerGroup& group : depth.groups) {
    group.id = "prediction";
    group.label = "prediction layers";
    if (depth.groups.size() > 1) group.id += "-" + std::to_string(&group - depth.groups.data() + 1);
  }
  model.prediction = std::move(depth.groups);
}

void append(std::vector<Tensor>& to, const std::vector<Tensor>& from) { to.insert(to.end(), from.begin(), from.end()); }

} // namespace

std::vector<Tensor> tensors_of(const Layer& layer, Count hidden_size, NormKind norm) {
  std::vector<Tensor> tensors;
  append(tensors, layers::of(layer.attention, hidden_size));
  append(tensors, crossed(layers::of(layer.cross, hidden_size)));
  append(tensors, layers::of(layer.latent, hidden_size));
  append(tensors, layers::of(layer.recurrence, hidden_size));
  append(tensors, layers::of(layer.mlp, hidden_size));
  append(tensors, layers::of(layer.moe, hidden_size));
  append(tensors, layer.extras);
  append(tensors, layers::norms(layer.norms, norm, hidden_size, TensorKind::norms));
  return tensors;
}

Model make_model(const Architecture& architecture) {
  Model model;
  model.id = architecture.id;
  model.name = architecture.name;
  model.hidden_size = architecture.hidden_size;
  model.vocab_size = architecture.vocab_size;
  model.learned_positions = architecture.learned_positions;
  model.max_context = architecture.max_context;
  model.encoder_tokens = architecture.encoder_tokens;
  model.rotary_factors = architecture.rotary_factors;
  model.norm = architecture.norm;
  model.tied_embeddings = architecture.tied_embeddings;
  model.head_bias = architecture.head_bias;
  model.has_head = architecture.has_head;
  model.caps_logits = architecture.caps_logits;

  Grouping grouping{model, architecture.hidden_size};
  for (const Layer& layer : architecture.layers) grouping.add(layer);
  layers::name_groups(model.groups);
  model.prediction_depths = architecture.prediction_depths;
  for (const TowerArchitecture& tower : architecture.towers) {
    model.towers.push_back({tower, make_model(tower.architecture)});
    model.towers.back().model.scalar_head = true;
  }
  add_prediction(model, architecture);

  std::vector<Tensor> before = embedding(architecture), after;
  append(before, positions(architecture));
  for (const Tensor& tensor : architecture.extras) (before_layers(tensor) ? before : after).push_back(tensor);
  std::vector<ModelTensor> tensors;
  add(tensors, std::move(before));
  for (std::size_t i = 0; i < model.groups.size(); ++i)
    add(tensors, tensors_of(model.groups[i], architecture.hidden_size, architecture.norm), i, model.groups[i].layers);
  if (architecture.final_norm)
    append(after, layers::norms(Count{1}, architecture.norm, architecture.hidden_size, TensorKind::final_norm));
  append(after, head(architecture));
  add(tensors, std::move(after));
  model.tensors = ModelTensors{std::move(tensors)};
  return model;
}

bool has_experts(const Model& model) noexcept {
  return std::ranges::any_of(model.groups, [](const LayerGroup& group) { return group.moe.experts > Count{0}; });
}

} // namespace plimsoll
