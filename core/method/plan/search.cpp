// How a value is looked for. The invariant of every search: the answer was tried and holds, the next step was tried and does not.
#include "plimsoll/method/solve.hpp"

#include <utility>

namespace plimsoll {

namespace {

class Searcher {
public:
  explicit Searcher(const Search& search) : search_(search) { solution_.method = search.method; }

  Solution run() && {
    if (search_.method == Method::exhaustive) exhaust();
    else if (!has_cut()) bisect(search_.low, search_.high);
    else if (!bisect(search_.cut, search_.high)) bisect(search_.low, search_.cut - 1);
    return std::move(solution_);
  }

private:
  bool has_cut() const noexcept { return search_.cut > search_.low && search_.cut <= search_.high; }

  Step at(std::int64_t value) {
    ++solution_.tried;
    return {value, search_.trial(value)};
  }

  /// The first value of a part that is valid: some inputs leave too short a context, or too small a group, without meaning.
  std::optional<Step> first_valid(std::int64_t low, std::int64_t high) {
    Step valid = at(low);
    for (std::int64_t step = 1; valid.trial.verdict() == Verdict::invalid && valid.value < high; step = step > high / 2 ? high : 2 * step) {
      low = valid.value;
      valid = at(step > high - low ? high : low + step);
    }
    if (valid.trial.verdict() == Verdict::invalid) return solution_.next = std::move(valid), std::nullopt;
    while (valid.value - low > 1) {
      Step middle = at(low + (valid.value - low) / 2);
      if (middle.trial.verdict() == Verdict::invalid) low = middle.value;
      else valid = std::move(middle);
    }
    return valid;
  }

  /// The largest in [low, high] where memory rises from low to high; false when not even the first valid one holds.
  bool bisect(std::int64_t low, std::int64_t high) {
    std::optional<Step> best = first_valid(low, high);
    if (!best) return false;
    if (!best->trial.holds()) return solution_.next = std::move(best), false;
    if (high > best->value) {
      Step over = at(high);
      if (over.trial.holds()) best = std::move(over);
      else solution_.next = std::move(over);
    }
    while (solution_.next && solution_.next->value > best->value + 1) {
      Step middle = at(best->value + (solution_.next->value - best->value) / 2);
      (middle.trial.holds() ? *best : *solution_.next) = std::move(middle);
    }
    solution_.answer = std::move(best);
    return true;
  }

  void exhaust() {
    const bool down = search_.goal == Goal::largest;
    const std::int64_t count = search_.high - search_.low + 1;
    for (std::int64_t i = 0; i < count; ++i) {
      Step step = at(down ? search_.high - i : search_.low + i);
      if (step.trial.holds()) return solution_.answer = std::move(step), void();
      if (step.trial.verdict() != Verdict::invalid || !solution_.next) solution_.next = std::move(step);
    }
  }

  const Search& search_;
  Solution solution_;
};

} // namespace

Solution solve(const Search& search) { return Searcher{search}.run(); }

} // namespace plimsoll
