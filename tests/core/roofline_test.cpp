#include "method/time/roofline.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;
using timing::time_at;

TEST_CASE("time at a share of a rate") {
  CHECK(time_at(15'009'316'864, 3'350'000'000'000, 1000) == Nanoseconds{4'480'393}); // 4.48 ms to read Llama-3-8B
  CHECK(time_at(15'009'316'864, 3'350'000'000'000, 500) == Nanoseconds{8'960'786});
  CHECK(time_at(0, 1, 1) == Nanoseconds{0});
}

TEST_CASE("what is not known is never fast") {
  CHECK(time_at(1, 0, 1000).saturated());
  CHECK(time_at(1, 1, 0).saturated());
  CHECK(time_at(Bytes::kMax, 1, 1).saturated());
}
