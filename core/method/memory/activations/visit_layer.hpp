#pragma once
// Every term of what one layer group keeps for the backward pass, but for adapters: sink(const Term&).

#include "method/memory/activations.hpp"
#include "method/memory/activations/layer_tensors.hpp"
#include "method/memory/layers.hpp"

namespace plimsoll::memory {

/// Of `layers` layers, the tensors that are `counted`. Terms that come to nothing are left out where not all are.
template <class Sink> void visit_layer(const Scenario& scenario, const LayerGroup& group, Count layers, LayerTensors counted, Sink&& into) {
  const auto sink = [&](const Term& term) {
    if (counted == kAllTensors || term.amount != 0) into(term);
  };
  const bool others = (counted & kOtherTensors) != 0;
  sink(saved_norms(scenario, group, layers, counted));
  if (quantises_inputs(scenario)) sink(quantised_inputs(scenario, group, layers, counted));
  if (others && keeps_gathered_inputs(scenario)) sink(gathered_inputs(scenario, group, layers));
  if (others && group.attention.qk_norm != QkNorm::none) sink(saved_qk_norms(scenario, group, layers));
  if (attends(group)) sink(saved_attention(scenario, group, layers, counted));
  if (others && group.cross.query_heads > Count{0}) sink(saved_cross_attention(scenario, group, layers));
  if (group.expands_vectors()) sink(saved_vectors(scenario, group, layers, counted));
  if (others && recurs(group)) sink(saved_recurrence(scenario, group, layers));
  if ((counted & kMlpInside) != 0 && group.mlp.intermediate_size > Count{0}) sink(saved_mlp(scenario, group, layers));
  if (has_experts(group)) {
    if ((counted & kRouterScores) != 0) sink(saved_router(scenario, group, layers));
    sink(saved_experts(scenario, group, layers, counted));
    if ((counted & kSharedInside) != 0 && group.moe.shared_size > Count{0}) sink(saved_shared_experts(scenario, group, layers));
  }
  if (others && scenario.implementation.hidden_dropout) sink(saved_dropout(scenario, group, layers));
}

} // namespace plimsoll::memory
