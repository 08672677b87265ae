#pragma once
// Formulas of times: an amount at a share of a rate.

#include "method/term.hpp"
#include "method/time/roofline.hpp"
#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/profile.hpp"

#include <cstdint>
#include <string_view>

namespace plimsoll::timing {

inline constexpr SymbolText kBytes{"bytes", "bytes", "that one GPU reads", ""};
inline constexpr SymbolText kRate{"rate", "bytes/s", "of the device's memory, by its data sheet", "device"};
inline constexpr SymbolText kFlops{"rate", "FLOP/s", "of the device's matrix units, by its data sheet; of packed blocks in int8, less what scaling each of them takes", "device"};
inline constexpr SymbolText kShare{"share", "thousandths", "of that rate which the engine's kernels reach", "profile"};
inline constexpr SymbolText kLayers{"layers", "layers", "on the GPU", "layers"};
inline constexpr SymbolText kSequences{"sequences", "sequences", "in one step", "batch"};

// An amount at a share of a rate reads "floor_div(2000000000000 * amount + rate * share, 2 * rate * share)" in a formula's text: a
// thousandth of a share and a nanosecond of a second, rounded to the nearest as time_at() does.

/// `amount` at so many thousandths of `rate`: term.low where the share is high.
template <std::size_t N> Term timed(const Formula& formula, std::int64_t amount, std::int64_t rate, const Constant& share, SymbolValues<N> values) noexcept {
  Term term = make_term(formula, time_at(amount, rate, share.value), values, {.provenance = &share});
  term.low = time_at(amount, rate, share.high).value;
  term.high = time_at(amount, rate, share.low).value;
  return term;
}

/// At so many bytes/s, which are themselves a constant.
template <std::size_t N> Term at_rate(const Formula& formula, Bytes bytes, SymbolValues<N> values, const Constant& rate) noexcept {
  constexpr std::int64_t kWhole = 1000;
  Term term = make_term(formula, time_at(bytes.value, rate.value, kWhole), values, {.provenance = &rate});
  term.low = time_at(bytes.value, rate.high, kWhole).value;
  term.high = time_at(bytes.value, rate.low, kWhole).value;
  return term;
}

/// `times` × so many nanoseconds.
template <std::size_t N> Term repeated(const Formula& formula, Count times, const Constant& each, SymbolValues<N> values) noexcept {
  Term term = make_term(formula, times * Nanoseconds{each.value}, values, {.provenance = &each});
  term.low = (times * Nanoseconds{each.low}).value;
  term.high = (times * Nanoseconds{each.high}).value;
  return term;
}

} // namespace plimsoll::timing
