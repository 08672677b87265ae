// Chen et al., Training Deep Nets with Sublinear Memory Cost, 2016 (arXiv 1604.06174): inputs of segments are kept, and a segment
// runs again when it goes backward; segments of sqrt(n) layers need the least. Megatron-LM, megatron/core/transformer/
// transformer_block.py: "uniform" makes segments of n layers, "block" keeps all but the first n layers of a stage whole.
#include "method/memory/recompute.hpp"

#include "method/memory/trained.hpp"

#include <algorithm>

namespace plimsoll::memory {

namespace {

std::int64_t ceil_sqrt(std::int64_t n) noexcept {
  std::int64_t root = 0;
  while (root * root < n) ++root;
  return root;
}

} // namespace

bool reruns_layers(Recompute recompute) noexcept { return recompute != Recompute::none && recompute != Recompute::selective; }

KeptLayers kept_layers(const Scenario& scenario, const Stage& stage, const LayerGroup& group) noexcept {
  const auto [held, alive] = backward_layers(scenario, stage, group); // the others keep nothing
  if (held == Count{0}) return {};
  const std::int64_t n = std::clamp<std::int64_t>(scenario.strategy.recompute_layers, 1, held.value);
  switch (scenario.strategy.recompute) {
    case Recompute::none:
    case Recompute::selective: break;
    case Recompute::per_op: return {Count{0}, alive, Count{1}}; // and what operations.cpp counts
    case Recompute::full: return {Count{0}, ceil_div(alive, Count{n}), Count{n}};
    case Recompute::block: {
      const Count inputs = ceil_div(alive * Count{n}, held);
      return {alive - inputs, inputs, Count{1}};
    }
    case Recompute::every_k: {
      const Count inputs{alive.value / n};
      return {alive - inputs, inputs, Count{1}};
    }
    case Recompute::sqrt: {
      const Count segment{ceil_sqrt(held.value)};
      return {Count{0}, ceil_div(alive, segment), segment};
    }
    case Recompute::offloaded: {
      const Count here = min(alive, Count{2}); // one at work, one on its way
      return {Count{0}, here, Count{1}, alive - here};
    }
  }
  return {alive, Count{0}, Count{0}};
}

} // namespace plimsoll::memory
