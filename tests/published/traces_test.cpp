// Runs of vLLM whose requests came by their own clock (tests/corpus/traces.json, made by tests/corpus/convert/traces.py), request by request.
#include "corpus.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace plimsoll;

TEST_CASE("traces: half of the figures within 5 %, all within 35 %") {
  std::vector<double> off;
  for (const io::Comparison& row : test::corpus("traces").rows) {
    INFO(row.id << " " << row.metric << " " << row.reason);
    REQUIRE(row.modelled);
    off.push_back(std::fabs(static_cast<double>(row.predicted) / static_cast<double>(*row.measured) - 1));
    CHECK(off.back() <= 0.35);
  }
  REQUIRE(off.size() == 12);
  std::ranges::sort(off);
  CHECK(off[off.size() / 2 - 1] <= 0.05);
}
