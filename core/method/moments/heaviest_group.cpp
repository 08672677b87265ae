#include "method/moments/heaviest_group.hpp"

#include "method/moments/visit.hpp"

namespace plimsoll::moments {

namespace {

Bytes need_of(const Scenario& scenario, const Stage& stage, const LayerGroup& group) noexcept {
  if (!trains(scenario.workload.task)) return memory::forward_workspace(scenario, group, scenario.model.sequence_of(group, Count{scenario.workload.context_tokens})).bytes();
  Bytes need = backward_temporaries(scenario, stage, group).bytes();
  visit_saved(scenario, stage, group, Count{1}, memory::kAllTensors, Lifetime::layers, [&](Lifetime, const Term& term) { need += term.bytes(); });
  return need;
}

} // namespace

const LayerGroup* heaviest_group(const Scenario& scenario, const Stage& stage) noexcept {
  const Model& model = scenario.model;
  const LayerGroup* heaviest = nullptr;
  Bytes most;
  for (const LayerGroup& group : model.groups) {
    if (stage.held(group) == Count{0} || (trains(scenario.workload.task) && memory::backward_layers(scenario, stage, group).held == Count{0})) continue;
    if (model.groups.size() == 1) return &group;
    if (const Bytes need = need_of(scenario, stage, group); heaviest == nullptr || most < need) most = need, heaviest = &group;
  }
  return heaviest;
}

} // namespace plimsoll::moments
