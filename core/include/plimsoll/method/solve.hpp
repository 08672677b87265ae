#pragma once
// The largest or smallest value of one input that still fits, exact by search over the estimate: the answer fits, and the step after
// it does not. Where more of an input never needs less memory the range is bisected; where that is not known every value is tried.

#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/fields.hpp"
#include "plimsoll/method/footprint.hpp"
#include "plimsoll/method/issue.hpp"
#include "plimsoll/method/verdict.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace plimsoll {

enum class Goal : unsigned char { largest, smallest };

/// What a value must stay within.
enum class Judge : unsigned char {
  estimate, ///< Estimate::fits: the sum of what is alive at the fullest moment. Microseconds each
  process,  ///< and Footprint::fits: with the allocator's segments, as `plimsoll estimate` judges. Milliseconds each. Segments do not rise
            ///< evenly, so that a value above the next step may fit again: some are tried, up to the largest that the estimate allows
};

/// One value that was tried.
struct Trial {
  Judgement judgement;   ///< judge()'s, as everything else's
  Estimate estimate;     ///< unless invalid
  Bytes needs;           ///< by the judge: what the fullest GPU must hold
  Bytes usable;
  Issues issues;         ///< errors of validate()

  Verdict verdict() const noexcept { return judgement.verdict; }
  bool holds() const noexcept { return judgement.holds(); }
};

/// Validates and estimates `inputs`. `engine` is the profile of the inference engine that generates answers (scenario_of()).
Trial try_inputs(const Inputs& inputs, const Profile& profile, const Profile& engine, Judge judge);

/// The same in steps, for who has to answer between them.
class TrialSession {
public:
  TrialSession(const Inputs& inputs, const Profile& profile, const Profile& engine, Judge judge);
  TrialSession(Trial done); ///< nothing is left of it

  /// A step of FootprintSession more. False once all is done.
  bool advance();
  /// Whole once all is done.
  Trial trial() &&;

private:
  Trial trial_;
  std::optional<FootprintSession> replay_; ///< of the process, where there is one to judge
};

enum class Method : unsigned char { bisection, exhaustive };
constexpr std::string_view name_of(Method method) noexcept { return method == Method::bisection ? "bisection" : "exhaustive"; }

struct Step {
  std::int64_t value = 0;
  Trial trial;
};

struct Solution {
  Method method = Method::bisection;
  std::int64_t tried = 0;      ///< values that were validated and, where valid, estimated
  std::optional<Step> answer;  ///< empty: nothing fits, and `issues` say why and what to do
  std::optional<Step> next;    ///< the step after the answer, or the best that was tried where there is no answer; empty at the end of the range
  Issues issues;
};

/// A whole number between `low` and `high` that is looked for, and what one value of it comes to.
struct Search {
  std::int64_t low = 0, high = 0; ///< low <= high
  std::int64_t cut = 0;           ///< of bisection: the first value of a second part in which memory rises anew; 0 = one part
  Goal goal = Goal::largest;
  Method method = Method::bisection; ///< bisection finds the largest only: memory rises with the value
  std::function<TrialSession(std::int64_t)> trial;
};

/// The search in steps, one after the other; all of them are solve().
class SearchSession {
public:
  explicit SearchSession(Search search);
  /// A step of a trial more. False once all is done.
  bool advance();
  /// Whole once all is done.
  Solution solution() && { return std::move(solution_); }
  const Search& search() const noexcept { return search_; }

private:
  /// Bisection looks for the first valid value by doubling, then halving; tries the last; and halves between what holds and what does not.
  enum class Stage : unsigned char { each, doubling, narrowing, last, halving };

  void attempt(std::int64_t value);
  void tell(Step tried);
  void tell_each(Step tried);
  void tell_doubled(Step tried);
  void begin_part(std::int64_t low, std::int64_t high);
  void narrow();
  void begin_halving();
  void halve();
  void part_fails(Step least);

  Search search_;
  Solution solution_;
  Stage stage_ = Stage::each;
  std::optional<TrialSession> trying_; ///< nothing once all is done
  std::int64_t value_ = 0;             ///< that is tried
  std::int64_t low_ = 0, high_ = 0;    ///< of the part that is bisected; `low_`: the last that is not valid
  std::int64_t step_ = 1;
  std::optional<Step> best_;           ///< of that part
};

Solution solve(Search search);

/// Values of `field` within its range and what it can mean for the inputs (no more layers than the model has, ...). Whole numbers of the
/// scenario only: ids, choices and facts of a model get an issue, and so does a range of more than kMostTried values without a known
/// direction. What `inputs` say of the field itself does not matter.
Solution solve(const Inputs& inputs, const Profile& profile, const Profile& engine, const Field& field, Goal goal, Judge judge = Judge::estimate);

/// The same in steps. What it is about must outlive it, where it is.
class FieldSession {
public:
  FieldSession(const Inputs& inputs, const Profile& profile, const Profile& engine, const Field& field, Goal goal, Judge judge);
  FieldSession(const FieldSession&) = delete;
  FieldSession& operator=(const FieldSession&) = delete;
  /// A step of a trial more. False once all is done.
  bool advance();
  /// Whole once all is done.
  Solution solution() && { return std::move(solution_); }

private:
  void begin();
  void refuse(std::string message, std::string remedy);
  Search search_by(Judge judge);
  bool may_hold_again();
  void begin_further();
  void try_further();
  void tell_further();
  void finish();

  const Inputs& inputs_;
  const Profile &profile_, &engine_;
  const Field& field_;
  Inputs changed_; ///< with the value that is tried
  Goal goal_;
  Judge judge_;
  bool bisects_ = false;
  std::optional<SearchSession> searching_; ///< nothing once all is done
  std::optional<TrialSession> trying_;     ///< of a value above the answer
  std::int64_t most_ = 0;                  ///< that the estimate allows
  std::int64_t further_ = 0, stretch_ = 0; ///< the value above the answer, and in which of equal stretches it lies
  std::int64_t tried_before_ = 0;          ///< when it held; 0 = none was tried
  Solution solution_;
};

inline constexpr std::int64_t kMostTried = 65'536;

/// Whether more of the field never needs less memory for these inputs: those are bisected.
bool rises_with(const Field& field, const Inputs& inputs, const Profile& profile) noexcept;

} // namespace plimsoll
