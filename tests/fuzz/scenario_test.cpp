// JSON scenarios that nobody should write, and some that somebody will.
#include "invariants.hpp"
#include "mutate.hpp"
#include "texts.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;
using namespace plimsoll::fuzz;

namespace {

constexpr int kTries = 400;    // a few seconds in a debug build with sanitizers
constexpr std::size_t kDeep = 100'000;

} // namespace

TEST_CASE("any scenario is answered", "[fuzz]") {
  const io::Catalog catalog = io::Catalog::load();
  Random random{11};
  for (int i = 0; i < kTries; ++i) {
    const std::string scenario = random_scenario(random);
    CAPTURE(i, scenario);
    REQUIRE(broken_by_scenario(catalog, scenario) == "");
  }
}

TEST_CASE("a damaged scenario is answered", "[fuzz]") {
  const io::Catalog catalog = io::Catalog::load();
  Random random{12};
  for (int i = 0; i < kTries; ++i) {
    const std::string scenario = mutated(random_scenario(random), random);
    CAPTURE(i, scenario);
    REQUIRE(broken_by_scenario(catalog, scenario) == "");
  }
}

// A parser or printer that calls itself for every level runs out of stack: at once under node, which has the least.
TEST_CASE("a deeply nested scenario is answered", "[fuzz]") {
  const io::Catalog catalog = io::Catalog::load();
  CHECK(broken_by_scenario(catalog, nested("[", "", "]", kDeep)) == "");
  CHECK(broken_by_scenario(catalog, nested("[", "", "", kDeep)) == "");
  CHECK(broken_by_scenario(catalog, nested(R"({"model":)", "1", "}", kDeep)) == "");
  CHECK(broken_by_scenario(catalog, R"({"batch":)" + nested("[", "", "]", kDeep) + "}") == "");
}
