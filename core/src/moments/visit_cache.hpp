#pragma once
// What serving keeps of sequences.

#include "memory/layers.hpp"
#include "memory/serving.hpp"
#include "plimsoll/pipeline.hpp"
#include "plimsoll/scenario.hpp"

namespace plimsoll::moments {

/// What the stage's layers keep of so many sequences: sink(const Term&).
template <class Sink> void visit_cache(const Scenario& scenario, const Stage& stage, Count sequences, Sink&& sink) {
  for (const LayerGroup& group : scenario.model.groups) {
    const Count layers = stage.held(group);
    if (memory::attends(group)) memory::kv_cache(scenario, group, layers, sequences).each(sink);
    if (group.cross.query_heads > Count{0}) sink(memory::cross_kv_cache(scenario, group, layers, sequences));
    if (memory::recurs(group)) sink(memory::recurrent_state(scenario, group, layers, sequences));
  }
}

} // namespace plimsoll::moments
