#pragma once
// When each rank of a pipeline runs which pass: for drawing. Times are units of which a forward pass takes one and a backward pass two.

#include "plimsoll/strategy.hpp"

#include <cstdint>
#include <vector>

namespace plimsoll {

struct Pass {
  std::int64_t micro_batch = 0;
  bool backward = false;
  std::int64_t begin = 0, end = 0;
};

struct Schedule {
  bool known = false;                     ///< false: this schedule is not drawn
  std::int64_t micro_batches = 0;         ///< that are drawn
  std::int64_t length = 0;                ///< until the last pass has ended
  std::vector<std::vector<Pass>> ranks;   ///< of each rank its passes, in their order
  std::vector<std::int64_t> in_flight;    ///< of each rank the most micro-batches that have gone forward and not yet come back
};

/// Of GPipe and of 1F1B with one chunk on each rank, which are given by an order of passes and what each waits for; nothing for
/// others. `micro_batches` at least 1; at most kMostPasses passes are laid out, with fewer micro-batches where there are more.
inline constexpr std::int64_t kMostPasses = 2048;
Schedule schedule_of(const Strategy& strategy, std::int64_t micro_batches);

} // namespace plimsoll
