#pragma once
// Why a footprint may come out lower or higher than expected, reason by reason.

#include "method/moments/lifetimes.hpp"
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/footprint.hpp"
#include "plimsoll/method/pipeline.hpp"

#include <vector>

namespace plimsoll::footprint_detail {

/// Hundredths of what is allocated that PyTorch is seen to reserve besides, at most, with steps of one shape: assumed.
inline constexpr std::int64_t kMostSlack = 15;

struct TermRanges {
  std::vector<Uncertainty> inside;  ///< of what is requested from the allocator
  std::vector<Uncertainty> outside; ///< of context and communicators
};

/// Of the terms alive at `moment`: those whose constants have a range, and experts that may get more than an even share.
TermRanges ranges_at(const Scenario& scenario, const Stage& stage, Moment moment);

/// Of the sequences' lengths, where the average is known: the micro-batch with the longest sequence may never come, or come with others
/// as long. None where all are as long as the context.
std::vector<Uncertainty> ranges_of_lengths(const Scenario& scenario, const Estimate& expected);

/// What comparisons with measured runs of the framework leave unexplained, of that allocated peak.
std::vector<Uncertainty> ranges_of_comparisons(const ComparisonsProfile& comparisons, Bytes allocated);

/// What the allocator may do to `reserved`: give its cache back, and grow with batches of different lengths to `varied`.
std::vector<Uncertainty> ranges_of_allocator(const AllocatorStatistics& even, Bytes varied, bool training, bool several_streams);

} // namespace plimsoll::footprint_detail
