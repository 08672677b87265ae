// Orders of passes: GPipe, Huang et al. 2019 (arXiv 1811.06965), figure 2; 1F1B, Narayanan et al. 2021 (arXiv 2104.04473), figure 4. Each
// pass begins when its rank is free and the pass that it needs has ended.
#include "plimsoll/schedule.hpp"

#include <algorithm>
#include <cstddef>

namespace plimsoll {

namespace {

constexpr std::int64_t kForward = 1, kBackward = 2;

/// `warm_up` forward passes first, then backward and forward in turn, then what is left.
std::vector<Pass> order_of(std::int64_t micro_batches, std::int64_t warm_up) {
  std::vector<Pass> passes;
  for (std::int64_t i = 0; i < warm_up; ++i) passes.push_back({.micro_batch = i, .backward = false});
  for (std::int64_t i = 0; i < micro_batches; ++i) {
    passes.push_back({.micro_batch = i, .backward = true});
    if (warm_up + i < micro_batches) passes.push_back({.micro_batch = warm_up + i, .backward = false});
  }
  return passes;
}

/// Ends of passes by rank and micro-batch; -1 = not yet placed.
struct Ends {
  std::int64_t micro_batches;
  std::vector<std::int64_t> forward, backward;
  std::size_t at(std::int64_t rank, std::int64_t micro_batch) const { return static_cast<std::size_t>(rank * micro_batches + micro_batch); }
};

/// When the pass that it needs has ended: its micro-batch's forward pass on the rank before, backward pass on the rank behind.
std::int64_t needed(const Ends& ends, const Pass& pass, std::int64_t rank, std::int64_t ranks) {
  if (!pass.backward) return rank == 0 ? 0 : ends.forward[ends.at(rank - 1, pass.micro_batch)];
  return rank == ranks - 1 ? ends.forward[ends.at(rank, pass.micro_batch)] : ends.backward[ends.at(rank + 1, pass.micro_batch)];
}

/// Places passes until all are: each turn places at least one, as these orders have no cycle.
void place(Schedule& schedule, Ends& ends) {
  const auto ranks = static_cast<std::int64_t>(schedule.ranks.size());
  std::vector<std::size_t> next(schedule.ranks.size(), 0);
  std::vector<std::int64_t> free(schedule.ranks.size(), 0);
  for (bool placed = true; placed;) {
    placed = false;
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      const auto r = static_cast<std::size_t>(rank);
      while (next[r] < schedule.ranks[r].size()) {
        Pass& pass = schedule.ranks[r][next[r]];
        const std::int64_t ready = needed(ends, pass, rank, ranks);
        if (ready < 0) break;
        pass.begin = std::max(free[r], ready);
        pass.end = pass.begin + (pass.backward ? kBackward : kForward);
        free[r] = pass.end;
        (pass.backward ? ends.backward : ends.forward)[ends.at(rank, pass.micro_batch)] = pass.end;
        schedule.length = std::max(schedule.length, pass.end);
        ++next[r];
        placed = true;
      }
    }
  }
}

std::int64_t most_in_flight(const std::vector<Pass>& passes) {
  std::int64_t now = 0, most = 0;
  for (const Pass& pass : passes) most = std::max(most, now += pass.backward ? -1 : 1);
  return most;
}

} // namespace

Schedule schedule_of(const Strategy& strategy, std::int64_t micro_batches) {
  Schedule schedule;
  const std::int64_t p = strategy.pipeline_parallel;
  const bool gpipe = strategy.pipeline_schedule == PipelineSchedule::gpipe, plain = strategy.pipeline_schedule == PipelineSchedule::one_f_one_b;
  if (p < 2 || micro_batches < 1 || !(gpipe || plain) || strategy.virtual_stages > 1) return schedule;
  schedule.known = true;
  schedule.micro_batches = std::min(micro_batches, std::max<std::int64_t>(1, kMostPasses / 2 / p));
  const std::int64_t m = schedule.micro_batches;
  for (std::int64_t rank = 0; rank < p; ++rank) schedule.ranks.push_back(order_of(m, gpipe ? m : std::min(m, p - rank)));
  const auto cells = static_cast<std::size_t>(p * m);
  Ends ends{m, std::vector<std::int64_t>(cells, -1), std::vector<std::int64_t>(cells, -1)};
  place(schedule, ends);
  for (const std::vector<Pass>& passes : schedule.ranks) schedule.in_flight.push_back(most_in_flight(passes));
  return schedule;
}

} // namespace plimsoll
