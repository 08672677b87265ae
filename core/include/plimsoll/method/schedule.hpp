#pragma once
// When each rank of a pipeline runs which pass: for drawing. Times are units of which a forward pass of one chunk takes one, a backward
// pass two; where the backward pass is split, each half takes one.

#include "plimsoll/method/strategy.hpp"

#include <cstdint>
#include <vector>

namespace plimsoll {

enum class PassKind : unsigned char {
  forward,
  backward,        ///< gradients of inputs and weights
  input_gradient,  ///< what the rank behind waits for
  weight_gradient, ///< the rest, which nobody waits for; what the pass keeps is free after it
};

struct Pass {
  std::int64_t micro_batch = 0;
  std::int64_t chunk = 0; ///< of the rank's, as chunk_of() counts them
  PassKind kind = PassKind::forward;
  std::int64_t begin = 0, end = 0;
};

struct Schedule {
  bool known = false;                     ///< false: this schedule is not drawn
  std::int64_t micro_batches = 0;         ///< that are drawn
  std::int64_t length = 0;                ///< until the last pass has ended
  std::vector<std::vector<Pass>> ranks;   ///< of each rank its passes, in their order
  std::vector<std::int64_t> in_flight;    ///< of each rank the most micro-batches, of all its chunks together, that have gone forward and
                                          ///< whose activations are still kept
};

/// Schedules are given by an order of passes and what each waits for. `micro_batches` at least 1; at most kMostPasses passes are laid out,
/// with fewer micro-batches where there are more. Not known: one rank, DualPipe over an odd number of ranks or with fewer than two
/// micro-batches for each, and orders in which a pass would wait forever (groups of micro-batches smaller than the pipeline).
inline constexpr std::int64_t kMostPasses = 8192;
Schedule schedule_of(const Strategy& strategy, std::int64_t micro_batches);

} // namespace plimsoll
