// What sources read of a run besides the peak that an answer shows: first steps, other pipeline ranks, what stays between steps, what a layer keeps.
#include "answer/readings.hpp"
#include "results/result_json.hpp"

#include <set>

namespace plimsoll::io {

namespace {

Json of_rank(const Answer& answer, std::int64_t rank) {
  const Scenario& scenario = answer.scenario;
  const bool is_shown = answer.footprint && answer.footprint->rank == rank;
  const Footprint of = is_shown ? *answer.footprint : footprint(scenario, rank);
  Json reading{{"rank", rank},
               {"requested_bytes", of.requested.expected.value},
               {"allocated_bytes", of.allocated.expected.value},
               {"reserved_bytes", of.reserved.expected.value},
               {"process_bytes", of.process.expected.value}};
  if (!trains(scenario.workload.task)) return reading;
  const Estimate estimate = estimate_rank(scenario, rank);
  reading["first_step_bytes"] = first_peak(estimate).value;
  reading["first_micro_batch_bytes"] = first_micro_batch(scenario, rank).value;
  reading["between_steps_bytes"] = kept_between_steps(estimate).value;
  return reading;
}

} // namespace

Json readings_result(const Answer& answer) {
  const std::int64_t last = answer.scenario.strategy.pipeline_parallel - 1;
  Json ranks = Json::array();
  for (const std::int64_t rank : std::set<std::int64_t>{0, answer.estimate.rank, last}) ranks.push_back(of_rank(answer, rank));
  Json readings{{"ranks", std::move(ranks)}, {"context_bytes", answer.scenario.profile.runtime.context_bytes.value}};
  if (trains(answer.scenario.workload.task)) {
    const Bytes saved = saved_by_layer(answer.scenario);
    readings["layer_saved_bytes"] = saved.value;
    readings["layer_forward_bytes"] = (saved + output_of_layer(answer.scenario)).value;
  }
  return readings;
}

} // namespace plimsoll::io
