#include "plimsoll/estimate.hpp"

#include "moments/moments.hpp"
#include "plimsoll/parameters.hpp"
#include "plimsoll/sharding.hpp"

namespace plimsoll {

namespace {

void add(MomentUse& use, Part part, const Term& term) noexcept {
  use.parts[static_cast<std::size_t>(part)] += term.bytes();
  use.total += term.bytes();
  use.low += Bytes{term.low};
  use.high += Bytes{term.high};
}

} // namespace

Estimate estimate(const Scenario& scenario) noexcept {
  Estimate result;
  result.parameters = count_parameters(scenario.model);
  result.parameters_per_gpu = count_parameters_per_gpu(scenario.model, scenario.strategy);
  result.gpus = gpu_count(scenario.strategy);
  result.usable = Bytes{scenario.hardware.usable_bytes};

  MomentUse resident;
  moments::visit_resident(scenario, [&](Part part, const Term& term) { add(resident, part, term); });
  for (Moment moment : moments::of(scenario.workload.task)) {
    MomentUse& use = result.moments[result.moment_count];
    use = resident;
    use.moment = moment;
    moments::visit_moment(scenario, moment, [&](Part part, const Term& term) { add(use, part, term); });
    if (result.moments[result.peak].total < use.total) result.peak = result.moment_count;
    result.saturated = result.saturated || use.total.saturated() || use.high.saturated();
    ++result.moment_count;
  }

  if (trains(scenario.workload.task)) {
    const memory::RegimeBytes bytes = memory::regime_bytes(scenario.strategy.regime);
    const Count states = memory::optimizer_states(scenario.strategy.optimizer).kept;
    result.states_per_parameter = bytes.weight + bytes.gradient + states * bytes.state;
  } else {
    for (std::size_t i = 0; i < scenario.model.group_count; ++i)
      result.kv_cache_per_token += memory::kv_cache_per_token(scenario, scenario.model.groups[i]).bytes();
  }
  result.headroom = result.usable - result.at_peak().total;
  result.fits = !result.saturated && result.headroom >= Bytes{0};
  return result;
}

} // namespace plimsoll
