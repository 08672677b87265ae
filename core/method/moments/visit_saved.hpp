#pragma once
// What layers keep for their backward pass, with their adapters: sink(Lifetime, const Term&). Terms pass through a pointer, because a
// dozen visitors ask for them.

#include "method/memory/activations/layer_tensors.hpp"
#include "method/moments/lifetimes.hpp"
#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

#include <type_traits>

namespace plimsoll::moments {

using SavedSink = void (*)(void* into, Lifetime block, const Term& term);

/// Of `layers` layers of the group, the tensors that are `counted`, all as `block`. Their sum where the stage shares it.
void visit_saved(const Scenario& scenario, const Stage& stage, const LayerGroup& group, Count layers, memory::LayerTensors counted, Lifetime block, SavedSink sink, void* into) noexcept;
/// Layers that keep everything, or all that no module computes again or gives to the host. Of what goes to the host, that of two layers is on
/// the device where one of the group is `at_work`: that one, and one on its way.
void visit_whole(const Scenario& scenario, const Stage& stage, const LayerGroup& group, bool at_work, Count layers, SavedSink sink, void* into) noexcept;

/// What one layer of the group makes in its backward, on top of what it keeps.
Term backward_temporaries(const Scenario& scenario, const Stage& stage, const LayerGroup& group) noexcept;

/// What `layers` layers still keep on the device when the first of them goes backward.
void visit_remaining(const Scenario& scenario, const Stage& stage, const LayerGroup& group, Count layers, SavedSink sink, void* into) noexcept;

template <class Sink> constexpr SavedSink saved_sink = [](void* into, Lifetime block, const Term& term) { (*static_cast<std::remove_reference_t<Sink>*>(into))(block, term); };

template <class Sink> void visit_saved(const Scenario& scenario, const Stage& stage, const LayerGroup& group, Count layers, memory::LayerTensors counted, Lifetime block, Sink&& sink) {
  visit_saved(scenario, stage, group, layers, counted, block, saved_sink<Sink>, untyped(sink));
}
template <class Sink> void visit_whole(const Scenario& scenario, const Stage& stage, const LayerGroup& group, bool at_work, Count layers, Sink&& sink) {
  visit_whole(scenario, stage, group, at_work, layers, saved_sink<Sink>, untyped(sink));
}

template <class Sink> void visit_remaining(const Scenario& scenario, const Stage& stage, const LayerGroup& group, Count layers, Sink&& sink) {
  visit_remaining(scenario, stage, group, layers, saved_sink<Sink>, untyped(sink));
}

} // namespace plimsoll::moments
