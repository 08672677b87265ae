#include "method/moments/prepared.hpp"

#include <algorithm>

namespace plimsoll::moments {

Prepared::Prepared(const Scenario& scenario) noexcept : moments_(scenario) {
  const bool training = trains(scenario.workload.task), plain = scenario.weights.formats.size() == 1 && is_plain(scenario.weights.formats.front());
  shared_.sum = &sum_;
  if (training || plain) { // other weights are served tensor by tensor
    shared_.kinds = &kinds_.emplace(scenario.model, scenario.strategy);
  }
  if (!training) return;
  shared_.layers = &layers_.emplace(scenario);
  shared_.plan = &(plan_ = memory::state_plan(scenario));
}

bool alike(const Scenario& scenario, const Stage& one, const Stage& other) noexcept {
  // Which layers train or stay with the host, and what other models have, may follow the rank.
  if (is_frozen(scenario) || uses_host(scenario.strategy) || !scenario.auxiliary_models.empty()) return false;
  if (one.embeds() != other.embeds() || one.has_head() != other.has_head()) return false;
  if (one.embeddings_alive() != other.embeddings_alive() || one.heads_alive() != other.heads_alive()) return false;
  return std::ranges::all_of(scenario.model.groups, [&](const LayerGroup& group) { return one.held(group) == other.held(group) && one.alive(group) == other.alive(group); });
}

} // namespace plimsoll::moments
