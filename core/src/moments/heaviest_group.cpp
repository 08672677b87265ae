#include "moments/visit.hpp"

namespace plimsoll::moments {

namespace {

Bytes need_of(const Scenario& scenario, const LayerGroup& group) noexcept {
  if (!trains(scenario.workload.task)) return memory::forward_workspace(scenario, group, Count{1}).bytes();
  Bytes need = memory::backward_temporaries(scenario, group).bytes();
  visit_saved(scenario, group, Count{1}, [&](const Term& term) { need += term.bytes(); });
  return need;
}

} // namespace

const LayerGroup& heaviest_group(const Scenario& scenario) noexcept {
  const Model& model = scenario.model;
  const LayerGroup* heaviest = &model.groups[0];
  if (model.group_count == 1) return *heaviest;
  Bytes most;
  for (std::size_t i = 0; i < model.group_count; ++i)
    if (const Bytes need = need_of(scenario, model.groups[i]); most < need) most = need, heaviest = &model.groups[i];
  return *heaviest;
}

} // namespace plimsoll::moments
