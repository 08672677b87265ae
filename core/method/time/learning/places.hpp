#pragma once
// What leaves the device for the host's memory around the answers of a step, and comes back.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/scenario.hpp"

#include <functional>

namespace plimsoll::timing {

/// Of a step that generates its answers on the GPUs that train.
void visit_places(const Scenario& policy, const std::function<void(const Term&)>& sink);

} // namespace plimsoll::timing
