// The largest layer and the largest tensor of a stage: what is gathered at once.
#include "method/moments/visit.hpp"

namespace plimsoll::moments {

Count largest_layer(const Scenario& scenario, const Stage& stage) noexcept {
  Count largest;
  for (const LayerGroup& group : scenario.model.groups) {
    if (stage.held(group) == Count{0}) continue;
    Count one;
    parameters::each_in_layers(scenario.model, group, Count{1}, scenario.strategy, stage, [&](const KindCount&, Count numbers) { one += numbers; });
    largest = max(largest, one);
  }
  return largest;
}

memory::TensorSizes tensor_sizes(const Scenario& scenario, const Stage& stage) noexcept {
  const Count persistence = memory::zero_sizes(scenario).persistence;
  memory::TensorSizes sizes;
  for (const ModelTensor& part : scenario.model.tensors) {
    if (!in_language_model(part.tensor.kind)) continue;
    const LayerGroup* const group = scenario.model.group_of(part);
    if (group == nullptr && !holds(stage, part.tensor.kind, scenario.model.tied_embeddings)) continue;
    const Count layers = group == nullptr ? part.layers : stage.held(*group);
    if (layers == Count{0}) continue;
    const TensorShare share = tensor_share(part.tensor, scenario.strategy);
    const Count one = share.rows * share.columns;
    sizes.largest = max(sizes.largest, one);
    if (one <= persistence) sizes.small += layers * elements_per_gpu(part.tensor, scenario.strategy);
  }
  return sizes;
}

StoredSizes stored_sizes(const Scenario& scenario, const Stage& stage) noexcept {
  const Model& model = scenario.model;
  const StoredWeights& weights = scenario.weights;
  if (weights.formats.size() == 1 && is_plain(weights.formats.front())) {
    const Bytes stored = weights.formats.front().parts.front().bytes, each = min(stored, memory::gathered_bytes(scenario.strategy.precision));
    Count outside;
    parameters::each_held(model, scenario.strategy, stage, [&](const KindCount& of, Count numbers) {
      if (in_language_model(of.kind) && gradient_block(of.kind, model.tied_embeddings) != Lifetime::gradients_layers) outside += numbers;
    });
    return {largest_layer(scenario, stage) * each, outside * each};
  }
  StoredSizes sizes;
  Bytes of_group;
  const LayerGroup* last = nullptr;
  const auto take_group = [&] { // its layers may be stored in different formats
    if (last != nullptr) sizes.layer = max(sizes.layer, Bytes{ceil_div(Count{of_group.value}, max(last->layers, Count{1})).value});
    of_group = Bytes{0};
  };
  for (const StoredTensor& stored : weights.tensors) {
    const ModelTensor& part = model.tensors[stored.tensor];
    const TensorKind kind = part.tensor.kind;
    if (!in_language_model(kind)) continue;
    const LayerGroup* const group = model.group_of(part);
    const Bytes bytes = memory::stored_weights(model, weights, stored, scenario.strategy).bytes();
    if (group == nullptr) {
      if (holds(stage, kind, model.tied_embeddings)) sizes.outside += bytes;
      continue;
    }
    if (group != last) take_group();
    last = group;
    if (stage.held(*group) > Count{0}) of_group += bytes;
  }
  take_group();
  return sizes;
}

} // namespace plimsoll::moments
