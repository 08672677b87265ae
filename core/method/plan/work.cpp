#include "method/plan/work.hpp"

#include "method/time/training/rates.hpp"
#include "method/time/training/visit.hpp"
#include "plimsoll/method/cost.hpp"
#include "plimsoll/method/sharding.hpp"
#include "plimsoll/method/time.hpp"

namespace plimsoll::planning {

namespace {

void add_part(void* into, TimePart part, const Term& term) noexcept {
  StepTime& step = *static_cast<StepTime*>(into);
  const TimeRange range{Nanoseconds{term.amount}, Nanoseconds{term.low}, Nanoseconds{term.high}};
  step.parts[static_cast<std::size_t>(part)] += range;
  step.total += range;
}

/// As step_time(), without what a search does not ask for.
StepTime step_of(const Scenario& scenario, std::optional<PassTime>& passes) noexcept {
  StepTime step;
  if (!timing::rates_known(scenario)) return step;
  if (!passes) {
    passes.emplace();
    passes->passes = timing::visit_passes(scenario, add_part, &passes->step);
  }
  step = passes->step;
  timing::visit_states(scenario, passes->passes, add_part, &step);
  step.tokens = step_tokens(scenario.workload, scenario.strategy);
  step.gpus = gpu_count(scenario.strategy);
  step.known = step.total.expected > Nanoseconds{0} && !step.total.high.saturated() && !step.tokens.saturated();
  return step;
}

void set_work(Planned& planned, const Scenario& scenario, const StepTime& step, const Running& running) noexcept {
  planned.timed = step.known;
  if (!step.known) return;
  planned.step = step.total;
  planned.time = Nanoseconds{timing::wall_time(scenario, step).amount};
  const Count seconds = cost::billed_seconds(planned.time).count();
  planned.cost = Money{cost::total(running.hourly, seconds).amount};
  planned.energy = Energy{cost::energy(step.gpus, running.milliwatts, seconds).amount};
}

} // namespace

Running running_of(const PlanVariant& variant, const Fleet& fleet) noexcept {
  return {fleet.hourly, cost::power(variant.inputs.hardware.rates.watts, variant.inputs.billing, true).amount};
}

void set_work(Planned& planned, const Scenario& scenario, std::optional<PassTime>& passes, const Running& running) noexcept {
  set_work(planned, scenario, step_of(scenario, passes), running);
}

Figures least_work(const Scenario& scenario, std::optional<PassTime>& passes, const Running& running) noexcept {
  StepTime step = step_of(scenario, passes);
  // What runs again makes a step longer by at least what data-parallel communication gains by hiding behind it, as long as no more than
  // the passes themselves hide it; both are rounded up to nanoseconds, in each micro-batch. Where all wait for a last stage of few layers,
  // what runs again there is less than what others hide behind.
  const std::int64_t kWhole = 1000;
  Nanoseconds most_saved{scenario.workload.micro_batches + 1};
  const bool gathers_twice = scenario.strategy.secondary_group > 0; // behind the same passes
  if (gathers_twice || scenario.strategy.pipeline_parallel > 1 || scenario.profile.efficiency.overlap.value > kWhole) most_saved += step.parts[static_cast<std::size_t>(TimePart::data_parallel)].expected;
  if (step.known) step.total.expected = max(step.total.expected - Nanoseconds{4} - most_saved, Nanoseconds{1});
  Planned least;
  set_work(least, scenario, step, running);
  Figures figures = figures_of(least);
  figures.gpus = step.gpus.value;
  return figures;
}

} // namespace plimsoll::planning
