#include "plimsoll/method/footprint.hpp"
#include "plimsoll/method/solve.hpp"
#include "plimsoll/method/validate.hpp"

#include <algorithm>

namespace plimsoll {

std::string_view name_of(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::holds: return "fits";
    case Verdict::invalid: return "invalid";
    case Verdict::device: return "device";
    case Verdict::pool: return "cache_pool";
    case Verdict::sequences: return "max_sequences";
  }
  return "";
}

namespace {

Verdict judged(const Scenario& scenario, Trial& trial, Judge judge) {
  const Estimate& estimate = trial.estimate;
  if (!estimate.fits) return Verdict::device;
  const bool serves = !trains(scenario.workload.task);
  // Sequences beyond what a pass takes wait, and those that the cache has no room for are put off: neither is held at once.
  if (serves && Count{scenario.serving.max_sequences} < Count{scenario.workload.batch} * Count{scenario.serving.beams}) return Verdict::sequences;
  if (serves && estimate.pool.there && estimate.pool.bytes.expected < estimate.at_peak().parts[static_cast<std::size_t>(Part::kv_cache)]) return Verdict::pool;
  if (judge == Judge::estimate) return Verdict::holds;
  const Footprint whole = footprint(scenario, estimate.rank);
  trial.needs = whole.process.expected;
  return whole.fits ? Verdict::holds : Verdict::device;
}

} // namespace

Trial try_inputs(const Inputs& inputs, const Profile& profile, const Profile& engine, Judge judge) {
  Trial trial;
  trial.issues = validate(inputs, profile);
  std::erase_if(trial.issues, [](const Issue& issue) { return issue.severity != Severity::error; });
  trial.usable = Bytes{inputs.hardware.usable_bytes};
  if (!trial.issues.empty()) return trial;
  const Scenario scenario = scenario_of(inputs, profile, engine);
  trial.estimate = estimate(scenario);
  trial.needs = trial.estimate.at_peak().total;
  trial.verdict = judged(scenario, trial, judge);
  return trial;
}

} // namespace plimsoll
