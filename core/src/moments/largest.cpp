// The largest layer and the largest tensor of a stage: what is gathered at once.
#include "moments/visit.hpp"

namespace plimsoll::moments {

Count largest_layer(const Scenario& scenario, const Stage& stage) noexcept {
  Count largest;
  for (const LayerGroup& group : scenario.model.groups) {
    if (stage.held(group) == Count{0}) continue;
    Count one;
    parameters::visit_layers(scenario.model, group, Count{1}, scenario.strategy, [&](TensorKind, const Term& term) { one += term.count(); });
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

} // namespace plimsoll::moments
