#pragma once
// Room for adapters that an engine serves beside the weights.

#include "method/memory/serving.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::moments {

/// sink(const Term&) for the layers of this stage, and for embedding and head where the engine adapts them.
template <class Sink> void visit_lora_slots(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  for (const LayerGroup& group : scenario.model.groups)
    if (stage.held(group) > Count{0}) sink(memory::lora_slots(scenario, group, stage.held(group)));
  const bool ends = stage.embeds() || stage.has_head();
  if (scenario.profile.inference.lora_room == LoraRoom::tables && ends) sink(memory::lora_table_slots(scenario));
}

} // namespace plimsoll::moments
