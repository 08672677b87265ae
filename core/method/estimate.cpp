#include "plimsoll/method/estimate.hpp"

#include "method/moments/block_sums.hpp"
#include "method/moments/prepared.hpp"
#include "method/moments/states_fact.hpp"
#include "method/moments/visit_cache.hpp"
#include "method/moments/visit_each.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>
#include <optional>

namespace plimsoll {

namespace {

/// What the rank that is shown needs, and what follows from it.
void conclude(const Scenario& scenario, std::int64_t rank, const moments::BlockSums& blocks, Estimate& result) noexcept {
  const moments::BlockSums::Peak peak = blocks.write(result.moments);
  result.rank = rank;
  result.peak = peak.moment;
  result.saturated = result.saturated || peak.saturated;
  result.host = blocks.on_host();
  result.nvme = blocks.on_drives();
  result.movable = blocks.movable();
  result.usable = Bytes{usable_on(scenario.hardware, rank)};
  result.headroom = result.usable - peak.total;
}

/// Ranks [first, end): the moments are those of the one with the least room left.
void estimate_ranks(const Scenario& scenario, std::int64_t first, std::int64_t end, Estimate& result) noexcept {
  const moments::Prepared prepared{scenario};
  moments::BlockSums blocks{prepared.moments()}; // of the present rank, and of those before it that are like it
  std::optional<Stage> before;
  RankPeak peak;
  for (std::int64_t rank = first; rank < end; ++rank) {
    const Stage stage{scenario.model, scenario.strategy, scenario.workload, rank, prepared.shared()};
    if (!before || !moments::alike(scenario, stage, *before)) {
      if (rank > first) blocks.clear();
      moments::visit_each(scenario, stage, moments::BlockSums::take_into, &blocks);
      if (rank > first) {
        const moments::BlockSums::Peak of_rank = blocks.peak();
        peak = {prepared.moments().order()[of_rank.moment], of_rank.total};
        result.saturated = result.saturated || of_rank.saturated;
      }
    }
    if (rank == first || Bytes{usable_on(scenario.hardware, rank)} - peak.total < result.headroom) conclude(scenario, rank, blocks, result);
    if (rank == first) peak = {result.at_peak().moment, result.at_peak().total};
    result.ranks.push_back(peak);
    if (rank + 1 < end) before.emplace(stage);
  }
  result.gpus = gpu_count(scenario.strategy);
  result.fits = !result.saturated && result.headroom + result.movable >= Bytes{0};
}

} // namespace

Estimate estimate_rank(const Scenario& scenario, std::int64_t rank) noexcept {
  Estimate result;
  estimate_ranks(scenario, rank, rank + 1, result);
  return result;
}

Estimate estimate(const Scenario& scenario) noexcept {
  Estimate result;
  estimate_ranks(scenario, 0, std::min<std::int64_t>(scenario.strategy.pipeline_parallel, kMaxRanks), result);
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
