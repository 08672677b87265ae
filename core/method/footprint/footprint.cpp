#include "plimsoll/method/footprint.hpp"

#include "method/footprint/uncertainties.hpp"
#include "method/footprint/step_replay.hpp"
#include "method/sort_stably.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
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
  sort_stably(list, std::ranges::greater{}, [](const Uncertainty& one) { return one.less + one.more; });
}

struct Widths {
  Bytes less, more;
};
Widths widths_of(const std::vector<Uncertainty>& list) {
  Widths widths;
  for (const Uncertainty& one : list) widths.less += one.less, widths.more += one.more;
  return widths;
}

bool served(const AllocatorStatistics& statistics) { return statistics.out_of_memory == Count{0}; }

/// The cache where the driver has no more than `capacity` to give, which is less than it would grow to: before a request fails, cached
/// blocks go back to the driver (c10/cuda/CUDACachingAllocator.cpp, malloc: release_cached_blocks()), so that what has to fit is what is allocated, and the holes that
/// cannot go back. Where that is too much as well, the least that serves every request, to a 256th of what the cache adds.
class LeastCache {
public:
  LeastCache(const AllocatorStatistics& grown, Bytes capacity)
      : least_(grown), capacity_(capacity), fails_(max(capacity, grown.allocated.peak - Bytes{1})), attempt_(grown.allocated.peak <= capacity ? kHere : kNarrow) {}

  /// The limit to try; nothing once least() is found.
  std::optional<Bytes> limit() const {
    if (attempt_ == kHere) return capacity_;
    // Mostly nearly all of the cache can go back: what the halvings would end with is tried first, and a walk that fails ends early.
    if (attempt_ == kNarrow) {
      Bytes narrow = least_.reserved.peak;
      for (int i = 0; i < kHalvings; ++i) narrow = between(narrow);
      return narrow;
    }
    return attempt_ < kHalvings && fails_ < least_.reserved.peak ? std::optional{between(least_.reserved.peak)} : std::nullopt;
  }

  /// What became of it.
  void tell(const AllocatorStatistics& tried) {
    const Bytes told = *limit();
    if (served(tried)) least_ = tried;
    else if (attempt_ >= 0) fails_ = told;
    attempt_ = attempt_ < 0 && served(tried) ? kHalvings : attempt_ + 1;
  }

  const AllocatorStatistics& least() const noexcept { return least_; }

private:
  static constexpr int kHalvings = 8, kHere = -2, kNarrow = -1;

  Bytes between(Bytes upper) const { return fails_ + Bytes{(upper - fails_).value / 2}; }

  AllocatorStatistics least_;
  Bytes capacity_, fails_;
  int attempt_;
};

} // namespace

/// The walks one after the other. What several have in common is walked once: until the driver refuses, a walk with a limit is the one without.
struct FootprintSession::State {
  enum class Walk : unsigned char { grown, limited, varied, none };

  Scenario scenario;
  std::int64_t rank;
  Replays replays;
  bool training = trains(scenario.workload.task);
  Stage stage{scenario.model, scenario.strategy, scenario.workload, rank};
  Estimate expected = estimate_rank(scenario, rank);
  TensorSizes sizes = tensor_sizes_of(scenario, stage);
  Bytes room = Bytes{usable_on(scenario.hardware, rank)} + expected.movable - sizes.process; ///< with what can move
  StepReplay start, after_step{start}, within{start}, walk{start};
  Walk now = Walk::grown;
  std::optional<LeastCache> cache;     ///< where the device has no room for all of it
  AllocatorStatistics grown;
  Footprint result;

  State(const Scenario& of, std::int64_t which, const AllocatorSettings& settings, Replays how)
      : scenario(of), rank(which), replays(how), start(scenario, sizes, settings) {}

  bool advance() {
    if (now == Walk::none) return false;
    if (now == Walk::grown) keep();
    if (walk.advance(now == Walk::varied ? std::span<const std::int64_t>{kVaried} : kEven)) return true;
    begin_next();
    return now != Walk::none;
  }

private:
  /// What other walks go on from: limits that are asked for later are `least` or more.
  void keep() {
    if (replays == Replays::apart || !walk.is_between_passes()) return;
    const Bytes requested = expected.at_peak().requested, least = max(room, requested);
    // A walk is a few hundred kilobytes: not copied where the device has a quarter more than is requested, for an allocator rarely reserves so much more.
    const bool may_lack_room = Count{4} * room < Count{5} * requested;
    if (may_lack_room && walk.statistics().reserved.peak <= least) within = walk;
    if (walk.steps() == 1 && after_step.steps() == 0) after_step = walk;
  }

  void begin_next() {
    if (now == Walk::varied) return finish(grown, walk.statistics().reserved.peak);
    if (now == Walk::grown) {
      grown = walk.statistics();
      result.complete = served(grown);
      result.returns_cache = result.complete && room < grown.reserved.peak;
      if (result.returns_cache) cache.emplace(grown, room);
    } else {
      cache->tell(walk.statistics());
    }
    if (cache) return begin_limited();
    if (!training) return finish(grown, grown.reserved.peak);
    static_assert(kVaried.front() == kEven.front());
    now = Walk::varied;
    walk = after_step;
  }

  void begin_limited() {
    const std::optional<Bytes> capacity = cache->limit();
    if (!capacity) return finish(cache->least(), cache->least().reserved.peak);
    now = Walk::limited;
    walk = within.statistics().reserved.peak <= *capacity ? within : start;
    walk.limit(*capacity);
  }

  /// `longest`: what is reserved with batches of several lengths.
  void finish(const AllocatorStatistics& even, Bytes longest) {
    now = Walk::none;
    result.rank = rank;
    result.movable = expected.movable;
    TermRanges terms = ranges_at(scenario, stage, expected.at_peak().moment);
    add(result.uncertainties, terms.inside);
    add(result.uncertainties, ranges_of_lengths(scenario, expected));
    if (training) add(result.uncertainties, ranges_of_comparisons(scenario.profile.comparisons, even.allocated.peak));
    Widths widths = widths_of(result.uncertainties);
    result.requested = shifted(even.requested.peak, widths.less, widths.more);
    result.allocated = shifted(even.allocated.peak, widths.less, widths.more);
    add(result.uncertainties, ranges_of_allocator(even, longest, training, start.has_several_streams()));
    widths = widths_of(result.uncertainties);
    result.reserved = shifted(even.reserved.peak, widths.less, widths.more);
    add(result.uncertainties, terms.outside);
    widths = widths_of(result.uncertainties);
    result.process = shifted(even.reserved.peak + sizes.process, widths.less, widths.more);
    sort(result.uncertainties);
    result.usable = Bytes{usable_on(scenario.hardware, rank)};
    result.headroom = result.usable - result.process.expected;
    result.fits = result.complete && result.headroom + result.movable >= Bytes{0};
    result.tight = result.process.low <= result.usable && result.usable + result.movable < result.process.high;
  }
};

FootprintSession::FootprintSession(const Scenario& scenario, std::int64_t rank)
    : FootprintSession(scenario, rank, {.expandable_segments = scenario.profile.runtime.expandable_segments}) {}
FootprintSession::FootprintSession(const Scenario& scenario, std::int64_t rank, const AllocatorSettings& settings, Replays replays)
    : state_(std::make_unique<State>(scenario, rank, settings, replays)) {}
FootprintSession::~FootprintSession() = default;
FootprintSession::FootprintSession(FootprintSession&&) noexcept = default;
FootprintSession& FootprintSession::operator=(FootprintSession&&) noexcept = default;

bool FootprintSession::advance() { return state_->advance(); }
const Footprint& FootprintSession::footprint() const noexcept { return state_->result; }
const Scenario& FootprintSession::scenario() const noexcept { return state_->scenario; }

Footprint footprint(const Scenario& scenario, std::int64_t rank) {
  return footprint(scenario, rank, {.expandable_segments = scenario.profile.runtime.expandable_segments});
}

Footprint footprint(const Scenario& scenario, std::int64_t rank, const AllocatorSettings& settings, Replays replays) {
  FootprintSession session{scenario, rank, settings, replays};
  while (session.advance()) {}
  return session.footprint();
}

} // namespace plimsoll
