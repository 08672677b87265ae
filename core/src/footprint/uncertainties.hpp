#pragma once
// Why a footprint may come out lower or higher than expected, reason by reason.

#include "moments/blocks.hpp"
#include "plimsoll/footprint.hpp"
#include "plimsoll/pipeline.hpp"

#include <vector>

namespace plimsoll::footprint_detail {

struct TermRanges {
  std::vector<Uncertainty> inside;  ///< of what is requested from the allocator
  std::vector<Uncertainty> outside; ///< of context and communicators
};

/// Of the terms alive at `moment`: those whose constants have a range, and experts that may get more than an even share.
TermRanges ranges_at(const Scenario& scenario, const Stage& stage, Moment moment);

/// What the allocator may do to `reserved`: give its cache back, and grow with batches of different lengths to `varied`.
std::vector<Uncertainty> ranges_of_allocator(const AllocatorStatistics& even, Bytes varied, bool training);

} // namespace plimsoll::footprint_detail
