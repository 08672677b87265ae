#include "answer/scenario_job.hpp"

#include "plimsoll/method/time.hpp"

namespace plimsoll::io {

bool set_training_job(DeploymentOption& way, const Scenario& scenario) {
  const JobTime job = job_time(scenario);
  if (!job.known) return false;
  way.seconds = cost::billed_seconds(job.wall.expected).count();
  way.low = cost::billed_seconds(job.wall.low).count();
  way.high = cost::billed_seconds(job.wall.high).count();
  return true;
}

} // namespace plimsoll::io
