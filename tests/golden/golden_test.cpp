// Each line of scenarios.txt, "name query", and what explain_json says of it in expected/name.json. The same files judge the
// native build, WebAssembly, the command line, the JS module and the page.
//
// A golden file changes only by decision: when a formula, a source or a text was meant to change. Then run
//   PLIMSOLL_APPROVE=1 build/native-release/tests/golden/test_golden
// and read the difference line by line before committing it.
#include "golden.hpp"

#include "plimsoll/io/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <fstream>
#include <string>

using namespace plimsoll;

TEST_CASE("golden scenarios are reproduced byte for byte") {
  std::ifstream scenarios{test::kGoldenFolder + "scenarios.txt"};
  REQUIRE(scenarios.is_open());
  int count = 0;
  for (std::string name, query; scenarios >> name >> query; ++count)
    test::check_golden(name, io::explain_json(test::catalog(), io::answer_query(test::catalog(), query)) + "\n");
  CHECK(count >= 12);
}
