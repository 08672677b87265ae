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

private:
  std::uint64_t state_;
};

} // namespace plimsoll::timing
