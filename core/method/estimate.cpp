#include "plimsoll/method/estimate.hpp"

#include "method/moments/states_fact.hpp"
#include "method/moments/visit_cache.hpp"
#include "method/moments/visit_each.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace plimsoll {

namespace {

/// What one block adds to a moment. Only the resident block has more than one part, besides what other models add.
struct BlockUse {
  Part part = Part::weights;
  Bytes amount, low, high;

  void take(Part whose, const Term& term) noexcept {
    part = whose;
    amount += term.bytes();
    low += Bytes{term.low};
    high += Bytes{term.high};
  }
};

struct BlockUses {
  std::array<BlockUse, moments::kLifetimes> of{};
  moments::LifetimeSet taken = 0; ///< blocks that a term belongs to: hardly a scenario has more than twenty

  void take(moments::Lifetime block, Part part, const Term& term) noexcept {
    of[static_cast<std::size_t>(block)].take(part, term);
    taken |= moments::set_of({block});
  }
  Bytes amount_of(moments::Lifetime block) const noexcept { return of[static_cast<std::size_t>(block)].amount; }
};

void add(MomentUse& use, Part part, Bytes amount, Bytes low, Bytes high) noexcept {
  use.parts[static_cast<std::size_t>(part)] += amount;
  use.total += amount;
  use.low += low;
  use.high += high;
}

/// The sums that all moments are made of.
struct Blocks {
  MomentUse resident;
  BlockUses others{};
  std::optional<BlockUses> of_other_models; ///< there where the scenario has any
  moments::Lifetimes lifetimes;

  Blocks(const Scenario& scenario, const Stage& stage) noexcept : lifetimes(moments::lifetimes_of(scenario)) {
    if (!scenario.auxiliary_models.empty()) of_other_models.emplace();
    moments::visit_each(scenario, stage, [&](moments::Lifetime block, Part part, const Term& term) {
      if (block == moments::Lifetime::resident) return add(resident, part, term.bytes(), Bytes{term.low}, Bytes{term.high});
      (part == Part::other_models && of_other_models ? *of_other_models : others).take(block, part, term);
    });
  }

  Bytes amount_of(moments::Lifetime block) const noexcept {
    return of_other_models ? others.amount_of(block) + of_other_models->amount_of(block) : others.amount_of(block);
  }

  static void add_blocks(MomentUse& use, moments::LifetimeSet alive, const BlockUses& blocks) noexcept {
    for (alive &= blocks.taken; alive != 0; alive &= alive - 1) {
      const BlockUse& block = blocks.of[static_cast<std::size_t>(std::countr_zero(alive))];
      add(use, block.part, block.amount, block.low, block.high);
    }
  }

  MomentUse at(Moment moment) const noexcept {
    MomentUse use = resident;
    use.moment = moment;
    const moments::LifetimeSet alive = moments::alive_at(moment, lifetimes) & ~moments::set_of({moments::Lifetime::resident});
    add_blocks(use, alive, others);
    if (of_other_models) add_blocks(use, alive, *of_other_models);
    const bool stepped = moment == Moment::optimizer_step || moment == Moment::between_steps;
    const auto amount_there = [&](moments::Lifetime block) { return moments::contains(alive, block) ? amount_of(block) : Bytes{0}; };
    use.requested = use.total - amount_there(moments::Lifetime::process) - amount_there(moments::Lifetime::managed);
    use.first_step = stepped ? use.requested : use.requested - amount_there(moments::Lifetime::states);
    moments::LifetimeSet former = moments::set_of({moments::Lifetime::former_buckets});
    if (!lifetimes.accumulates) former |= moments::set_of({moments::Lifetime::former_inputs, moments::Lifetime::former_loss});
    for (former &= alive; former != 0; former &= former - 1)
      use.first_step = use.first_step - amount_of(static_cast<moments::Lifetime>(std::countr_zero(former)));
    return use;
  }
};

/// Training counts each tensor several times: as weight, gradient and state, and for every rank. Serving asks for its layout in bytes, once.
std::optional<ElementCounts> counted(const Scenario& scenario) noexcept {
  if (!trains(scenario.workload.task)) return std::nullopt;
  return std::optional<ElementCounts>{std::in_place, scenario.model, scenario.strategy};
}
const Count* counts_of(const std::optional<ElementCounts>& elements) noexcept { return elements ? elements->counts() : nullptr; }

/// The moments of one rank, and the largest of them.
void evaluate(const Scenario& scenario, std::int64_t rank, const Count* elements, Estimate& result) noexcept {
  const Stage stage{scenario.model, scenario.strategy, scenario.workload, rank, elements};
  const Blocks blocks{scenario, stage};
  result.rank = rank;
  result.moment_count = result.peak = 0;
  result.host = blocks.amount_of(moments::Lifetime::host);
  result.nvme = blocks.amount_of(moments::Lifetime::nvme);
  result.movable = blocks.amount_of(moments::Lifetime::managed);
  for (Moment moment : moments::of(scenario)) {
    const MomentUse& use = result.moments[result.moment_count] = blocks.at(moment);
    if (result.moments[result.peak].total < use.total) result.peak = result.moment_count;
    result.saturated = result.saturated || use.total.saturated() || use.high.saturated();
    ++result.moment_count;
  }
}

/// What evaluate() found of one rank becomes the result's.
void take_rank(const Estimate& from, Estimate& result) noexcept {
  result.rank = from.rank;
  result.moments = from.moments;
  result.moment_count = from.moment_count;
  result.peak = from.peak;
  result.host = from.host;
  result.nvme = from.nvme;
  result.movable = from.movable;
}

/// What follows from the moments of the fullest rank.
void conclude(const Scenario& scenario, Estimate& result) noexcept {
  result.gpus = gpu_count(scenario.strategy);
  result.usable = Bytes{usable_on(scenario.hardware, result.rank)};
  result.headroom = result.usable - result.at_peak().total;
  result.fits = !result.saturated && result.headroom + result.movable >= Bytes{0};
}

} // namespace

Estimate estimate_rank(const Scenario& scenario, std::int64_t rank) noexcept {
  Estimate result;
  const std::optional<ElementCounts> elements = counted(scenario);
  evaluate(scenario, rank, counts_of(elements), result);
  result.ranks[0] = {result.at_peak().moment, result.at_peak().total};
  result.rank_count = 1;
  conclude(scenario, result);
  return result;
}

Estimate estimate(const Scenario& scenario) noexcept {
  const std::int64_t ranks = std::min<std::int64_t>(scenario.strategy.pipeline_parallel, kMaxRanks);
  if (ranks <= 1) return estimate_rank(scenario, 0);
  const std::optional<ElementCounts> elements = counted(scenario);
  Estimate result, one;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    evaluate(scenario, rank, counts_of(elements), one);
    result.ranks[result.rank_count++] = {one.at_peak().moment, one.at_peak().total};
    const Bytes left = Bytes{usable_on(scenario.hardware, rank)} - one.at_peak().total;
    if (rank == 0 || left < Bytes{usable_on(scenario.hardware, result.rank)} - result.at_peak().total) take_rank(one, result);
  }
  result.saturated = one.saturated; // of any rank
  conclude(scenario, result);
  return result;
}

Facts facts_of(const Scenario& scenario, std::int64_t rank) noexcept {
  const Stage stage{scenario.model, scenario.strategy, scenario.workload, rank};
  Facts facts;
  facts.parameters = count_parameters(scenario.model);
  facts.active_parameters = count_active_parameters(scenario.model);
  facts.parameters_per_gpu = parameters_per_gpu(scenario.model, scenario.strategy, stage);
  if (trains(scenario.workload.task)) return facts.states_per_parameter = moments::states_per_parameter(scenario, stage).bytes(), facts;
  moments::visit_token(scenario, stage, [&](const Term& term) { facts.kv_cache_per_token += term.bytes(); });
  moments::visit_growth(scenario, stage, [&](const Term& term) { facts.kv_cache_growth += term.bytes(); });
  return facts;
}

} // namespace plimsoll
