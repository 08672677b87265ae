// Each pass begins when its rank is free and the pass that it needs has ended. The orders: schedule_orders.cpp.
#include "plimsoll/method/schedule.hpp"

#include "method/sharding/schedule_orders.hpp"
#include "plimsoll/method/pipeline.hpp"

#include <algorithm>
#include <cstddef>

namespace plimsoll {

namespace {

constexpr std::int64_t kBackward = 2;

/// The way of a micro-batch: stages in the order in which it goes forward through them.
class Way {
public:
  Way(const Strategy& strategy) : schedule_(strategy.pipeline_schedule), ranks_(strategy.pipeline_parallel), chunks_(chunks_per_rank(strategy)) {}
  std::int64_t stages() const { return schedule_ == PipelineSchedule::dualpipe ? ranks_ : ranks_ * chunks_; }
  std::int64_t stage_of(std::int64_t rank, std::int64_t chunk) const {
    switch (schedule_) {
      case PipelineSchedule::zb_v:
      case PipelineSchedule::dualpipe_v: return chunk == 0 ? rank : 2 * ranks_ - 1 - rank;
      case PipelineSchedule::dualpipe: return chunk == 0 ? rank : ranks_ - 1 - rank; // a copy of the model for each direction
      default: return chunk * ranks_ + rank;
    }
  }

private:
  PipelineSchedule schedule_;
  std::int64_t ranks_, chunks_;
};

/// Ends of passes by stage and micro-batch; -1 = not yet placed.
struct Ends {
  std::int64_t micro_batches, stages;
  std::vector<std::int64_t> forward, backward;
  Ends(std::int64_t m, std::int64_t s) : micro_batches(m), stages(s), forward(static_cast<std::size_t>(m * s), -1), backward(static_cast<std::size_t>(m * s), -1) {}
  std::size_t at(std::int64_t stage, std::int64_t micro_batch) const { return static_cast<std::size_t>(stage * micro_batches + micro_batch); }

  /// When what the pass needs has ended: its micro-batch's forward pass on the stage before, backward pass on the stage behind.
  std::int64_t needed(const Pass& pass, std::int64_t stage) const {
    if (pass.kind == PassKind::forward) return stage == 0 ? 0 : forward[at(stage - 1, pass.micro_batch)];
    if (pass.kind == PassKind::weight_gradient) return backward[at(stage, pass.micro_batch)];
    return stage == stages - 1 ? forward[at(stage, pass.micro_batch)] : backward[at(stage + 1, pass.micro_batch)];
  }
  void put(const Pass& pass, std::int64_t stage) {
    if (pass.kind == PassKind::forward) forward[at(stage, pass.micro_batch)] = pass.end;
    else if (pass.kind != PassKind::weight_gradient) backward[at(stage, pass.micro_batch)] = pass.end;
  }
};

/// False when passes wait for each other in a ring.
bool place(Schedule& schedule, const Way& way) {
  Ends ends{schedule.micro_batches, way.stages()};
  std::vector<std::size_t> next(schedule.ranks.size(), 0);
  std::vector<std::int64_t> free(schedule.ranks.size(), 0);
  for (bool placed = true; placed;) {
    placed = false;
    for (std::size_t r = 0; r < schedule.ranks.size(); ++r) {
      while (next[r] < schedule.ranks[r].size()) {
        Pass& pass = schedule.ranks[r][next[r]];
        const std::int64_t stage = way.stage_of(static_cast<std::int64_t>(r), pass.chunk), ready = ends.needed(pass, stage);
        if (ready < 0) break;
        pass.begin = std::max(free[r], ready);
        pass.end = free[r] = pass.begin + (pass.kind == PassKind::backward ? kBackward : 1);
        ends.put(pass, stage);
        schedule.length = std::max(schedule.length, pass.end);
        ++next[r];
        placed = true;
      }
    }
  }
  for (std::size_t r = 0; r < schedule.ranks.size(); ++r)
    if (next[r] < schedule.ranks[r].size()) return false;
  return true;
}

std::int64_t most_in_flight(const std::vector<Pass>& passes) {
  std::int64_t now = 0, most = 0;
  for (const Pass& pass : passes) {
    if (pass.kind == PassKind::forward) ++now;
    if (pass.kind == PassKind::backward || pass.kind == PassKind::weight_gradient) --now;
    most = std::max(most, now);
  }
  return most;
}

std::vector<Pass> order_of(const Strategy& strategy, std::int64_t m, std::int64_t rank) {
  const std::int64_t p = strategy.pipeline_parallel, v = strategy.virtual_stages;
  switch (strategy.pipeline_schedule) {
    case PipelineSchedule::gpipe: return schedule::gpipe(m, v);
    case PipelineSchedule::one_f_one_b: break;
    case PipelineSchedule::zb_h1: return schedule::zero_bubble(m, p - rank, rank);
    case PipelineSchedule::zb_h2: return schedule::zero_bubble(m, 2 * (p - rank) - 1, 2 * rank);
    case PipelineSchedule::zb_v: return schedule::zero_bubble_v(m, p, rank);
    case PipelineSchedule::dualpipe: {
      const std::int64_t half = p / 2, each = m / 2;
      const bool near = rank < half; // each half of the ranks begins with the direction that comes in at its end
      return schedule::both_ways({.place = std::min(rank, p - 1 - rank), .places = half, .micro_batches = each, .first = near ? 0 : 1, .other = near ? 1 : 0, .second_from = each});
    }
    case PipelineSchedule::dualpipe_v: return schedule::both_ways({.place = rank, .places = p, .micro_batches = m});
  }
  if (v == 1) return schedule::one_f_one_b(m, 1, m, p - rank);
  const std::int64_t group = std::min(m, strategy.microbatch_group > 0 ? strategy.microbatch_group : p);
  return schedule::one_f_one_b(m, v, group, 2 * (p - rank - 1) + (v - 1) * group + 1);
}

/// So many passes has a micro-batch on a rank at most; in DualPipe a rank has one copy of the model, in two halves of the micro-batches.
std::int64_t passes_of_micro_batch(const Strategy& strategy) {
  const std::int64_t chunks = strategy.pipeline_schedule == PipelineSchedule::dualpipe ? 1 : chunks_per_rank(strategy);
  const bool splits = strategy.pipeline_schedule != PipelineSchedule::gpipe && strategy.pipeline_schedule != PipelineSchedule::one_f_one_b;
  return chunks * (splits ? 3 : 2);
}

/// Both need the main step at least once on every rank.
bool is_possible(const Strategy& strategy, std::int64_t m) {
  const std::int64_t p = strategy.pipeline_parallel;
  if (strategy.pipeline_schedule == PipelineSchedule::dualpipe) return p % 2 == 0 && m >= 2 * p;
  return strategy.pipeline_schedule != PipelineSchedule::dualpipe_v || m >= 2 * p;
}

} // namespace

Schedule schedule_of(const Strategy& strategy, std::int64_t micro_batches) {
  Schedule schedule;
  const std::int64_t p = strategy.pipeline_parallel;
  if (p < 2 || micro_batches < 1 || strategy.virtual_stages < 1) return schedule;
  schedule.micro_batches = std::min(micro_batches, std::max<std::int64_t>(1, kMostPasses / passes_of_micro_batch(strategy) / p));
  if (strategy.pipeline_schedule == PipelineSchedule::dualpipe) schedule.micro_batches -= schedule.micro_batches % 2;
  if (!is_possible(strategy, schedule.micro_batches)) return schedule;
  for (std::int64_t rank = 0; rank < p; ++rank) schedule.ranks.push_back(order_of(strategy, schedule.micro_batches, rank));
  schedule.known = place(schedule, Way{strategy});
  if (!schedule.known) return {};
  for (const std::vector<Pass>& passes : schedule.ranks) schedule.in_flight.push_back(most_in_flight(passes));
  return schedule;
}

} // namespace plimsoll
