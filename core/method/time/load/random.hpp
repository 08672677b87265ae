#pragma once
// Numbers that look drawn by chance and are the same on every platform.

#include <cstdint>

namespace plimsoll::timing {

/// Natural, for x > 0: halved or doubled until it is near 1, then the series of artanh.
inline double natural_logarithm(double x) noexcept {
  constexpr double kLog2 = 0.6931471805599453;
  double halvings = 0;
  for (; x < 0.70710678; x *= 2) halvings += 1;
  for (; x > 1.41421357; x /= 2) halvings -= 1;
  const double y = (x - 1) / (x + 1), square = y * y;
  double power = y, sum = 0;
  for (int i = 1; i < 30; i += 2) {
    sum += power / i;
    power *= square;
  }
  return 2 * sum - halvings * kLog2;
}

/// Of what the standard library has for it, no two platforms give the last digit alike: doubled as often as x holds ln 2, times the series of the rest.
inline double exponential(double x) noexcept {
  constexpr double kLog2 = 0.6931471805599453;
  double doubled = 1;
  for (; x > kLog2; x -= kLog2) doubled *= 2;
  for (; x < -kLog2; x += kLog2) doubled /= 2;
  double power = 1, sum = 0;
  for (int i = 1; i < 20; ++i) {
    sum += power;
    power *= x / i;
  }
  return doubled * sum;
}

/// Square root, for x > 0, by the same.
inline double root(double x) noexcept { return exponential(natural_logarithm(x) / 2); }

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014: SplitMix64.
class Chance {
public:
  explicit Chance(std::uint64_t seed) : state_(seed) {}

  /// Between 0 and 1, neither of them.
  double next() noexcept {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    constexpr double kStep = 1.0 / 9007199254740992.0;
    return (static_cast<double>(z >> 11) + 0.5) * kStep;
  }

  /// Of mean 1, exponentially distributed.
  double wait() noexcept { return -natural_logarithm(next()); }

  /// Of mean 0 and deviation 1, normally distributed: Marsaglia's polar method.
  double normal() noexcept {
    for (;;) {
      const double x = 2 * next() - 1, y = 2 * next() - 1, square = x * x + y * y;
      if (square < 1 && square > 0) return x * root(-2 * natural_logarithm(square) / square);
    }
  }

  /// Of mean 1, lognormally distributed; `squares` is the mean of its squares.
  double lognormal(double squares) noexcept {
    const double variance = natural_logarithm(squares); // of the logarithm
    return variance > 0 ? exponential(root(variance) * normal() - variance / 2) : 1;
  }

private:
  std::uint64_t state_;
};

} // namespace plimsoll::timing
