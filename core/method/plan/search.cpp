// How a value is looked for. The invariant of every search: the answer was tried and holds, the next step was tried and does not.
#include "plimsoll/method/solve.hpp"

#include <utility>

namespace plimsoll {

SearchSession::SearchSession(Search search) : search_(std::move(search)) {
  solution_.method = search_.method;
  const bool has_cut = search_.cut > search_.low && search_.cut <= search_.high;
  if (search_.method == Method::exhaustive) attempt(search_.goal == Goal::largest ? search_.high : search_.low);
  else begin_part(has_cut ? search_.cut : search_.low, search_.high);
}

bool SearchSession::advance() {
  if (!trying_) return false;
  if (trying_->advance()) return true;
  Step tried{value_, std::move(*trying_).trial()};
  trying_.reset();
  ++solution_.tried;
  tell(std::move(tried));
  return trying_.has_value();
}

void SearchSession::attempt(std::int64_t value) {
  value_ = value;
  trying_.emplace(search_.trial(value));
}

void SearchSession::tell(Step tried) {
  const bool valid = tried.trial.verdict() != Verdict::invalid, holds = tried.trial.holds();
  switch (stage_) {
    case Stage::each: return tell_each(std::move(tried));
    case Stage::doubling: return tell_doubled(std::move(tried));
    case Stage::narrowing:
      if (valid) best_ = std::move(tried);
      else low_ = tried.value;
      return narrow();
    case Stage::last:
    case Stage::halving:
      (holds ? best_ : solution_.next) = std::move(tried);
      return halve();
  }
}

void SearchSession::tell_each(Step tried) {
  const bool down = search_.goal == Goal::largest, is_end = tried.value == (down ? search_.low : search_.high);
  if (tried.trial.holds()) return solution_.answer = std::move(tried), void();
  if (tried.trial.verdict() != Verdict::invalid || !solution_.next) solution_.next = std::move(tried);
  if (!is_end) attempt(down ? value_ - 1 : value_ + 1);
}

/// Some inputs leave too short a context, or too small a group, without meaning.
void SearchSession::tell_doubled(Step tried) {
  if (tried.trial.verdict() != Verdict::invalid) {
    best_ = std::move(tried);
    return narrow();
  }
  if (tried.value >= high_) return part_fails(std::move(tried));
  low_ = tried.value;
  const std::int64_t step = step_;
  step_ = step > high_ / 2 ? high_ : 2 * step;
  attempt(step > high_ - low_ ? high_ : low_ + step);
}

void SearchSession::begin_part(std::int64_t low, std::int64_t high) {
  low_ = low, high_ = high, step_ = 1;
  stage_ = Stage::doubling;
  attempt(low);
}

void SearchSession::narrow() {
  stage_ = Stage::narrowing;
  if (best_->value - low_ > 1) attempt(low_ + (best_->value - low_) / 2);
  else begin_halving();
}

void SearchSession::begin_halving() {
  if (!best_->trial.holds()) return part_fails(std::move(*best_));
  stage_ = Stage::last;
  if (high_ > best_->value) attempt(high_);
  else halve();
}

void SearchSession::halve() {
  stage_ = Stage::halving;
  if (solution_.next && solution_.next->value > best_->value + 1) attempt(best_->value + (solution_.next->value - best_->value) / 2);
  else solution_.answer = std::move(best_);
}

/// Not even the first valid value holds: the answer, if there is one, lies below the cut.
void SearchSession::part_fails(Step least) {
  const bool is_upper = low_ >= search_.cut && search_.cut > search_.low;
  solution_.next = std::move(least);
  best_.reset();
  if (is_upper) begin_part(search_.low, search_.cut - 1);
}

Solution solve(Search search) {
  SearchSession session{std::move(search)};
  while (session.advance()) {}
  return std::move(session).solution();
}

} // namespace plimsoll
