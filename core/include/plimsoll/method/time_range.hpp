#pragma once
// A time with the range that its uncertain constants leave.

#include "plimsoll/method/quantity.hpp"

namespace plimsoll {

struct TimeRange {
  Nanoseconds expected;
  Nanoseconds low;  ///< with every uncertain constant at its fast end; low <= expected <= high
  Nanoseconds high;

  constexpr TimeRange& operator+=(const TimeRange& other) noexcept {
    expected += other.expected, low += other.low, high += other.high;
    return *this;
  }
};

} // namespace plimsoll
