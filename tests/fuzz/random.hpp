#pragma once
// Random numbers that are the same on every platform: the standard library leaves its distributions open.

#include <cstddef>
#include <cstdint>
#include <span>

namespace plimsoll::fuzz {

/// splitmix64: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014, figure 16.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() noexcept {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }

  /// Below `n`, which is at least 1. Not exactly uniform, which does not matter here.
  std::size_t below(std::size_t n) noexcept { return static_cast<std::size_t>(next() % n); }

  /// True once in `n` times.
  bool once_in(std::size_t n) noexcept { return below(n) == 0; }

  template <class Item> const Item& one_of(std::span<const Item> items) noexcept { return items[below(items.size())]; }

private:
  std::uint64_t state_;
};

} // namespace plimsoll::fuzz
