#pragma once
// Layers that leave all they keep to the host's memory, and what of it is on the device all the same.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::memory {

/// Layers of the group whose kept tensors are on the host alone when the forward pass ends.
Count layers_away(const Scenario& scenario, const LayerGroup& group) noexcept;
/// Of `layers` layers, those that `offload_layers` leaves to modules' offloading.
Count part_offloaded(const Scenario& scenario, Count layers) noexcept;
/// Whether a layer's copies have no other layer's passes beside them: only the last one stays, and nothing is on its way.
bool moves_alone(const Scenario& scenario) noexcept;
/// Tensors that several operations of `layers` layers keep: once where they stay on the device, or once for each further operation.
Term kept_again(const Scenario& scenario, const LayerGroup& group, Count layers) noexcept;
/// The last tensors that were kept, whose copies may still run; and, as the layers go backward, those that come back.
Term tensors_on_their_way(const Scenario& scenario, const LayerGroup& group) noexcept;

} // namespace plimsoll::memory
