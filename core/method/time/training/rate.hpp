#pragma once
// So much work at a share of a rate, in whole nanoseconds: exact, so that a formula's text gives the same number.

#include "method/term.hpp"
#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/hardware.hpp"
#include "plimsoll/method/profile.hpp"
#include "plimsoll/method/quantity.hpp"
#include "plimsoll/method/time.hpp"

#include <cstdint>

namespace plimsoll::timing {

__extension__ using Wide = __int128; // products of two 64-bit numbers

constexpr std::int64_t narrowed(Wide value) noexcept {
  return value >= Wide{Count::kMax} ? Count::kMax : static_cast<std::int64_t>(value);
}

/// ceil_div(amount * 10^12, rate * share): `amount` >= 0 of something at `share` thousandths of `rate` per second. Saturates where
/// rate or share is 0: what is unknown is never fast.
constexpr Nanoseconds time_of(Count amount, std::int64_t rate, std::int64_t share) noexcept {
  constexpr Wide kScale = 1'000'000'000'000;
  if (amount <= Count{0}) return Nanoseconds{0};
  if (rate <= 0 || share <= 0 || amount.saturated()) return Nanoseconds{Nanoseconds::kMax};
  const Wide step = Wide{rate} * share;
  return Nanoseconds{narrowed((Wide{amount.value} * kScale + step - 1) / step)};
}
constexpr Nanoseconds time_of(Bytes amount, std::int64_t rate, std::int64_t share) noexcept { return time_of(Count{amount.value}, rate, share); }

/// ceil_div(amount * numerator, denominator); `denominator` >= 1.
constexpr Nanoseconds scaled(Nanoseconds amount, std::int64_t numerator, std::int64_t denominator) noexcept {
  return Nanoseconds{narrowed((Wide{amount.value} * numerator + denominator - 1) / denominator)};
}

/// A rate of the device and the share of it that one gets.
struct Speed {
  std::int64_t rate = 0; ///< per second
  const Constant* share = nullptr;
};

/// The end of a constant's range: shares are fast where they are high, amounts where they are low.
enum class End : unsigned char { expected, fast, slow };
inline constexpr End kEnds[] = {End::expected, End::fast, End::slow};
constexpr std::int64_t share_at(const Constant& share, End end) noexcept {
  return end == End::expected ? share.value : end == End::fast ? share.high : share.low;
}
constexpr std::int64_t amount_at(const Constant& amount, End end) noexcept {
  return end == End::expected ? amount.value : end == End::fast ? amount.low : amount.high;
}
constexpr std::int64_t amount_at(const Term& term, End end) noexcept {
  return end == End::expected ? term.amount : end == End::fast ? term.low : term.high;
}

constexpr Nanoseconds time_at(const TimeRange& range, End end) noexcept { return end == End::expected ? range.expected : end == End::fast ? range.low : range.high; }

/// Whether it takes time at either end or in between: who waits for work that takes longer at the slow end may wait for none there.
constexpr bool is_any(const Term& term) noexcept { return term.low > 0 || term.amount > 0 || term.high > 0; }

/// A term whose three figures are `time(end)`.
template <class Time, std::size_t N> Term timed(const Formula& formula, Time&& time, SymbolValues<N> values) noexcept {
  Term term = make_term(formula, time(End::expected), values);
  term.low = time(End::fast).value;
  term.high = time(End::slow).value;
  return term;
}

} // namespace plimsoll::timing
