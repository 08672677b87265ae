#pragma once
// Walks the tensors of a model on one GPU. estimate() adds what it hears, explain() writes it down.

#include "parameters/tensors.hpp"
#include "term.hpp"

namespace plimsoll::parameters {

/// sink(Tensors, const Term&) for `layers` layers of one group.
template <class Sink>
void visit_layers(const Model& model, const LayerGroup& group, Count layers, const Strategy& strategy, Sink&& sink) {
  const LayerShare share = layer_share(group, strategy);
  sink(Tensors::attention, in_group(attention(model, group, share, layers), group));
  sink(Tensors::mlp, in_group(mlp(model, group, share, layers), group));
  sink(Tensors::layer_norms, in_group(layer_norms(model, group, layers), group));
}

/// sink(Tensors, const Term&) for every tensor kind that exists.
template <class Sink> void visit(const Model& model, const Strategy& strategy, Sink&& sink) {
  const ModelShare share = model_share(model, strategy);
  sink(Tensors::embedding, embedding(model, share));
  if (model.learned_positions.value > 0) sink(Tensors::positions, positions(model));
  for (std::size_t i = 0; i < model.group_count; ++i)
    visit_layers(model, model.groups[i], model.groups[i].layers, strategy, sink);
  sink(Tensors::final_norm, final_norm(model));
  if (!model.tied_embeddings || model.head_bias) sink(Tensors::head, head(model, share));
}

} // namespace plimsoll::parameters
