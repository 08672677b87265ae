#pragma once
// The fields that a search for a plan varies.

#include "plimsoll/method/plan.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace plimsoll::io {

struct SearchedField {
  std::string_view field; ///< of the field tables
  /// Keeps a value that a question states; null for what follows from other values.
  void (*keep)(PlanAxes& axes, std::int64_t value);
  void (*keep_list)(PlanAxes& axes, std::vector<std::int64_t> values) = nullptr; ///< the same of a list
};

/// In the order in which stated values are to be kept: some build on those before them.
std::span<const SearchedField> searched_fields() noexcept;

bool is_searched(std::string_view field) noexcept;

} // namespace plimsoll::io
