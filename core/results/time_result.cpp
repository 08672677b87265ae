#include "plimsoll/method/learning.hpp"
#include "plimsoll/method/time.hpp"
#include "results/result_json.hpp"

namespace plimsoll::io {

namespace {

Json range_result(const TimeRange& range) { return {{"ns", range.expected.value}, {"low_ns", range.low.value}, {"high_ns", range.high.value}}; }

Json step_result(const StepTime& step) {
  if (!step.known) return nullptr;
  Json parts = Json::array();
  for (std::size_t i = 0; i < kTimeParts; ++i) {
    if (step.parts[i].high == Nanoseconds{0}) continue;
    Json part = range_result(step.parts[i]);
    part["part"] = text_of(static_cast<TimePart>(i)).id;
    part["label"] = text_of(static_cast<TimePart>(i)).label;
    parts.push_back(std::move(part));
  }
  Json result = range_result(step.total);
  result["parts"] = std::move(parts);
  result["tokens"] = step.tokens.value;
  result["tokens_per_s_per_gpu_thousandths"] = step.tokens_per_gpu.value;
  result["mfu_thousandths"] = step.mfu;
  result["hfu_thousandths"] = step.hfu;
  return result;
}

Json learning_result(const LearningStep& step) {
  if (!step.known) return nullptr;
  Json phases = Json::array();
  for (std::size_t i = 0; i < kLearningPhases; ++i) {
    if (step.phases[i].high == Nanoseconds{0}) continue;
    Json phase = range_result(step.phases[i]);
    phase["phase"] = text_of(static_cast<LearningPhase>(i)).id;
    phase["label"] = text_of(static_cast<LearningPhase>(i)).label;
    if (static_cast<LearningPhase>(i) == LearningPhase::scoring) {
      Json models = Json::array();
      for (std::size_t role = 0; role < kRoles; ++role) {
        if (step.scored[role].high == Nanoseconds{0}) continue;
        Json model = range_result(step.scored[role]);
        model["model"] = text_of(static_cast<Role>(role)).id;
        models.push_back(std::move(model));
      }
      phase["models"] = std::move(models);
    }
    phases.push_back(std::move(phase));
  }
  Json result = range_result(step.total);
  result["phases"] = std::move(phases);
  result["rollout"] = step.rollout.high > Nanoseconds{0} ? range_result(step.rollout) : Json(nullptr);
  result["answers"] = step.answers.value;
  result["tokens"] = step.tokens.value;
  result["updates"] = step.updates.value;
  result["gpus"] = step.gpus.value;
  result["tokens_per_s_per_gpu_thousandths"] = step.tokens_per_gpu.value;
  return result;
}

Json losses_result(const JobLosses& losses) {
  if (!losses.known) return nullptr;
  const CountRange& times = losses.interruptions;
  return {{"checkpoint_bytes", losses.checkpoint.value},
          {"checkpoint_write", range_result(losses.write)},
          {"checkpoint_interval", range_result(losses.interval)},
          {"start", range_result(losses.start)},
          {"evaluation", range_result(losses.evaluation)},
          {"checkpoints", range_result(losses.checkpoints)},
          {"failures", range_result(losses.failures)},
          {"interruptions", {{"expected", times.expected.value}, {"low", times.low.value}, {"high", times.high.value}}}};
}

Json job_result(const JobTime& job) {
  if (!job.known) return nullptr;
  Json result;
  result["tokens"] = job.tokens.value;
  result["steps"] = job.steps.value;
  result["wall"] = range_result(job.wall);
  result["gpu_hours_thousandths"] = {{"expected", job.gpu_hours.expected.value}, {"low", job.gpu_hours.low.value}, {"high", job.gpu_hours.high.value}};
  result["goodput_thousandths"] = job.goodput;
  if (job.losses.known) result["losses"] = losses_result(job.losses);
  return result;
}

} // namespace

Json training_time_result(const Scenario& scenario) {
  if (!trains(scenario.workload.task)) return nullptr;
  const bool pretrains = scenario.workload.task == Task::pretrain;
  return {{"step", step_result(step_time(scenario))},
          {"learning", learning_result(learning_step(scenario))},
          {"job", job_result(job_time(scenario))},
          {"chinchilla_tokens", pretrains ? Json(chinchilla_tokens(scenario.model).value) : Json(nullptr)}};
}

} // namespace plimsoll::io
