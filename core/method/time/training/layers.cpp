// What of a model's layers its kernels and sums go by.
#include "method/memory/layers.hpp"
#include "method/time/training/parts.hpp"
#include "plimsoll/method/sharding.hpp"
#include "plimsoll/method/tuning_parameters.hpp"

#include <algorithm>

namespace plimsoll::timing {

namespace {

bool mixes_tokens(const LayerGroup& group) noexcept { return group.attends() || memory::recurs(group); }

} // namespace

bool sums_experts(const LayerGroup& group, const Strategy& strategy) noexcept { return group.moe.shared_size > Count{0} || divides_experts(strategy); }

Count layers_summed(const Scenario& scenario) noexcept {
  Count sums;
  for (const LayerGroup& group : scenario.model.groups) {
    const bool adds = group.mlp.intermediate_size > Count{0} || (memory::has_experts(group) && sums_experts(group, scenario.strategy));
    sums += group.layers * (mixes_tokens(group) && adds && !group.parallel ? Count{2} : Count{1});
  }
  return ceil_div(sums, Count{2});
}

Count channels_beside(const Scenario& scenario) noexcept {
  const Tuning& tuning = scenario.tuning;
  const bool thin = is_frozen(scenario) && (tuning.method == TuningMethod::lora || tuning.method == TuningMethod::dora);
  return thin ? Count{(trainable_parameters(scenario.model, tuning) - copied_parameters(scenario.model, tuning)).value / std::max<std::int64_t>(tuning.rank, 1)} : Count{0};
}

Count half_layers(const Model& model) noexcept {
  Count halves;
  for (const LayerGroup& group : model.groups) {
    const bool follows = group.mlp.intermediate_size > Count{0} || memory::has_experts(group);
    halves += group.layers * (mixes_tokens(group) && follows ? Count{2} : Count{1});
  }
  return halves;
}

} // namespace plimsoll::timing
