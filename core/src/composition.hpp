#pragma once
// Puts the models of a composition beside the one that trains.

#include "plimsoll/scenario.hpp"

#include <vector>

namespace plimsoll {

/// `policy` is complete but for its companions, its workload counted in examples. `engine` generates the answers.
void compose(Scenario& policy, const std::vector<RoleModel>& models, const Profile& engine);

} // namespace plimsoll
