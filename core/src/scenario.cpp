#include "plimsoll/scenario.hpp"

#include "composition.hpp"

namespace plimsoll {

Scenario scenario_of(const Inputs& inputs, const Profile& profile, const Profile& engine) {
  Scenario scenario{.model = inputs.model,
                    .weights = inputs.weights,
                    .workload = inputs.workload,
                    .strategy = inputs.strategy,
                    .implementation = inputs.implementation,
                    .tuning = inputs.tuning,
                    .composition = inputs.composition,
                    .companions = {},
                    .hardware = inputs.hardware,
                    .profile = profile};
  compose(scenario, inputs.role_models, engine);
  return scenario;
}

Scenario scenario_of(const Inputs& inputs, const Profile& profile) { return scenario_of(inputs, profile, profile); }

} // namespace plimsoll
