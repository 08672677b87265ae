#pragma once
// What a step of reinforcement learning is made of: so many answers, so long.

#include "plimsoll/method/quantity.hpp"
#include "plimsoll/method/scenario.hpp"

#include <cstdint>

namespace plimsoll::timing {

/// Tokens of prompts and answers.
struct AnswerLengths {
  std::int64_t prompt = 1, answer = 1, longest = 1; ///< on average, on average, at most
  constexpr std::int64_t sequence() const noexcept { return prompt + answer; }
};
AnswerLengths lengths_of(const Scenario& policy) noexcept;

/// Sequences that a step generates, scores and trains on.
Count answers_of(const Scenario& policy) noexcept;
/// Rows of an optimizer step of all replicas, and how many rows so many sequences fill: packed ones hold several, first fit, the longest first.
struct UpdateRows {
  Count rows, sequences{1}, filled{1}; ///< `sequences` sequences fill `filled` rows
};
UpdateRows rows_of_update(const Scenario& policy) noexcept;

/// The length below which that share of answers is, `share` between 0 and 1. Of all distributions over lengths up to the longest with that
/// mean, the one of most entropy: an exponential one that is cut off, which falls where the mean is below the middle and rises above it.
std::int64_t length_at(const AnswerLengths& lengths, double share) noexcept;

} // namespace plimsoll::timing
