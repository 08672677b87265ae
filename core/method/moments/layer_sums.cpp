#include "method/moments/layer_sums.hpp"

#include "method/memory/activations.hpp"
#include "method/memory/activations/visit_layer.hpp"

#include <functional>

namespace plimsoll {

namespace {

/// Blocks of numbers with a scale are rounded up over all layers, and so may be what adapters keep.
bool each_keeps_alike(const Scenario& scenario) noexcept { return !is_frozen(scenario) && !memory::quantises_inputs(scenario); }

} // namespace

LayerSums::LayerSums(const Scenario& scenario) noexcept
    : scenario_(scenario.model.groups.size() <= sums_.size() && each_keeps_alike(scenario) ? &scenario : nullptr) {
  if (scenario_ == nullptr) return;
  Sum* sum = sums_.data();
  for (const LayerGroup& group : scenario.model.groups) {
    Bytes amount, low, high;
    memory::visit_layer(scenario, group, Count{1}, memory::kAllTensors, [&](const Term& term) {
      amount += term.bytes();
      low += Bytes{term.low};
      high += Bytes{term.high};
    });
    *sum++ = {amount.value, low.value, high.value, memory::backward_temporaries(scenario, group).amount};
  }
}

const LayerSums::Sum* LayerSums::of(const Scenario& scenario, const LayerGroup& group) const noexcept {
  const LayerGroup* const first = scenario.model.groups.data();
  const bool in_stack = !std::less{}(&group, first) && std::less{}(&group, first + scenario.model.groups.size()); // not of a prediction depth
  return scenario_ == &scenario && in_stack ? &sums_[static_cast<std::size_t>(&group - first)] : nullptr;
}

} // namespace plimsoll
