#pragma once
// Compares a text with tests/golden/expected/name.json, or approves it (golden_test.cpp says how).

#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace plimsoll::test {

inline const std::string kGoldenFolder = PLIMSOLL_SOURCE_DIR "/tests/golden/";

/// Where two texts part, with what surrounds it: a golden file is one long line.
inline std::string golden_difference(const std::string& expected, const std::string& actual) {
  std::size_t at = 0;
  while (at < expected.size() && at < actual.size() && expected[at] == actual[at]) ++at;
  const std::size_t from = at < 80 ? 0 : at - 80;
  return "expected …" + expected.substr(from, 200) + "…\nactual   …" + actual.substr(from, 200) + "…";
}

inline void check_golden(const std::string& name, const std::string& actual) {
  const std::string path = kGoldenFolder + "expected/" + name + ".json";
  if (std::getenv("PLIMSOLL_APPROVE") != nullptr) std::ofstream{path, std::ios::binary} << actual;
  std::ifstream file{path, std::ios::binary};
  const std::string expected{std::istreambuf_iterator<char>{file}, {}};
  INFO(name << ": " << golden_difference(expected, actual));
  CHECK(expected == actual);
}

} // namespace plimsoll::test
