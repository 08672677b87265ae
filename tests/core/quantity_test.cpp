#include "plimsoll/method/quantity.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;

static_assert(Count{3} * Bytes{4} == Bytes{12});
static_assert(Bytes{1} + Bytes{2} == Bytes{3});
static_assert(ceil_div(Count{17}, Count{16}) == Count{2});
static_assert(ceil_div(Count{16}, Count{16}) == Count{1});
static_assert(ceil_div(Count{0}, Count{16}) == Count{0});

TEST_CASE("sums and products saturate instead of overflowing") {
  const Bytes most{Bytes::kMax};
  CHECK((most + Bytes{1}) == most);
  CHECK((Count{Count::kMax} * Bytes{2}) == most);
  CHECK((Count{-Count::kMax} * Bytes{2}) == Bytes{-Bytes::kMax});
  CHECK((Bytes{-Bytes::kMax} - Bytes{2}) == Bytes{-Bytes::kMax});
  CHECK((Count{Count::kMax} * Bytes{2}).saturated());
  CHECK(!Bytes{Bytes::kMax - 1}.saturated());
}
