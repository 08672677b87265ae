#include "plimsoll/method/footprint.hpp"

#include "method/footprint/uncertainties.hpp"
#include "method/footprint/step_replay.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace plimsoll {

namespace {

using namespace footprint_detail;

// The cache has grown as far as it will after the first step that begins with optimizer states.
constexpr std::array<std::int64_t, 2> kEven{8, 8};
// Some shorter batches between the longest ones; which lengths a data set has nobody states, so that these are assumed.
constexpr std::array<std::int64_t, 4> kVaried{8, 5, 7, 8};

MemoryRange shifted(Bytes expected, Bytes less, Bytes more) {
  return {expected, max(expected - less, Bytes{0}), expected + more};
}

void add(std::vector<Uncertainty>& list, std::vector<Uncertainty> more) {
  for (Uncertainty& one : more) list.push_back(std::move(one));
}

/// The widest first, for people who read only the first ones.
void sort(std::vector<Uncertainty>& list) {
  std::erase_if(list, [](const Uncertainty& one) { return one.less == Bytes{0} && one.more == Bytes{0}; });
  std::ranges::stable_sort(list, std::ranges::greater{}, [](const Uncertainty& one) { return one.less + one.more; });
}

struct Widths {
  Bytes less, more;
};
Widths widths_of(const std::vector<Uncertainty>& list) {
  Widths widths;
  for (const Uncertainty& one : list) widths.less += one.less, widths.more += one.more;
  return widths;
}

/// Steps in the allocator. What several walks have in common is walked once: until the driver refuses, a walk with a limit is the one without.
class Replay {
public:
  Replay(const Scenario& scenario, const TensorSizes& sizes, const AllocatorSettings& settings, Replays replays)
      : replays_(replays), start_(scenario, sizes, settings), after_step_(start_), within_(start_) {}

  /// Without a limit. Limits that are asked for later are `least` or more.
  StepReplay grown(Bytes least) {
    StepReplay walk = start_;
    do {
      if (replays_ == Replays::apart) continue;
      if (walk.statistics().reserved.peak <= least) within_ = walk;
      if (walk.steps() == 1 && after_step_.steps() == 0) after_step_ = walk;
    } while (walk.advance(kEven));
    return walk;
  }

  AllocatorStatistics limited(Bytes capacity) const {
    StepReplay walk = within_.statistics().reserved.peak <= capacity ? within_ : start_;
    walk.limit(capacity);
    while (walk.advance(kEven)) {}
    return walk.statistics();
  }

  /// Batches of several lengths.
  AllocatorStatistics varied() const {
    static_assert(kVaried.front() == kEven.front());
    StepReplay walk = after_step_;
    while (walk.advance(kVaried)) {}
    return walk.statistics();
  }

private:
  Replays replays_;
  StepReplay start_, after_step_, within_;
};

bool served(const AllocatorStatistics& statistics) { return statistics.out_of_memory == Count{0}; }

/// The cache where the driver has no more than `capacity` to give, which is less than it would grow to: before a request fails, cached
/// blocks go back to the driver (c10/cuda/CUDACachingAllocator.cpp, malloc: release_cached_blocks()), so that what has to fit is what is allocated, and the holes that
/// cannot go back. Where that is too much as well, the least that serves every request, to a 256th of what the cache adds.
AllocatorStatistics with_cache_given_back(const Replay& replay, const AllocatorStatistics& grown, Bytes capacity) {
  constexpr int kHalvings = 8;
  if (grown.allocated.peak <= capacity) {
    const AllocatorStatistics here = replay.limited(capacity);
    if (served(here)) return here;
  }
  AllocatorStatistics least = grown;
  Bytes fails = max(capacity, grown.allocated.peak - Bytes{1});
  const auto between = [&](Bytes upper) { return fails + Bytes{(upper - fails).value / 2}; };
  // Mostly nearly all of the cache can go back: what the halvings would end with is tried first, and a walk that fails ends early.
  Bytes narrow = least.reserved.peak;
  for (int i = 0; i < kHalvings; ++i) narrow = between(narrow);
  if (const AllocatorStatistics tried = replay.limited(narrow); served(tried)) return tried;
  for (int i = 0; i < kHalvings && fails < least.reserved.peak; ++i) {
    const Bytes middle = between(least.reserved.peak);
    const AllocatorStatistics tried = replay.limited(middle);
    if (served(tried)) least = tried;
    else fails = middle;
  }
  return least;
}

} // namespace

Footprint footprint(const Scenario& scenario, std::int64_t rank) {
  return footprint(scenario, rank, {.expandable_segments = scenario.profile.runtime.expandable_segments});
}

Footprint footprint(const Scenario& scenario, std::int64_t rank, const AllocatorSettings& settings, Replays replays) {
  const Stage stage{scenario.model, scenario.strategy, scenario.workload, rank};
  const TensorSizes sizes = tensor_sizes_of(scenario, stage);
  const bool training = trains(scenario.workload.task);
  const Bytes usable{scenario.hardware.usable_bytes};
  const Estimate expected = estimate_rank(scenario, rank);
  const Bytes room = usable + expected.movable - sizes.process; // which is with what can move
  Replay replay{scenario, sizes, settings, replays};
  const StepReplay walk = replay.grown(max(room, expected.at_peak().requested));
  const AllocatorStatistics& grown = walk.statistics();

  Footprint result;
  result.rank = rank;
  result.complete = served(grown);
  result.movable = expected.movable;
  result.returns_cache = result.complete && room < grown.reserved.peak;
  const AllocatorStatistics even = result.returns_cache ? with_cache_given_back(replay, grown, room) : grown;
  const Bytes varied = training && !result.returns_cache ? replay.varied().reserved.peak : even.reserved.peak;
  TermRanges terms = ranges_at(scenario, stage, expected.at_peak().moment);
  add(result.uncertainties, terms.inside);
  add(result.uncertainties, ranges_of_lengths(scenario, expected));
  if (training) add(result.uncertainties, ranges_of_comparisons(scenario.profile.comparisons, even.allocated.peak));
  Widths widths = widths_of(result.uncertainties);
  result.requested = shifted(even.requested.peak, widths.less, widths.more);
  result.allocated = shifted(even.allocated.peak, widths.less, widths.more);
  add(result.uncertainties, ranges_of_allocator(even, varied, training, walk.has_several_streams()));
  widths = widths_of(result.uncertainties);
  result.reserved = shifted(even.reserved.peak, widths.less, widths.more);
  add(result.uncertainties, terms.outside);
  widths = widths_of(result.uncertainties);
  result.process = shifted(even.reserved.peak + sizes.process, widths.less, widths.more);
  sort(result.uncertainties);
  result.usable = usable;
  result.headroom = result.usable - result.process.expected;
  result.fits = result.complete && result.headroom + result.movable >= Bytes{0};
  result.tight = result.process.low <= result.usable && result.usable + result.movable < result.process.high;
  return result;
}

} // namespace plimsoll
