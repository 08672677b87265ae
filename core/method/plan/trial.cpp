#include "plimsoll/method/footprint.hpp"
#include "plimsoll/method/solve.hpp"
#include "plimsoll/method/validate.hpp"

namespace plimsoll {

Trial try_inputs(const Inputs& inputs, const Profile& profile, const Profile& engine, Judge judge_by) {
  Trial trial;
  trial.issues = errors_of(inputs, profile);
  trial.usable = Bytes{inputs.hardware.usable_bytes};
  if (!trial.issues.empty()) return trial;
  const Scenario scenario = scenario_of(inputs, profile, engine);
  trial.estimate = estimate(scenario);
  trial.needs = trial.estimate.at_peak().total;
  trial.judgement = judge(scenario, trial.estimate);
  if (judge_by == Judge::estimate || !trial.holds()) return trial; // the process takes more than what is alive, never less
  const Footprint whole = footprint(scenario, trial.estimate.rank);
  trial.needs = whole.process.expected;
  trial.judgement = judge(scenario, trial.estimate, &whole);
  return trial;
}

} // namespace plimsoll
