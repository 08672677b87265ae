// This value is written as this text.
#include "plimsoll/format.hpp"

#include <catch2/catch_test_macros.hpp>

#include <limits>
#include <utility>

using namespace plimsoll;

TEST_CASE("bytes are written with binary prefixes and three figures") {
  const std::pair<std::int64_t, const char*> rows[] = {
      {0, "0 B"},
      {1, "1 B"},
      {1023, "1,023 B"},
      {1024, "1.00 KiB"},
      {131'072, "128 KiB"},
      {8'519'680, "8.13 MiB"},
      {1'073'741'824, "1.00 GiB"},
      {16'060'522'496, "15.0 GiB"},
      {25'383'639'449, "23.6 GiB"},
      {141'107'412'992, "131 GiB"},
      {1'099'511'627'776, "1.00 TiB"},
      {-3'639'328'768, "-3.39 GiB"},
      {Bytes::kMax, "8.00 EiB"},
  };
  for (const auto& [bytes, text] : rows) CHECK(format_bytes(Bytes{bytes}) == text);
}

TEST_CASE("rounding carries into the next figure") {
  CHECK(format_bytes(Bytes{1024 * 1024 - 1}) == "1,024 KiB");
  CHECK(format_gib(Bytes{1'073'741'823}, 1) == "1.0");
  CHECK(format_gib(Bytes{59'500'000'000}, 1) == "55.4");
  CHECK(format_gib(gibibytes(-2), 0) == "-2");
}

TEST_CASE("counts have thousands separators") {
  CHECK(format_count(Count{0}) == "0");
  CHECK(format_count(Count{999}) == "999");
  CHECK(format_count(Count{8'030'261'248}) == "8,030,261,248");
  CHECK(format_count(Count{-1'000}) == "-1,000");
  CHECK(format_exact(16'060'522'496, "bytes") == "16,060,522,496 bytes");
}

TEST_CASE("a number of decimals is written with all of them") {
  CHECK(format_decimal(123'450, 2) == "1,234.50");
  CHECK(format_decimal(-5, 3) == "-0.005");
  CHECK(format_decimal(0, 1) == "0.0");
  CHECK(format_decimal(123'450, 0) == "123,450");
  CHECK(format_decimal(Count::kMax, 9) == "9,223,372,036.854775807");
  CHECK(format_decimal(std::numeric_limits<std::int64_t>::min(), 0) == "-9,223,372,036,854,775,808");
}
