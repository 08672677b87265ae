#pragma once

#include "plimsoll/method/quantity.hpp"
#include "plimsoll/method/scenario.hpp"

#include <cstdint>

namespace plimsoll::io {

/// How long all GPUs are busy with so many tokens.
struct Pace {
  double time = 0, tokens = 0; ///< 0 where not known
  double gpus = 1;
};
Pace pace_of(const Scenario& scenario, Count gpus);

/// Time of a token now against before, or that times the GPUs; in thousandths, 0 where one of them is not known.
std::int64_t permille(const Pace& now, const Pace& before, bool of_gpus);

} // namespace plimsoll::io
