#pragma once
// What is known of a field before it is searched: the values that differ from each other, and whether memory rises with it.

#include "plimsoll/method/solve.hpp"

#include <cstdint>

namespace plimsoll::planning {

struct Range {
  std::int64_t low = 0, high = 0;
  std::int64_t cut = 0; ///< as in Search
};

/// The field must be a whole number of the scenario (is_solvable()).
Range range_of(const Field& field, const Inputs& inputs, const Profile& profile) noexcept;

/// Whether it is a whole number that fields().set changes: no id, no choice, no fact of a model, which the importer reads.
bool is_solvable(const Field& field) noexcept;

} // namespace plimsoll::planning
