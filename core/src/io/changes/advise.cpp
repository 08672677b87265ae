#include "io/changes/candidates.hpp"
#include "io/changes/limits.hpp"
#include "io/changes/pace.hpp"
#include "plimsoll/io/changes.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace plimsoll::io {

namespace {

constexpr std::size_t kMostPaired = 20; ///< single changes that pairs are made of: those that save the most

class Advisor {
public:
  Advisor(const Catalog& catalog, const Request& request, Issues carried, std::size_t most) : catalog_(catalog), most_(most) {
    base_ = answer(catalog, request, std::move(carried));
    add_footprint(base_);
    advice_.issues = base_.issues;
  }

  FitAdvice run() && {
    if (!base_.ok) return std::move(advice_);
    advice_.ok = true;
    advice_.fits = holds(base_);
    advice_.needs = base_.footprint->process.expected;
    advice_.usable = base_.footprint->usable;
    before_ = pace_of(base_.scenario, base_.estimate.gpus);
    if (advice_.fits) advice_.limits = limits_of(catalog_, base_);
    else find_changes();
    return std::move(advice_);
  }

private:
  struct Candidate {
    std::vector<const InputChange*> changes;
    Answer there;
    Bytes relief; ///< by the estimate: bytes saved, and what a larger device has more
    std::int64_t gpu_time = 0;
    bool asks_less = false;
  };

  /// Sequences that the engine's cache has no room for do not fit either.
  static bool holds(const Answer& answer) {
    const CachePool& pool = answer.estimate.pool;
    const bool cached = !pool.there || pool.bytes.expected >= answer.estimate.at_peak().parts[static_cast<std::size_t>(Part::kv_cache)];
    return answer.estimate.fits && cached && (!answer.footprint || answer.footprint->fits);
  }

  Request with(const std::vector<const InputChange*>& changes) const {
    Request request = base_.request;
    for (const InputChange* change : changes)
      for (const Entry& entry : change->entries) request.set(entry.name, entry.text);
    return request;
  }

  Candidate attempt(std::vector<const InputChange*> changes) {
    ++advice_.tried;
    Candidate candidate{std::move(changes), {}, {}, 0, false};
    candidate.there = answer(catalog_, with(candidate.changes));
    if (!candidate.there.ok) return candidate;
    candidate.relief = candidate.there.estimate.headroom - base_.estimate.headroom;
    candidate.gpu_time = permille(pace_of(candidate.there.scenario, candidate.there.estimate.gpus), before_, true);
    for (const InputChange* change : candidate.changes) candidate.asks_less = candidate.asks_less || change->asks_less;
    return candidate;
  }

  /// Whether some moment needs less: it may be the fullest once another change has made room at the one that is now.
  bool lightens(const Answer& there) const {
    const Estimate &before = base_.estimate, &after = there.estimate;
    for (std::size_t i = 0; i < std::min(before.moment_count, after.moment_count); ++i)
      if (after.moments[i].moment == before.moments[i].moment && after.moments[i].total < before.moments[i].total) return true;
    return false;
  }

  static bool touch_the_same(const InputChange& one, const InputChange& other) {
    return std::ranges::any_of(one.entries, [&](const Entry& entry) { return std::ranges::find(other.entries, entry.name, &Entry::name) != other.entries.end(); });
  }

  void find_changes() {
    const std::vector<InputChange> all = changes_of(catalog_, base_);
    std::vector<Candidate> holding, partial;
    for (const InputChange& change : all) {
      Candidate one = attempt({&change});
      if (!one.there.ok || (one.relief <= Bytes{0} && !lightens(one.there))) continue;
      (holds(one.there) ? holding : partial).push_back(std::move(one));
    }
    std::ranges::stable_sort(partial, std::ranges::greater{}, [](const Candidate& one) { return one.relief; });
    if (partial.size() > kMostPaired) partial.resize(kMostPaired);
    for (std::size_t i = 0; i < partial.size(); ++i)
      for (std::size_t j = i + 1; j < partial.size(); ++j) {
        const InputChange &one = *partial[i].changes.front(), &other = *partial[j].changes.front();
        if (touch_the_same(one, other)) continue;
        Candidate both = attempt({&one, &other});
        if (both.there.ok && holds(both.there)) holding.push_back(std::move(both));
      }
    if (holding.empty() && !partial.empty()) add_more(partial, holding);
    // What is asked stays, if possible; then the cheapest in time; of equals the one that saves more, then the first.
    std::ranges::stable_sort(holding, {}, [](const Candidate& one) {
      return std::tuple{one.asks_less, one.gpu_time == 0, one.gpu_time, one.changes.size(), -one.relief.value};
    });
    for (Candidate& one : holding) {
      if (advice_.changes.size() == most_) break;
      add_footprint(one.there);
      if (holds(one.there)) advice_.changes.push_back(told(one));
    }
  }

  /// Where no two changes suffice: to the one that saves the most, whatever saves the most beside it, until it fits or nothing helps.
  void add_more(const std::vector<Candidate>& partial, std::vector<Candidate>& holding) {
    constexpr std::size_t kMostTogether = 5;
    std::vector<const InputChange*> together{partial.front().changes.front()};
    Bytes relief = partial.front().relief;
    while (together.size() < kMostTogether) {
      std::optional<Candidate> best;
      for (const Candidate& one : partial) {
        const InputChange& change = *one.changes.front();
        if (std::ranges::any_of(together, [&](const InputChange* other) { return touch_the_same(change, *other); })) continue;
        std::vector<const InputChange*> more = together;
        more.push_back(&change);
        Candidate tried = attempt(std::move(more));
        if (tried.there.ok && tried.relief > (best ? best->relief : relief)) best = std::move(tried);
      }
      if (!best) return;
      together = best->changes;
      relief = best->relief;
      if (!holds(best->there)) continue;
      holding.push_back(std::move(*best));
      return;
    }
  }

  TriedChange told(const Candidate& one) const {
    TriedChange change;
    for (const InputChange* part : one.changes) change.changes.push_back(*part);
    change.query = canonical_query(one.there);
    change.needs = one.there.footprint->process.expected;
    change.saved = base_.footprint->process.expected - change.needs;
    change.headroom = one.there.footprint->headroom;
    change.gpus = one.there.estimate.gpus;
    change.time_permille = permille(pace_of(one.there.scenario, one.there.estimate.gpus), before_, false);
    change.gpu_time_permille = one.gpu_time;
    return change;
  }

  const Catalog& catalog_;
  std::size_t most_;
  Answer base_;
  Pace before_;
  FitAdvice advice_;
};

} // namespace

FitAdvice advise(const Catalog& catalog, const Request& request, Issues carried, std::size_t most) {
  return Advisor{catalog, request, std::move(carried), most}.run();
}

} // namespace plimsoll::io
