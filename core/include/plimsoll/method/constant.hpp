#pragma once
// A number of a framework, engine or driver, with its source.

#include "plimsoll/method/formula.hpp"

#include <cstdint>
#include <string_view>

namespace plimsoll {

/// One constant of a profile and where it comes from.
struct Constant {
  std::int64_t value = 0;
  std::int64_t low = 0;  ///< equal to value where nothing is uncertain
  std::int64_t high = 0;
  std::string_view citation; ///< id in core/catalog/data/citations.json, in the program's own data
  Basis basis = Basis::assumed;
};

/// So many thousandths of `amount`.
inline Bytes thousandths_of(Bytes amount, const Constant& thousandths) noexcept {
  constexpr std::int64_t kThousand = 1000;
  return Bytes{amount.value / kThousand * thousandths.value};
}

} // namespace plimsoll
