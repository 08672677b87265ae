#include "plimsoll/method/estimate.hpp"

#include "method/moments/block_sums.hpp"
#include "method/moments/prepared.hpp"
#include "method/moments/states_fact.hpp"
#include "method/moments/visit_cache.hpp"
#include "method/moments/visit_each.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace plimsoll {

namespace {

/// What one rank needs.
void take_terms(const Scenario& scenario, const Stage& stage, moments::BlockSums& blocks) noexcept {
  blocks.clear();
  moments::visit_each(scenario, stage, moments::BlockSums::take_into, &blocks);
}

/// What the rank that is shown needs, and what follows from it.
void conclude(const Scenario& scenario, const moments::Moments& moments, const moments::BlockSums& blocks, Estimate& result) noexcept {
  const moments::BlockSums::Peak peak = blocks.write(moments, result.moments.data());
  result.moment_count = moments.order.size();
  result.peak = peak.moment;
  result.saturated = result.saturated || peak.saturated;
  result.host = blocks.amount_of(moments::Lifetime::host);
  result.nvme = blocks.amount_of(moments::Lifetime::nvme);
  result.movable = blocks.amount_of(moments::Lifetime::managed);
  result.gpus = gpu_count(scenario.strategy);
  result.usable = Bytes{usable_on(scenario.hardware, result.rank)};
  result.headroom = result.usable - peak.total;
  result.fits = !result.saturated && result.headroom + result.movable >= Bytes{0};
}

} // namespace

Estimate estimate_rank(const Scenario& scenario, std::int64_t rank) noexcept {
  const moments::Prepared prepared{scenario};
  moments::BlockSums blocks;
  take_terms(scenario, prepared.stage_of(rank), blocks);
  Estimate result;
  result.rank = rank;
  conclude(scenario, prepared.moments(), blocks, result);
  result.ranks[0] = {result.at_peak().moment, result.at_peak().total};
  result.rank_count = 1;
  return result;
}

Estimate estimate(const Scenario& scenario) noexcept {
  const std::int64_t ranks = std::min<std::int64_t>(scenario.strategy.pipeline_parallel, kMaxRanks);
  if (ranks <= 1) return estimate_rank(scenario, 0);
  const moments::Prepared prepared{scenario};
  std::array<moments::BlockSums, 2> blocks; // of the present rank, and of the one with the least room left
  std::size_t present = 0, fullest = 1;
  moments::BlockSums::Peak peak;
  std::optional<Stage> before;
  Bytes least;
  Estimate result;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const Stage stage = prepared.stage_of(rank);
    if (!before || !moments::alike(scenario, stage, *before)) {
      present = 1 - fullest;
      take_terms(scenario, stage, blocks[present]);
      peak = blocks[present].peak(prepared.moments());
    }
    before.emplace(stage);
    result.ranks[result.rank_count++] = {prepared.moments().order[peak.moment], peak.total};
    result.saturated = result.saturated || peak.saturated;
    const Bytes left = Bytes{usable_on(scenario.hardware, rank)} - peak.total;
    if (rank == 0 || left < least) fullest = present, least = left, result.rank = rank;
  }
  conclude(scenario, prepared.moments(), blocks[fullest], result);
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
