#pragma once
// How fast a way of serving is: under the load that is stated, or all its sequences decoding at once.

#include "plimsoll/method/quantity.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::io {

struct ServedTimes {
  bool exists = false;
  Count rate, sequence_rate; ///< thousandths of a token per second: of all replicas, and of one sequence
  Nanoseconds first_token;   ///< 0 where not known
};

/// Whether ways are weighed under a load: lengths of prompts and answers are stated.
bool states_lengths(const Workload& workload) noexcept;

/// The same scenario with as many requests in flight as its replicas have sequences.
Scenario under_load(Scenario scenario);

/// With stated lengths the mean waits of a closed load of so many requests, prompts among them (steady_load); nothing where nobody measured
/// its kernels. Without, those of speed().
ServedTimes served_times(const Scenario& scenario);

} // namespace plimsoll::io
