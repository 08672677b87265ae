#pragma once
// Measured rows of tests/corpus as JSON.

#include "text/json.hpp"

#include <fstream>
#include <iterator>
#include <string>

namespace plimsoll::test {

/// The array in tests/corpus/`name`; null when it cannot be read.
inline io::Json measured_rows(const std::string& name) {
  std::ifstream file{PLIMSOLL_SOURCE_DIR "/tests/corpus/" + name};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  return io::parse_json(text, {.bytes = std::size_t{1} << 24, .keys = 1'000'000}).value;
}

} // namespace plimsoll::test
