#pragma once
// What serving keeps of sequences.

#include "method/memory/layers.hpp"
#include "method/memory/serving.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::moments {

/// The prediction layers that draft, built as the last layer is: deepseek-ai/DeepSeek-V3, section 2.2 of arXiv 2412.19437. 0 where none do.
inline Count drafting_layers(const Scenario& scenario, const Stage& stage, const LayerGroup& group) noexcept {
  const Model& model = scenario.model;
  const bool last = !model.pattern.empty() && &group == &model.groups[model.pattern.back()];
  return scenario.serving.predicts_drafts && stage.has_head() && last ? prediction_layers(model) : Count{0};
}

/// Layers of the group that keep keys and values on the stage.
inline Count caching_layers(const Scenario& scenario, const Stage& stage, const LayerGroup& group) noexcept {
  return stage.held(group) + drafting_layers(scenario, stage, group);
}

/// Buffers that stay beside cache and passes: sink(const Term&).
template <class Sink> void visit_engine_buffers(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  for (const Term& term : {memory::stage_inputs(scenario, stage), memory::encoder_outputs(scenario, stage)})
    if (term.amount != 0) sink(term);
}

/// Keys and values of one token on the stage: sink(const Term&).
template <class Sink> void visit_token(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  for (const LayerGroup& group : scenario.model.groups)
    if (memory::attends(group)) memory::kv_cache_per_token(scenario, group, caching_layers(scenario, stage, group)).each(sink);
}

/// What the stage's layers keep of so many sequences: sink(const Term&).
template <class Sink> void visit_cache(const Scenario& scenario, const Stage& stage, Count sequences, Sink&& sink) {
  for (const LayerGroup& group : scenario.model.groups) {
    const Count layers = stage.held(group);
    if (memory::attends(group)) memory::kv_cache(scenario, group, caching_layers(scenario, stage, group), sequences).each(sink);
    if (group.cross.query_heads > Count{0}) sink(memory::cross_kv_cache(scenario, group, layers, sequences));
    if (memory::recurs(group)) sink(memory::recurrent_state(scenario, group, layers, sequences));
  }
}

} // namespace plimsoll::moments
