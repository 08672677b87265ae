#include "plimsoll/method/footprint.hpp"
#include "plimsoll/method/solve.hpp"
#include "plimsoll/method/validate.hpp"

#include <utility>

namespace plimsoll {

namespace {

/// All but the replay of its process; the scenario where there is a process to judge.
std::optional<Scenario> begin(Trial& trial, const Inputs& inputs, const Profile& profile, const Profile& engine, Judge judge_by) {
  trial.issues = errors_of(inputs, profile);
  trial.usable = Bytes{inputs.hardware.usable_bytes};
  if (!trial.issues.empty()) return std::nullopt;
  Scenario scenario = scenario_of(inputs, profile, engine);
  trial.estimate = estimate(scenario);
  trial.needs = trial.estimate.at_peak().total;
  trial.judgement = judge(scenario, trial.estimate);
  if (judge_by == Judge::estimate || !trial.holds()) return std::nullopt; // the process takes more than what is alive, never less
  return scenario;
}

void judge_process(Trial& trial, const Scenario& scenario, const Footprint& whole) {
  trial.needs = whole.process.expected;
  trial.judgement = judge(scenario, trial.estimate, &whole);
}

} // namespace

Trial try_inputs(const Inputs& inputs, const Profile& profile, const Profile& engine, Judge judge_by) {
  Trial trial;
  if (const std::optional<Scenario> scenario = begin(trial, inputs, profile, engine, judge_by)) judge_process(trial, *scenario, footprint(*scenario, trial.estimate.rank));
  return trial;
}

TrialSession::TrialSession(const Inputs& inputs, const Profile& profile, const Profile& engine, Judge judge_by) {
  if (const std::optional<Scenario> scenario = begin(trial_, inputs, profile, engine, judge_by)) replay_.emplace(*scenario, trial_.estimate.rank);
}
TrialSession::TrialSession(Trial done) : trial_(std::move(done)) {}

bool TrialSession::advance() {
  if (!replay_) return false;
  if (replay_->advance()) return true;
  judge_process(trial_, replay_->scenario(), replay_->footprint());
  replay_.reset();
  return false;
}

Trial TrialSession::trial() && { return std::move(trial_); }

} // namespace plimsoll
