#pragma once
// What a kernel's time depends on besides its shape: the data sheet of a GPU, and a few numbers of its class and number format, fitted on
// measured kernels (tests/fit; core/catalog/data/kernels.json).

#include "plimsoll/method/kernels.hpp"
#include "plimsoll/method/quantity.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace plimsoll::kernels {

/// A GPU as kernels see it.
struct Gpu {
  double flop = 0;   ///< FLOP/s of its matrix units in the format that is multiplied, by its data sheet; > 0
  double memory = 0; ///< bytes/s of its memory, by its data sheet; > 0
  double units = 0;  ///< multiprocessors that work side by side; >= 1
  double link = 0;   ///< bytes/s to the other GPUs of its node, one direction; 0 = not published
  double cache = 0;  ///< bytes that stay in its cache from one call to the next: 0 in a step, whose other kernels take it meanwhile
};

/// Numbers of one kernel on one class of GPUs, in the order that each kernel's header gives; all >= 0.
using Numbers = KernelNumbers;
using Tiles = KernelTiles;

inline constexpr double kNanoseconds = 1e9; ///< of a second

/// Nanoseconds of `amount` at so much per second.
constexpr double ns_of(double amount, double per_second) noexcept { return amount * kNanoseconds / per_second; }

/// Of a rate per second, what comes in a nanosecond.
constexpr double per_ns(double per_second) noexcept { return per_second / kNanoseconds; }

/// What runs at once takes as long as the longer part, and `share` of the shorter one, which is not hidden.
constexpr double together(double one, double other, double share) noexcept { return std::max(one, other) + share * std::min(one, other); }

/// Share of so many bytes that the cache still has when they are read over and over: all that it holds, nothing of twice as much.
constexpr double held(double bytes, double cache) noexcept { return cache <= 0 ? 0.0 : std::clamp(2 * cache / std::max(bytes, 1.0) - 1, 0.0, 1.0); }

/// Nanoseconds of reading at a share of the memory's rate, and `swift` times as fast what the cache has; share > 0.
constexpr double read_ns(double bytes, const Gpu& gpu, double share, double swift) noexcept {
  const double near = bytes * held(bytes, gpu.cache);
  return ns_of(bytes - near + near / std::max(swift, 1.0), gpu.memory * share);
}

/// The whole part of an amount: 0 of what is no number or below 1, and as much as can be counted of what is more.
constexpr std::int64_t whole_part(double amount) noexcept {
  constexpr double kTooLarge = 9e18;
  if (!(amount >= 1)) return 0;
  return amount >= kTooLarge ? Count::kMax : static_cast<std::int64_t>(amount);
}

/// Whole parts of a size that cover `all`; all, size > 0.
constexpr double parts_of(double all, double size) noexcept {
  const double parts = all / size;
  const double whole = static_cast<double>(whole_part(parts));
  return std::max(1.0, whole < parts ? whole + 1.0 : whole);
}

} // namespace plimsoll::kernels
