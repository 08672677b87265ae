// Queries that nobody should write, and some that somebody will.
#include "invariants.hpp"
#include "mutate.hpp"
#include "texts.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;
using namespace plimsoll::fuzz;

namespace {

constexpr int kTries = 400;    // a few seconds in a debug build with sanitizers

} // namespace

TEST_CASE("any query is answered", "[fuzz]") {
  const io::Catalog catalog = io::Catalog::load();
  Random random{1};
  for (int i = 0; i < kTries; ++i) {
    const std::string query = random_query(random);
    CAPTURE(i, query);
    REQUIRE(broken_by_query(catalog, query) == "");
  }
}

TEST_CASE("a damaged query is answered", "[fuzz]") {
  const io::Catalog catalog = io::Catalog::load();
  Random random{2};
  for (int i = 0; i < kTries; ++i) {
    const std::string query = mutated(random_query(random), random);
    CAPTURE(i, query);
    REQUIRE(broken_by_query(catalog, query) == "");
  }
}

TEST_CASE("noise is answered", "[fuzz]") {
  const io::Catalog catalog = io::Catalog::load();
  Random random{3};
  for (int i = 0; i < kTries / 10; ++i) {
    std::string noise(random.below(300), '\0');
    for (char& c : noise) c = static_cast<char>(random.next());
    CAPTURE(i, noise);
    REQUIRE(broken_by_query(catalog, noise) == "");
  }
}

TEST_CASE("a very long query is answered", "[fuzz]") {
  const io::Catalog catalog = io::Catalog::load();
  constexpr std::size_t kLong = 300'000;    // the canonical query may be three times as long and must still be read
  CHECK(broken_by_query(catalog, "model=" + std::string(kLong, 'x')) == "");
  CHECK(broken_by_query(catalog, std::string(kLong, '&')) == "");
  CHECK(broken_by_query(catalog, std::string(kLong, '%')) == "");
  CHECK(broken_by_query(catalog, std::string(2'000'000, 'x')) == "");    // longer than is read
}
