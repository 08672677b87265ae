#pragma once
// How long a device takes for so much arithmetic or so many bytes, at a share of its rate. What runs at once takes as long as the
// longest of its parts: Williams, Waterman and Patterson, "Roofline", CACM 52 (2009), 65-76.

#include "plimsoll/method/quantity.hpp"

#include <cstdint>

namespace plimsoll::timing {

/// `amount` of something at `share` thousandths of `per_second`, rounded to the nearest nanosecond. 0 where there is nothing to do;
/// saturates where the rate or the share is not known (0 or less), so that an unknown rate can never make something look fast.
/// One multiplication and one division of doubles, exact in the same way on every platform.
constexpr Nanoseconds time_at(std::int64_t amount, std::int64_t per_second, std::int64_t share) noexcept {
  if (amount <= 0) return Nanoseconds{0};
  if (per_second <= 0 || share <= 0) return Nanoseconds{Nanoseconds::kMax};
  constexpr double kNanoseconds = 1'000'000'000.0, kThousandths = 1000.0, kMost = 9'000'000'000'000'000'000.0;
  const double exact = static_cast<double>(amount) * (kNanoseconds * kThousandths) / (static_cast<double>(per_second) * static_cast<double>(share));
  return exact >= kMost ? Nanoseconds{Nanoseconds::kMax} : Nanoseconds{static_cast<std::int64_t>(exact + 0.5)};
}

/// How many of `amount` make a second, in thousandths, where all of them take that long; rounded down. 0 where that is not known.
constexpr Count thousandths_per_second(std::int64_t amount, Nanoseconds time) noexcept {
  if (amount <= 0 || time <= Nanoseconds{0} || time.saturated()) return Count{0};
  constexpr double kThousandths = 1000.0 * 1'000'000'000.0, kMost = 9'000'000'000'000'000'000.0;
  const double exact = static_cast<double>(amount) * kThousandths / static_cast<double>(time.value);
  return Count{exact >= kMost ? Count::kMax : static_cast<std::int64_t>(exact)};
}

} // namespace plimsoll::timing
