#include "method/explain/time.hpp"

#include "method/explain/tree.hpp"
#include "method/time/training/losses.hpp"
#include "method/time/training/visit.hpp"
#include "plimsoll/method/time.hpp"

#include <array>
#include <string>
#include <utility>

namespace plimsoll {

void add_training_time(const Scenario& scenario, std::vector<Component>& facts) {
  const StepTime step = step_time(scenario);
  if (!step.known) return;
  std::array<Component, kTimeParts> parts;
  for (std::size_t i = 0; i < kTimeParts; ++i) {
    const TimePartText& text = text_of(static_cast<TimePart>(i));
    parts[i] = sum_of(std::string{text.id}, std::string{text.label}, "ns");
  }
  timing::visit(scenario, [&](TimePart part, const Term& term) { add_part(parts[static_cast<std::size_t>(part)], component_of(term)); });
  Component whole = sum_of("fact.step_time", "Time of a step", "ns");
  for (Component& part : parts) {
    if (part.parts.empty()) continue;
    collapse_single(part);
    add_part(whole, std::move(part));
  }
  facts.push_back(std::move(whole));
  add_learning(scenario, facts);
  facts.push_back(component_of(timing::throughput(step)));
  facts.push_back(component_of(timing::utilisation(scenario, step)));
  facts.push_back(component_of(timing::hardware_utilisation(scenario, step)));
  if (scenario.workload.task == Task::pretrain) facts.push_back(component_of(timing::advised_tokens(scenario.model)));
  if (timing::job_tokens(scenario) <= Count{0}) return;
  const StepTime paced = timing::with_other_passes(scenario, step);
  facts.push_back(component_of(timing::gpu_hours(scenario, paced)));
  facts.push_back(component_of(timing::wall_time(scenario, paced)));
  if (scenario.job.basis == JobBasis::typical || !scenario.job.counts_losses) return;
  const timing::Losses losses = timing::losses_of(scenario, paced);
  Component besides = sum_of("fact.job_losses", "Of that, besides steps", "ns");
  for (const Term* part : {&losses.start, &losses.evaluation, &losses.checkpoints, &losses.failures})
    if (part->high > 0) add_part(besides, component_of(*part));
  facts.push_back(std::move(besides));
  for (const Term* fact : {&losses.checkpoint, &losses.write, &losses.interval, &losses.interruptions}) facts.push_back(component_of(*fact));
}

} // namespace plimsoll
