#pragma once
// How many numbers train on one GPU of a pipeline stage, by where their gradients appear in a backward pass.

#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::memory {

struct Trained {
  Count layers;     ///< of all layers
  Count but_one;    ///< of all layers but one of the group that goes backward last
  Count final_norm;
  Count head;
  Count ends;       ///< of embedding and prompts

  Count total() const noexcept { return layers + final_norm + head + ends; }
};

/// How many of the model's last layers gradients pass.
std::int64_t layers_with_gradients(const Scenario& scenario) noexcept;

/// Layers of the group on the stage that gradients pass; once more for every micro-batch in flight.
Stage::Layers backward_layers(const Scenario& scenario, const Stage& stage, const LayerGroup& group) noexcept;

/// `last` is the group of the layer that goes backward last; null on a stage without layers.
Trained trained_numbers(const Scenario& scenario, const Stage& stage, const LayerGroup* last) noexcept;

/// Of these, the numbers that train once for the model rather than beside a map.
Count trained_once_on(const Scenario& scenario, const Stage& stage) noexcept;

/// Numbers beside the weights of the stage's layers that adapters hold and nobody trains.
Count frozen_numbers(const Scenario& scenario, const Stage& stage) noexcept;

/// Whether the method trains weights of the model itself rather than numbers beside them.
bool trains_own_weights(TuningMethod method) noexcept;

} // namespace plimsoll::memory
