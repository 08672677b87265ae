#pragma once
// Memory over the time of a step, call by call of the caching allocator: what footprint() counts the peaks of. The order is that of the
// calls; how long lies between two of them nobody knows here.

#include "plimsoll/method/allocator.hpp"
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/scenario.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll {

/// The calls that lead to a moment, and those of the moment itself.
struct MemoryPhase {
  Moment moment = Moment::prefill;
  std::size_t step = 0;  ///< 0 is the first, in which there are no optimizer states yet
  std::size_t first = 0; ///< call
};

struct MemoryTimeline {
  std::vector<std::string> names;      ///< of what memory is for: "Weights: MLP"
  std::vector<AllocatorEvent> calls;
  std::vector<std::uint16_t> purposes; ///< of each call, in `names`; of a segment, that of the block it was taken for
  std::vector<MemoryPhase> phases;     ///< in their order
  std::vector<std::size_t> steps;      ///< the first call of each step, then their number
  Bytes outside;                       ///< of the process, what does not go through the allocator
};

/// Two steps of one pipeline rank (0 <= rank < pipeline_parallel): the second begins with optimizer states. `scenario` must come from
/// inputs without validate() errors.
MemoryTimeline memory_timeline(const Scenario& scenario, std::int64_t rank);

} // namespace plimsoll
