#include "evidence/measured.hpp"
#include "evidence/training_runs/parts.hpp"
#include "evidence/training_runs/row.hpp"
#include "plimsoll/method/time.hpp"
#include "plimsoll/method/validate.hpp"

namespace plimsoll::io::accuracy::training_runs {

namespace {

void set(Comparison& comparison, Count expected, Count low, Count high) {
  comparison.modelled = true;
  comparison.predicted = expected.value;
  comparison.low = low.value;
  comparison.high = high.value;
}

/// Tokens per second and GPU at so many nanoseconds a step.
Count rate_at(const StepTime& step, Nanoseconds time) {
  StepTime other = step;
  other.total.expected = time;
  return tokens_per_gpu(other);
}

} // namespace

void predict(const Json& row, bool job, Comparison& comparison) {
  Run run;
  read_device(row, run);
  read_model(row, run);
  read_common(row, run);
  if (job) read_gpus(row, run);
  else read_layout(row, run);
  run.inputs.job.train_tokens = number_of(row, "tokens").value_or(0);
  comparison.assumed = run.assumed;
  comparison.profile = run.profile;
  comparison.reason = run.reason;
  if (!run.reason.empty()) return;
  for (const Issue& issue : validate(run.inputs))
    if (issue.severity == Severity::error) return void(comparison.reason = issue.message);
  const std::optional<Profile> profile = presets().profile(run.profile, run.inputs.hardware.arch, run.inputs.implementation);
  if (!profile) return void(comparison.reason = "There is no profile of that framework.");
  MeasuredRow question;
  question.inputs = run.inputs;
  question.profile = run.profile;
  comparison.scenario = query_of(question);
  const Scenario scenario = scenario_of(run.inputs, *profile);
  const StepTime step = step_time(scenario);
  if (!step.known) return void(comparison.reason = "The device's rates are not published.");
  if (!job) return set(comparison, step.tokens_per_gpu, rate_at(step, step.total.high), rate_at(step, step.total.low));
  const JobTime time = job_time(scenario);
  if (!time.known) return void(comparison.reason = "The job has more tokens than can be counted.");
  set(comparison, time.gpu_hours.expected, time.gpu_hours.low, time.gpu_hours.high);
}

} // namespace plimsoll::io::accuracy::training_runs
