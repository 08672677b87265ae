#pragma once
// A row of evidence: a question that a user could put, and what was measured; docs/evidence.md has the schema.

#include "plimsoll/evidence/accuracy.hpp"
#include "text/json.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll::io::accuracy {

/// One comparison for each figure of the row; one with a reason for what is no row.
void compare_row(const Catalog& catalog, const Json& row, const RowFiles& files, std::vector<Comparison>& into);

/// 10^decimals, 0 to 9.
constexpr double power_of_ten(int decimals) noexcept {
  double power = 1;
  for (int i = 0; i < decimals && i < 9; ++i) power *= 10;
  return power;
}

/// The whole number under that key, where there is one; 1e9 and 1000.0 are whole.
std::optional<std::int64_t> number_of(const Json& row, const char* key);
/// The number under that key in units of 10^-decimals (0 to 9), rounded to the nearest; nothing where it does not fit.
std::optional<std::int64_t> decimal_of(const Json& row, const char* key, int decimals);
/// The sentences under that key; none where it is no list of texts.
std::vector<std::string> texts_of(const Json& row, const char* key);

} // namespace plimsoll::io::accuracy
