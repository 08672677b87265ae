#include "plimsoll/scenario.hpp"

namespace plimsoll {

Scenario scenario_of(const Inputs& inputs, const Profile& profile) {
  return {.model = inputs.model,
          .weights = inputs.weights,
          .workload = inputs.workload,
          .strategy = inputs.strategy,
          .implementation = inputs.implementation,
          .tuning = inputs.tuning,
          .hardware = inputs.hardware,
          .profile = profile};
}

} // namespace plimsoll
