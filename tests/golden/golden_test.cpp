// Each line of scenarios.txt, "name query", and what explain_json says of it in expected/name.json. The same files judge the
// native build, WebAssembly, the command line, the JS module and the page.
//
// A golden file changes only by decision: when a formula, a source or a text was meant to change. Then run
//   PLIMSOLL_APPROVE=1 build/native-release/tests/golden/test_golden
// and read the difference line by line before committing it.
#include "plimsoll/io/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>

using namespace plimsoll;

namespace {

const std::string kFolder = PLIMSOLL_SOURCE_DIR "/tests/golden/";

std::string read(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// Where two texts part, with what surrounds it: a golden file is one long line.
std::string difference(const std::string& expected, const std::string& actual) {
  std::size_t at = 0;
  while (at < expected.size() && at < actual.size() && expected[at] == actual[at]) ++at;
  const std::size_t from = at < 80 ? 0 : at - 80;
  return "expected …" + expected.substr(from, 200) + "…\nactual   …" + actual.substr(from, 200) + "…";
}

} // namespace

TEST_CASE("golden scenarios are reproduced byte for byte") {
  std::ifstream scenarios{kFolder + "scenarios.txt"};
  REQUIRE(scenarios.is_open());
  const bool approve = std::getenv("PLIMSOLL_APPROVE") != nullptr;
  int count = 0;
  for (std::string name, query; scenarios >> name >> query; ++count) {
    const std::string actual = io::explain_json(test::catalog(), io::answer_query(test::catalog(), query)) + "\n";
    const std::string path = kFolder + "expected/" + name + ".json";
    if (approve) std::ofstream{path, std::ios::binary} << actual;
    const std::string expected = read(path);
    INFO(name << ": " << difference(expected, actual));
    CHECK(expected == actual);
  }
  CHECK(count >= 12);
}
