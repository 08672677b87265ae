#pragma once
// JSON in tests: what cannot be read fails the test that asked.

#include "text/json.hpp"

#include <catch2/catch_test_macros.hpp>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace plimsoll::test {

inline constexpr io::JsonLimits kLargeFiles{.bytes = std::size_t{1} << 26, .keys = 4'000'000};

inline io::Json parsed(std::string_view text) {
  io::ParsedJson json = io::parse_json(text, kLargeFiles);
  INFO(json.error);
  REQUIRE(json.ok);
  return std::move(json.value);
}

/// The file at a path within the repository.
inline io::Json parsed_file(const std::string& path) {
  std::ifstream file{std::string{PLIMSOLL_SOURCE_DIR "/"} + path, std::ios::binary};
  INFO(path);
  REQUIRE(file.is_open());
  return parsed(std::string{std::istreambuf_iterator<char>{file}, {}});
}

} // namespace plimsoll::test
