#include "plimsoll/method/estimate.hpp"

#include "method/moments/block_sums.hpp"
#include "method/moments/states_fact.hpp"
#include "method/moments/visit_cache.hpp"
#include "method/moments/visit_each.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace plimsoll {

namespace {

/// Training counts each tensor several times: as weight, gradient and state, and for every rank. Serving asks for its layout in bytes, once.
std::optional<ElementCounts> counted(const Scenario& scenario) noexcept {
  if (!trains(scenario.workload.task)) return std::nullopt;
  return std::optional<ElementCounts>{std::in_place, scenario.model, scenario.strategy};
}
const Count* counts_of(const std::optional<ElementCounts>& elements) noexcept { return elements ? elements->counts() : nullptr; }

/// The moments of one rank, and the largest of them.
void evaluate(const Scenario& scenario, std::int64_t rank, const Count* elements, Estimate& result) noexcept {
  const Stage stage{scenario.model, scenario.strategy, scenario.workload, rank, elements};
  moments::BlockSums blocks;
  moments::visit_each(scenario, stage, [&](moments::Lifetime block, Part part, const Term& term) { blocks.take(block, part, term); });
  const std::span<const Moment> moments = moments::of(scenario);
  blocks.write(moments, moments::lifetimes_of(scenario), result.moments.data());
  result.rank = rank;
  result.moment_count = moments.size();
  result.peak = 0;
  result.host = blocks.amount_of(moments::Lifetime::host);
  result.nvme = blocks.amount_of(moments::Lifetime::nvme);
  result.movable = blocks.amount_of(moments::Lifetime::managed);
  for (std::size_t i = 0; i < result.moment_count; ++i) {
    const MomentUse& use = result.moments[i];
    if (result.moments[result.peak].total < use.total) result.peak = i;
    result.saturated = result.saturated || use.total.saturated() || use.high.saturated();
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
