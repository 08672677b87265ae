#pragma once
// The facts of a model that people can change: one per row of the model field table, read from its config by the importer.

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>

namespace plimsoll {

inline constexpr std::size_t kMostFacts = 96;

/// Values by fact, in the order of the rows of the model field table.
struct ModelFacts {
  std::array<std::int64_t, kMostFacts> values{};
  std::bitset<kMostFacts> known; ///< the model's family has this fact; others have no effect on it
};

} // namespace plimsoll
