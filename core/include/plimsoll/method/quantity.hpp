#pragma once
// Integers with a unit. Bytes stay bytes everywhere; KiB, MiB and GiB exist only in format.hpp.

#include <bit>
#include <compare>
#include <cstdint>
#include <limits>

namespace plimsoll {

namespace units {
struct One {};
struct Byte {};
struct Nanosecond {};
struct MicroDollar {};
struct Joule {};
struct Gram {};
} // namespace units

/// A signed 64-bit amount of one unit. Sums and products saturate at +-kMax instead of overflowing, so that the largest
/// scenario the field ranges allow gives a defined (and flagged: see Estimate::saturated) answer, not undefined behaviour.
/// Amounts of different units neither add nor compare: that is a compile error (tests/core/must_not_compile).
template <class Unit> struct Quantity {
  static constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  std::int64_t value = 0;

  constexpr Quantity() = default;
  constexpr explicit Quantity(std::int64_t v) noexcept : value(v) {}

  constexpr bool saturated() const noexcept { return value == kMax || value == -kMax; }
  constexpr auto operator<=>(const Quantity&) const noexcept = default;

  constexpr Quantity operator+(Quantity other) const noexcept {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(value, other.value, &sum)) return Quantity{value < 0 ? -kMax : kMax};
    return Quantity{sum};
  }
  constexpr Quantity operator-(Quantity other) const noexcept {
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(value, other.value, &difference)) return Quantity{value < 0 ? -kMax : kMax};
    return Quantity{difference};
  }
  constexpr Quantity& operator+=(Quantity other) noexcept { return *this = *this + other; }
};

/// A plain number: layers, tokens, heads, parameters.
using Count = Quantity<units::One>;
using Bytes = Quantity<units::Byte>;
using Nanoseconds = Quantity<units::Nanosecond>; ///< up to 292 years
using Money = Quantity<units::MicroDollar>;      ///< millionths of a US dollar, up to nine million million dollars
using Energy = Quantity<units::Joule>;
using Mass = Quantity<units::Gram>;

/// n * amount, at +-kMax where that leaves 64 bits.
constexpr std::int64_t saturated_product(std::int64_t n, std::int64_t amount) noexcept {
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(n, amount, &product)) return product;
  return (n < 0) != (amount < 0) ? -Count::kMax : Count::kMax;
}

/// The same, where it is called.
[[gnu::noinline, gnu::cold]] constexpr std::int64_t product_near_limit(std::int64_t n, std::int64_t amount) noexcept { return saturated_product(n, amount); }

template <class Unit> constexpr Quantity<Unit> operator*(Count n, Quantity<Unit> amount) noexcept {
  // A 32-bit target, as WebAssembly is, has no overflow flag for these and multiplies in 128 bits to find out; bits that are not needed tell as
  // well, where neither is negative and the product is not near the limit.
  if constexpr (sizeof(void*) < sizeof(std::int64_t)) {
    const auto unused = [](std::int64_t value) { return std::countl_zero(static_cast<std::uint64_t>(value)); };
    const bool is_far = unused(n.value) + unused(amount.value) > 64;
    return Quantity<Unit>{is_far ? n.value * amount.value : product_near_limit(n.value, amount.value)};
  }
  return Quantity<Unit>{saturated_product(n.value, amount.value)};
}

template <class Unit> constexpr Quantity<Unit> max(Quantity<Unit> a, Quantity<Unit> b) noexcept { return a < b ? b : a; }
template <class Unit> constexpr Quantity<Unit> min(Quantity<Unit> a, Quantity<Unit> b) noexcept { return b < a ? b : a; }

/// The number of pieces of size `step` that cover `n`; `step` >= 1, `n` >= 0.
constexpr Count ceil_div(Count n, Count step) noexcept {
  return Count{n.value / step.value + (n.value % step.value != 0 ? 1 : 0)};
}

} // namespace plimsoll
