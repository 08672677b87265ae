#pragma once
// What requests that a simulation has ended say of a load.

#include "method/time/load/requests.hpp"
#include "plimsoll/method/load.hpp"
#include "plimsoll/method/scenario.hpp"

#include <cstddef>
#include <vector>

namespace plimsoll::timing {

struct Ended {
  std::vector<Request> requests;
  std::size_t from = 0, until = 0; ///< the first that counts, and the first behind them
};
/// Waits and rates of so many replicas that do the same; each request takes `fixed` ns outside the scheduler.
void measure(const Ended& ended, double fixed, double replicas, Load& load);

/// How long the caches of prompts take that come back from the host's memory or from drives.
void add_ways(const Scenario& scenario, std::vector<Request>& requests);

Count thousandths(double value) noexcept;

} // namespace plimsoll::timing
