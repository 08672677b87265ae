#include "plimsoll/estimate.hpp"

#include "moments/visit.hpp"
#include "plimsoll/parameters.hpp"
#include "plimsoll/sharding.hpp"

#include <algorithm>

namespace plimsoll {

namespace {

/// What one block adds to a moment. Only the resident block has more than one part.
struct BlockUse {
  Part part = Part::weights;
  Bytes amount, low, high;
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
  std::array<BlockUse, moments::kBlocks> others{};
  moments::Lifetimes lifetimes;

  Blocks(const Scenario& scenario, const Stage& stage) noexcept : lifetimes(moments::lifetimes_of(scenario)) {
    moments::visit(scenario, stage, [&](moments::Block block, Part part, const Term& term) {
      if (block == moments::Block::resident) return add(resident, part, term.bytes(), Bytes{term.low}, Bytes{term.high});
      BlockUse& use = others[static_cast<std::size_t>(block)];
      use.part = part;
      use.amount += term.bytes();
      use.low += Bytes{term.low};
      use.high += Bytes{term.high};
    });
  }

  Bytes amount_of(moments::Block block) const noexcept { return others[static_cast<std::size_t>(block)].amount; }

  MomentUse at(Moment moment) const noexcept {
    MomentUse use = resident;
    use.moment = moment;
    const moments::BlockSet alive = moments::alive_at(moment, lifetimes);
    for (std::size_t i = 0; i < moments::kBlocks; ++i)
      if (moments::contains(alive, static_cast<moments::Block>(i))) add(use, others[i].part, others[i].amount, others[i].low, others[i].high);
    const bool stepped = moment == Moment::optimizer_step || moment == Moment::between_steps;
    use.requested = use.total - amount_of(moments::Block::process);
    use.first_step = stepped ? use.requested : use.requested - amount_of(moments::Block::states);
    return use;
  }
};

/// The moments of one rank, and the largest of them.
void evaluate(const Scenario& scenario, std::int64_t rank, Estimate& result) noexcept {
  const Stage stage{scenario.model, scenario.strategy, scenario.workload, rank};
  const Blocks blocks{scenario, stage};
  result.rank = rank;
  result.moment_count = result.peak = 0;
  for (Moment moment : moments::of(scenario.workload.task)) {
    const MomentUse& use = result.moments[result.moment_count] = blocks.at(moment);
    if (result.moments[result.peak].total < use.total) result.peak = result.moment_count;
    result.saturated = result.saturated || use.total.saturated() || use.high.saturated();
    ++result.moment_count;
  }
}

/// What does not depend on the moment.
void add_facts(const Scenario& scenario, Estimate& result) noexcept {
  result.parameters = count_parameters(scenario.model);
  result.active_parameters = count_active_parameters(scenario.model);
  const Stage stage{scenario.model, scenario.strategy, scenario.workload, result.rank};
  result.parameters_per_gpu = parameters_per_gpu(scenario.model, scenario.strategy, stage);
  result.gpus = gpu_count(scenario.strategy);
  result.usable = Bytes{scenario.hardware.usable_bytes};
  if (trains(scenario.workload.task)) {
    const memory::RegimeBytes bytes = moments::bytes_of_what_trains(scenario);
    const Count states = memory::optimizer_states(scenario.strategy.optimizer).kept;
    result.states_per_parameter = bytes.weight + bytes.master + bytes.gradient + states * bytes.state;
  } else {
    for (const LayerGroup& group : scenario.model.groups)
      result.kv_cache_per_token += memory::kv_cache_per_token(scenario, group).bytes();
  }
  result.headroom = result.usable - result.at_peak().total;
  result.fits = !result.saturated && result.headroom >= Bytes{0};
}

} // namespace

Estimate estimate_rank(const Scenario& scenario, std::int64_t rank) noexcept {
  Estimate result;
  evaluate(scenario, rank, result);
  result.ranks[0] = {result.at_peak().moment, result.at_peak().total};
  result.rank_count = 1;
  add_facts(scenario, result);
  return result;
}

Estimate estimate(const Scenario& scenario) noexcept {
  Estimate result;
  std::int64_t fullest = 0;
  Bytes most;
  const std::int64_t ranks = std::min<std::int64_t>(scenario.strategy.pipeline_parallel, kMaxRanks);
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    evaluate(scenario, rank, result);
    const RankPeak peak{result.at_peak().moment, result.at_peak().total};
    result.ranks[result.rank_count++] = peak;
    if (rank == 0 || most < peak.total) most = peak.total, fullest = rank;
  }
  if (fullest != ranks - 1) evaluate(scenario, fullest, result);
  add_facts(scenario, result);
  return result;
}

} // namespace plimsoll
