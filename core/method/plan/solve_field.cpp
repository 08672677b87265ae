#include "method/plan/solvable.hpp"
#include "plimsoll/method/format.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace plimsoll {

namespace {

Issue refused(const Field& field, std::string message, std::string remedy) {
  return {Severity::error, std::string{field.name}, std::move(message), std::move(remedy)};
}

/// Why nothing fits, from the least that was tried.
Issue nothing_fits(const Field& field, const Step& least, bool training) {
  const std::string one = std::string{label_of(field)} + " " + format_count(Count{least.value});
  const Trial& trial = least.trial;
  if (trial.verdict() == Verdict::pool || trial.verdict() == Verdict::start)
    return refused(field, "With " + one + ", the sequences need " + format_bytes(trial.estimate.at_peak().parts[static_cast<std::size_t>(Part::kv_cache)]) +
                   " of cache, and the engine takes " + format_bytes(trial.judgement.pool.bytes.expected) + ".",
                   "Shorten context_tokens, hold fewer sequences (batch), or let the engine fill more of the device (memory_fraction).");
  if (trial.verdict() == Verdict::sequences)
    return refused(field, "With " + one + ", more sequences are held than a pass takes.", "Write a smaller batch, or a larger max_sequences.");
  return refused(field, "With " + one + " it needs " + format_bytes(trial.needs) + " of the " + format_bytes(trial.usable) + " that are usable: nothing that was tried fits.",
                 training ? "Choose a larger device, divide the states (sharding, tensor_parallel), recompute activations, or train adapters."
                          : "Choose a larger device, more GPUs (tensor_parallel), or weights in fewer bits (weight_dtype).");
}

/// The allocator rounds pieces to segments, and a larger piece may leave less of them unused. Between the answer and the largest value
/// that the estimate allows, some values are tried; where one fits, the search goes on from there.
void look_further(Search search, std::int64_t most, Solution& solution) {
  constexpr std::int64_t kStretches = 8;
  const std::int64_t from = solution.answer->value, width = (most - from) / kStretches;
  for (std::int64_t i = kStretches; width > 0 && i > 0; --i) {
    const std::int64_t value = i == kStretches ? most : from + i * width;
    ++solution.tried;
    if (!search.trial(value).holds()) continue;
    search.low = value;
    search.high = std::min(search.high, most + 1);
    Solution above = solve(search);
    above.tried += solution.tried;
    solution = std::move(above);
    return;
  }
}

} // namespace

Solution solve(const Inputs& inputs, const Profile& profile, const Profile& engine, const Field& field, Goal goal, Judge judge) {
  Solution solution;
  const auto refuse = [&](std::string message, std::string remedy) {
    solution.issues.push_back(refused(field, std::move(message), std::move(remedy)));
    return solution;
  };
  if (!planning::is_solvable(field))
    return refuse("The " + std::string{label_of(field)} + " is no whole number to look for.", "Ask for a whole number such as context_tokens or batch.");
  const Task task = inputs.workload.task;
  if (!applies(field, task)) return refuse("The " + std::string{label_of(field)} + " has no effect on this task.", "Ask for another field, or choose another task.");
  if (is_idle(field, inputs)) return refuse("The " + std::string{label_of(field)} + " has no effect as things are.", std::string{remedy_of(field)} + ".");
  const planning::Range range = planning::range_of(field, inputs, profile);
  const bool bisects = goal == Goal::largest && rises_with(field, inputs, profile);
  if (!bisects && range.high - range.low >= kMostTried)
    return refuse("Memory need not rise with the " + std::string{label_of(field)} + " in that direction, and its range is too wide to try every value.",
                  goal == Goal::smallest ? "Ask for the largest." : "Ask for another field.");

  Inputs changed = inputs;
  Search search{.low = range.low, .high = range.high, .cut = range.cut, .goal = goal, .method = bisects ? Method::bisection : Method::exhaustive, .trial = {}};
  search.trial = [&](std::int64_t value) {
    field.set(changed, value);
    return try_inputs(changed, profile, engine, judge);
  };
  solution = solve(search);
  if (bisects && judge == Judge::process && solution.answer && solution.next) {
    const Solution by_estimate = solve(inputs, profile, engine, field, goal, Judge::estimate);
    if (by_estimate.answer && by_estimate.answer->value > solution.next->value) look_further(search, by_estimate.answer->value, solution);
  }
  if (solution.answer || !solution.next) return solution;
  if (solution.next->trial.verdict() == Verdict::invalid) solution.issues = solution.next->trial.issues;
  else solution.issues.push_back(nothing_fits(field, *solution.next, trains(task)));
  return solution;
}

} // namespace plimsoll
