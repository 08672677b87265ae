#pragma once
// Every term of what one layer group keeps for the backward pass, but for adapters: sink(const Term&).

#include "method/memory/activations/layer_tensors.hpp"
#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/scenario.hpp"

#include <type_traits>

namespace plimsoll::memory {

using LayerSink = void (*)(void* into, const Term& term);

/// Of `layers` layers, the tensors that are `counted`. Terms that come to nothing are left out where not all are.
void visit_layer(const Scenario& scenario, const LayerGroup& group, Count layers, LayerTensors counted, LayerSink sink, void* into) noexcept;

template <class Sink> void visit_layer(const Scenario& scenario, const LayerGroup& group, Count layers, LayerTensors counted, Sink&& sink) {
  const auto call = [](void* into, const Term& term) { (*static_cast<std::remove_reference_t<Sink>*>(into))(term); };
  visit_layer(scenario, group, layers, counted, call, const_cast<void*>(static_cast<const void*>(&sink)));
}

} // namespace plimsoll::memory
