#pragma once
// In which order a rank of a pipeline runs its passes, schedule by schedule.

#include "plimsoll/method/schedule.hpp"

#include <cstdint>
#include <vector>

namespace plimsoll::schedule {

/// All forward passes, chunk by chunk, then all backward passes from the last chunk.
std::vector<Pass> gpipe(std::int64_t micro_batches, std::int64_t chunks);

/// `warm_up` forward passes, then forward and backward in turn. Chunks take `group` micro-batches in turn.
std::vector<Pass> one_f_one_b(std::int64_t micro_batches, std::int64_t chunks, std::int64_t group, std::int64_t warm_up);

/// Backward passes are split; weights' gradients begin when `delay` others wait.
std::vector<Pass> zero_bubble(std::int64_t micro_batches, std::int64_t warm_up, std::int64_t delay);

/// Two chunks on each of `ranks` ranks, the pipeline folded in the middle, backward passes split.
std::vector<Pass> zero_bubble_v(std::int64_t micro_batches, std::int64_t ranks, std::int64_t rank);

/// A pipeline in both directions: `place` counts the ranks from its end, of `places` on the way to where the directions meet.
/// `first` and `other` are the chunks of the direction that begins at that end and of the other one, each with `micro_batches`, the micro-batches
/// of chunk 1 counted from `second_from`. At least 2 × `places` micro-batches.
struct BothWays {
  std::int64_t place = 0, places = 1, micro_batches = 2;
  std::int64_t first = 0, other = 1, second_from = 0;
};
std::vector<Pass> both_ways(const BothWays& way);

} // namespace plimsoll::schedule
