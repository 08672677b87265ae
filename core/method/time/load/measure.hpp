#pragma once
// What requests that a simulation has ended say of a load.

#include "method/time/load/requests.hpp"
#include "plimsoll/method/load.hpp"
#include "plimsoll/method/scenario.hpp"

#include <cstddef>
#include <vector>

namespace plimsoll::timing {

struct Ended {
  const std::vector<Request>& asked;     ///< as they were before
  const std::vector<Request>& simulated; ///< with their times
  std::size_t from = 0, until = 0;       ///< the first that counts, and the first behind them
  double fixed = 0;                      ///< ns of each request outside the scheduler
  double replicas = 1;                   ///< that do the same
};
/// Waits and rates.
void measure(const Ended& ended, Load& load);

/// How long the caches of prompts take that come back from the host's memory or from drives.
void add_ways(const Scenario& scenario, std::vector<Request>& requests);

Count thousandths(double value) noexcept;

} // namespace plimsoll::timing
