#pragma once
// What serving keeps of sequences.

#include "method/memory/layers.hpp"
#include "method/memory/serving.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

#include <optional>

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
  const auto give = [&](const std::optional<Term>& term) {
    if (term && term->amount != 0) sink(*term);
  };
  give(memory::stage_inputs(scenario, stage));
  give(memory::encoder_outputs(scenario, stage));
  give(memory::deepep_buffers(scenario));
}

/// Keys and values of one token on the stage, in the groups of layers for which `wanted` holds: sink(const Term&).
template <class Wanted, class Sink> void visit_token_of(const Scenario& scenario, const Stage& stage, Wanted&& wanted, Sink&& sink) {
  for (const LayerGroup& group : scenario.model.groups) {
    if (!memory::attends(group) || !wanted(group)) continue;
    const Count layers = caching_layers(scenario, stage, group);
    memory::kv_cache_per_token(scenario, group, layers).each(sink);
    if (memory::indexes(scenario, group)) sink(memory::index_keys_per_token(scenario, group, layers));
  }
}

/// Keys and values of one token on the stage: sink(const Term&).
template <class Sink> void visit_token(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  visit_token_of(scenario, stage, [](const LayerGroup&) { return true; }, sink);
}

/// Those of a token beyond the context, for which layers with a full window drop another one.
template <class Sink> void visit_growth(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  visit_token_of(scenario, stage, [&](const LayerGroup& group) { return memory::grows(scenario, group.attention); }, sink);
}

/// What the stage's layers keep of so many sequences: sink(const Term&).
template <class Sink> void visit_cache(const Scenario& scenario, const Stage& stage, Count sequences, Sink&& sink) {
  for (const LayerGroup& group : scenario.model.groups) {
    const Count layers = stage.held(group);
    if (memory::attends(group)) memory::kv_cache(scenario, group, caching_layers(scenario, stage, group), sequences).each(sink);
    if (memory::indexes(scenario, group)) sink(memory::index_keys(scenario, group, caching_layers(scenario, stage, group), sequences));
    if (group.cross.query_heads > Count{0}) sink(memory::cross_kv_cache(scenario, group, layers, sequences));
    if (memory::recurs(group)) sink(memory::recurrent_state(scenario, group, layers, sequences));
  }
}

} // namespace plimsoll::moments
