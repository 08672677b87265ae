#include "method/plan/solvable.hpp"
#include "plimsoll/method/format.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace plimsoll {

namespace {

constexpr std::int64_t kStretches = 8; ///< above an answer: values that are tried there

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

} // namespace

FieldSession::FieldSession(const Inputs& inputs, const Profile& profile, const Profile& engine, const Field& field, Goal goal, Judge judge)
    : inputs_(inputs), profile_(profile), engine_(engine), field_(field), changed_(inputs), goal_(goal), judge_(judge) {
  begin();
}

void FieldSession::begin() {
  const std::string label{label_of(field_)};
  if (!planning::is_solvable(field_)) return refuse("The " + label + " is no whole number to look for.", "Ask for a whole number such as context_tokens or batch.");
  if (!applies(field_, inputs_.workload.task)) return refuse("The " + label + " has no effect on this task.", "Ask for another field, or choose another task.");
  if (is_idle(field_, inputs_)) return refuse("The " + label + " has no effect as things are.", std::string{remedy_of(field_)} + ".");
  const planning::Range range = planning::range_of(field_, inputs_, profile_);
  bisects_ = goal_ == Goal::largest && rises_with(field_, inputs_, profile_);
  if (!bisects_ && range.high - range.low >= kMostTried)
    return refuse("Memory need not rise with the " + label + " in that direction, and its range is too wide to try every value.",
                  goal_ == Goal::smallest ? "Ask for the largest." : "Ask for another field.");
  searching_.emplace(search_by(judge_));
}

void FieldSession::refuse(std::string message, std::string remedy) { solution_.issues.push_back(refused(field_, std::move(message), std::move(remedy))); }

Search FieldSession::search_by(Judge judge) {
  const planning::Range range = planning::range_of(field_, inputs_, profile_);
  Search search{.low = range.low, .high = range.high, .cut = range.cut, .goal = goal_, .method = bisects_ ? Method::bisection : Method::exhaustive, .trial = {}};
  search.trial = [this, judge](std::int64_t value) {
    field_.set(changed_, value);
    return TrialSession{changed_, profile_, engine_, judge};
  };
  return search;
}

bool FieldSession::advance() {
  if (trying_) {
    if (trying_->advance()) return true;
    tell_further();
  } else if (searching_) {
    if (searching_->advance()) return true;
    solution_ = std::move(*searching_).solution();
    solution_.tried += tried_before_;
    if (tried_before_ == 0 && may_hold_again()) begin_further();
    else finish();
  }
  return searching_.has_value();
}

/// The allocator rounds pieces to segments, and a larger piece may leave less of them unused.
bool FieldSession::may_hold_again() {
  if (!bisects_ || judge_ != Judge::process || !solution_.answer || !solution_.next) return false;
  const Solution by_estimate = solve(search_by(Judge::estimate));
  most_ = by_estimate.answer ? by_estimate.answer->value : 0;
  return most_ > solution_.next->value;
}

/// Between the answer and the largest value that the estimate allows, some values are tried; where one holds, the search goes on from there.
void FieldSession::begin_further() {
  tried_before_ = solution_.tried;
  stretch_ = kStretches;
  try_further();
}

void FieldSession::try_further() {
  const std::int64_t from = solution_.answer->value, width = (most_ - from) / kStretches;
  if (width == 0 || stretch_ == 0) return finish();
  further_ = stretch_ == kStretches ? most_ : from + stretch_ * width;
  trying_.emplace(searching_->search().trial(further_));
}

void FieldSession::tell_further() {
  const bool holds = std::move(*trying_).trial().holds();
  trying_.reset();
  --stretch_;
  ++solution_.tried;
  if (!holds) return try_further();
  tried_before_ = solution_.tried;
  Search above = searching_->search();
  above.low = further_;
  above.high = std::min(above.high, most_ + 1);
  searching_.emplace(std::move(above));
}

void FieldSession::finish() {
  searching_.reset();
  if (solution_.answer || !solution_.next) return;
  if (solution_.next->trial.verdict() == Verdict::invalid) solution_.issues = solution_.next->trial.issues;
  else solution_.issues.push_back(nothing_fits(field_, *solution_.next, trains(inputs_.workload.task)));
}

Solution solve(const Inputs& inputs, const Profile& profile, const Profile& engine, const Field& field, Goal goal, Judge judge) {
  FieldSession session{inputs, profile, engine, field, goal, judge};
  while (session.advance()) {}
  return std::move(session).solution();
}

} // namespace plimsoll
