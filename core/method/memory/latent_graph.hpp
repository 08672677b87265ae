#pragma once
// The part of llama.cpp's one buffer that fused latent attention needs.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::memory {

/// Of a pass of `tokens` tokens over `cells` cached ones, in a layer of `group`, which has latent attention.
Term latent_graph(const Scenario& scenario, const LayerGroup& group, Count tokens, Count cells) noexcept;

} // namespace plimsoll::memory
