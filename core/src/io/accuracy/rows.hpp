#pragma once
// One reader for each schema of rows.

#include "io/json.hpp"
#include "plimsoll/io/accuracy.hpp"

namespace plimsoll::io::accuracy {

/// A schema: how its rows are recognised, and what they become.
struct Schema {
  const char* name;
  bool (*matches)(const Json& row);
  void (*compare)(const Json& row, std::vector<Comparison>& into);
};

/// Rows with a config and published parameter counts.
Schema models();
/// Rows of kind "kernel": the peak of one operator in a benchmark.
Schema kernels();

/// The text under that key; "" when it is absent or no text.
std::string text_of(const Json& row, const char* key);
/// The whole number under that key, where there is one.
std::optional<std::int64_t> number_of(const Json& row, const char* key);

} // namespace plimsoll::io::accuracy
