#pragma once
// The weights of serving: what a GPU holds of them, and what it leaves to the host.

#include "method/memory/layers.hpp"
#include "method/memory/serving.hpp"
#include "method/memory/states.hpp"
#include "method/moments/visit_lora_slots.hpp"
#include "method/moments/visit_tuning.hpp"

namespace plimsoll::moments {

/// Weights of one GPU's layers that the host keeps and every pass reads over the link.
struct WeightsAway {
  Bytes bytes;
  Bytes layers; ///< of which; nothing where none are away
};
WeightsAway weights_away(const Scenario& scenario, const Stage& stage) noexcept;

/// Copies of the group's experts; no formula where it has none.
Term redundant_experts(const Scenario& scenario, const Stage& stage, const LayerGroup& group) noexcept;

/// The weights of serving: towers serve along, prediction layers where they draft.
template <class Sink> void visit_served(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  const InferenceProfile& engine = scenario.profile.inference;
  const bool is_head = scenario.model.tied_embeddings && stage.has_head();
  const WeightsAway away = weights_away(scenario, stage);
  Bytes seen; // layer after layer goes to the host: of every kind as large a part
  const auto wanted = [&](TensorKind kind) {
    if (engine.towers_apart && !in_language_model(kind) && !scenario.workload.media.any()) return false;
    const bool looked_up = kind == TensorKind::embedding || kind == TensorKind::positions;
    if (engine.table_on_host && looked_up) return kind == TensorKind::embedding && is_head;
    return kind != TensorKind::prediction || scenario.serving.predicts_drafts;
  };
  const auto give = [&](const Term& term) {
    if (away.bytes == Bytes{0} || term.group == nullptr) return sink(term);
    const Bytes before = memory::part_of(away.bytes, seen, away.layers);
    seen += term.bytes();
    sink(memory::weights_left(term, memory::part_of(away.bytes, seen, away.layers) - before));
  };
  if (away.bytes > Bytes{0}) visit_stored(scenario, stage.apart(), wanted, give);
  else visit_stored(scenario, stage, wanted, give);
  if (scenario.serving.redundant_experts > 0 && scenario.strategy.expert_parallel > 1)
    for (const LayerGroup& group : scenario.model.groups)
      if (const Term copies = redundant_experts(scenario, stage, group); copies.amount > 0) sink(copies);
  if (engine.rotary_table) sink(memory::rotary_table(scenario));
  if (scenario.serving.lora_slots > 0) visit_lora_slots(scenario, stage, sink);
  if (scenario.weights.tables > Bytes{0}) sink(memory::weight_tables(scenario.weights.tables));
}

} // namespace plimsoll::moments
