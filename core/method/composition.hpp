#pragma once
// Puts the models of a composition beside the one that trains.

#include "plimsoll/method/scenario.hpp"

#include <vector>

namespace plimsoll {

/// Puts what the scenario's engine does by itself in place of what was not asked, and counts the layers that the host keeps.
void settle_serving(Scenario& scenario) noexcept;

/// `policy` is complete but for its auxiliary_models, its workload counted in examples. `engine` generates the answers.
void compose(Scenario& policy, const std::vector<RoleModel>& models, const Profile& engine);

} // namespace plimsoll
