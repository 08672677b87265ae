#pragma once
// The sizes that the allocator's rules turn on: kMinBlockSize and its neighbours in c10/core/AllocatorConfig.h.

#include "plimsoll/method/quantity.hpp"

namespace plimsoll::allocator {

inline constexpr Bytes kMinBlock{512};
inline constexpr Bytes kSmall = Count{2048} * kMinBlock; ///< the largest block of the small pool
inline constexpr Bytes kSmallSegment{2'097'152}; ///< a segment of the small pool; large ones are multiples of it
inline constexpr Bytes kMinLarge{10'485'760};    ///< from here on a request gets a segment of its own size
inline constexpr Bytes kLeastSplitLimit{20'971'520}; ///< max_split_size_mb below 20 is refused by PyTorch
/// How much larger than a request an unsplittable block may be (max_non_split_rounding_mb, by default 20 MiB).
inline constexpr Bytes kUnsplitSlack{20'971'520};

/// The multiple of `step` that covers `bytes` >= 0; `step` >= 1.
constexpr Bytes round_up(Bytes bytes, Bytes step) noexcept {
  return ceil_div(Count{bytes.value}, Count{step.value}) * step;
}

} // namespace plimsoll::allocator
