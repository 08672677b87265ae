#pragma once
// The largest or smallest value of one input that still fits, exact by search over the estimate: the answer fits, and the step after
// it does not. Where more of an input never needs less memory the range is bisected; where that is not known every value is tried.

#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/fields.hpp"
#include "plimsoll/method/issue.hpp"
#include "plimsoll/method/verdict.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

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
  std::function<Trial(std::int64_t)> trial;
};
Solution solve(const Search& search);

/// Values of `field` within its range and what it can mean for the inputs (no more layers than the model has, ...). Whole numbers of the
/// scenario only: ids, choices and facts of a model get an issue, and so does a range of more than kMostTried values without a known
/// direction. What `inputs` say of the field itself does not matter.
Solution solve(const Inputs& inputs, const Profile& profile, const Profile& engine, const Field& field, Goal goal, Judge judge = Judge::estimate);

inline constexpr std::int64_t kMostTried = 65'536;

/// Whether more of the field never needs less memory for these inputs: those are bisected.
bool rises_with(const Field& field, const Inputs& inputs, const Profile& profile) noexcept;

} // namespace plimsoll
