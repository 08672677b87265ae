#include "plimsoll/estimate.hpp"

#include "moments/visit.hpp"
#include "plimsoll/parameters.hpp"
#include "plimsoll/sharding.hpp"

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

  explicit Blocks(const Scenario& scenario) noexcept {
    moments::visit(scenario, [&](moments::Block block, Part part, const Term& term) {
      if (block == moments::Block::resident) return add(resident, part, term.bytes(), Bytes{term.low}, Bytes{term.high});
      BlockUse& use = others[static_cast<std::size_t>(block)];
      use.part = part;
      use.amount += term.bytes();
      use.low += Bytes{term.low};
      use.high += Bytes{term.high};
    });
  }

  MomentUse at(Moment moment) const noexcept {
    MomentUse use = resident;
    use.moment = moment;
    const moments::BlockSet alive = moments::alive_at(moment);
    for (std::size_t i = 0; i < moments::kBlocks; ++i)
      if (moments::contains(alive, static_cast<moments::Block>(i))) add(use, others[i].part, others[i].amount, others[i].low, others[i].high);
    return use;
  }
};

} // namespace

Estimate estimate(const Scenario& scenario) noexcept {
  Estimate result;
  result.parameters = count_parameters(scenario.model);
  result.active_parameters = count_active_parameters(scenario.model);
  result.parameters_per_gpu = parameters_per_gpu(scenario.model, scenario.strategy);
  result.gpus = gpu_count(scenario.strategy);
  result.usable = Bytes{scenario.hardware.usable_bytes};

  const Blocks blocks{scenario};
  for (Moment moment : moments::of(scenario.workload.task)) {
    const MomentUse& use = result.moments[result.moment_count] = blocks.at(moment);
    if (result.moments[result.peak].total < use.total) result.peak = result.moment_count;
    result.saturated = result.saturated || use.total.saturated() || use.high.saturated();
    ++result.moment_count;
  }

  if (trains(scenario.workload.task)) {
    const memory::RegimeBytes bytes = memory::regime_bytes(scenario.strategy.regime);
    const Count states = memory::optimizer_states(scenario.strategy.optimizer).kept;
    result.states_per_parameter = bytes.weight + bytes.gradient + states * bytes.state;
  } else {
    for (const LayerGroup& group : scenario.model.groups)
      result.kv_cache_per_token += memory::kv_cache_per_token(scenario, group).bytes();
  }
  result.headroom = result.usable - result.at_peak().total;
  result.fits = !result.saturated && result.headroom >= Bytes{0};
  return result;
}

} // namespace plimsoll
