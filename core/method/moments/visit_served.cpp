#include "method/moments/visit_served.hpp"

namespace plimsoll::moments {

WeightsAway weights_away(const Scenario& scenario, const Stage& stage) noexcept {
  WeightsAway away{.bytes = Bytes{scenario.profile.inference.link_share.value > 0 ? scenario.serving.host_weight_bytes : 0}, .layers = {}};
  if (away.bytes == Bytes{0}) return away;
  visit_stored(scenario, stage.apart(), [](TensorKind kind) { return in_language_model(kind); }, [&](const Term& term) {
    if (term.group != nullptr) away.layers += term.bytes();
  });
  away.bytes = min(away.bytes, away.layers);
  return away;
}

Term redundant_experts(const Scenario& scenario, const Stage& stage, const LayerGroup& group) noexcept {
  if (!memory::has_experts(group)) return {};
  Bytes stored;
  visit_stored(scenario, stage.apart(), [](TensorKind kind) { return kind == TensorKind::experts; }, [&](const Term& term) {
    if (term.group == &group) stored += term.bytes();
  });
  return memory::redundant_experts(scenario, group, stored);
}

} // namespace plimsoll::moments
