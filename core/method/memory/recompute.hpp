#pragma once
// How many layers keep everything, how many only their input, and how many run again at once.

#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::memory {

/// Of one group on one stage; a layer counts once for every micro-batch in flight.
struct KeptLayers {
  Count whole;   ///< keep every activation
  Count inputs;  ///< keep only what they were given
  Count segment; ///< run again at once when they go backward; 0 = none do
  Count away{};  ///< of which the host has the input
};
KeptLayers kept_layers(const Scenario& scenario, const Stage& stage, const LayerGroup& group) noexcept;

/// Whether layers run again whole in the backward pass.
bool reruns_layers(Recompute recompute) noexcept;

} // namespace plimsoll::memory
