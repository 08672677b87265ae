// This value is written as this text.
#include "plimsoll/method/format.hpp"

#include <catch2/catch_test_macros.hpp>

#include <limits>
#include <utility>

using namespace plimsoll;

TEST_CASE("times have three figures, from nanoseconds to days") {
  CHECK(format_duration(Nanoseconds{0}) == "0 ns");
  CHECK(format_duration(Nanoseconds{999}) == "999 ns");
  CHECK(format_duration(Nanoseconds{48'100}) == "48.1 µs");
  CHECK(format_duration(Nanoseconds{312'400'000}) == "312 ms");
  CHECK(format_duration(Nanoseconds{1'240'000'000}) == "1.24 s");
  CHECK(format_duration(Nanoseconds{3'600'000'000'000 * 3}) == "3.00 h");
  CHECK(format_duration(Nanoseconds{3'600'000'000'000 * 24 * 21}) == "21.0 d");
  CHECK(format_amount(415, "thousandths") == "41.5 %");
  CHECK(format_amount(1'234'500, "thousandths of GPU-hours") == "1,235 GPU-hours");
  CHECK(format_amount(41'250, "thousandths of GPU-hours") == "41.3 GPU-hours");
  CHECK(format_amount(1'046'650, "milliwatts") == "1.05 kW");
  CHECK(format_amounts(330'000'000, 819'000'000, "ns") == "330 to 819 ms");
  CHECK(format_amounts(819'000'000, 1'210'000'000, "ns") == "819 ms to 1.21 s");
  CHECK(format_amounts(232, 408, "thousandths") == "23.2 to 40.8 %");
  CHECK(format_amounts(1'000'000, 2'500'000, "micro-dollars") == "$1.00 to $2.50");
  CHECK(format_amounts(5, 5, "tokens") == "5");
  CHECK(format_amount(7, "tokens") == "7");
  CHECK(format_amount(8676, "seconds") == "2.41 h");
}

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
  CHECK(format_gigabytes(Bytes{1'073'741'823}, 1) == "1.0");
  CHECK(format_gigabytes(Bytes{59'500'000'000}, 1) == "55.4");
  CHECK(format_gigabytes(gigabytes(-2), 0) == "-2");
  CHECK(format_gigabytes(Bytes{-1}, 1) == "0.0");
  CHECK(format_gigabytes(Bytes{-1}, 0) == "0");
}

TEST_CASE("memory is written in GB for who asks for them, and in GiB again") {
  CHECK(byte_units_named("gb") == ByteUnits::decimal);
  CHECK_FALSE(byte_units_named("GB").has_value()); // names are of lower case: who reads them makes it so
  set_byte_units(ByteUnits::decimal);
  const std::vector<std::pair<std::int64_t, std::string>> rows{
      {0, "0 B"}, {999, "999 B"}, {1000, "1.00 kB"}, {16'060'522'496, "16.1 GB"}, {-3'639'328'768, "-3.64 GB"}, {80'000'000'000, "80.0 GB"}, {999'999'999, "1,000 MB"}, {Bytes::kMax, "9.22 EB"}};
  std::vector<std::string> written;
  for (const auto& [bytes, text] : rows) written.push_back(format_bytes(Bytes{bytes}));
  const std::string range = format_range(Bytes{58'000'000'000}, Bytes{63'900'000'000}), axis = format_gigabytes(Bytes{59'500'000'000}, 1), name{gigabyte_name()};
  const Bytes three = gigabytes(3);
  set_byte_units(ByteUnits::binary);
  for (std::size_t i = 0; i < rows.size(); ++i) CHECK(written[i] == rows[i].second);
  CHECK(range == "58.0 to 63.9 GB");
  CHECK(axis == "59.5");
  CHECK(name == "GB");
  CHECK(three == Bytes{3'000'000'000});
  CHECK(format_bytes(Bytes{16'060'522'496}) == "15.0 GiB");
}

TEST_CASE("a difference shows its sign, unless it is none") {
  CHECK(format_change(Bytes{1'406'612'736}) == "+1.31 GiB");
  CHECK(format_change(Bytes{-553'648'128}) == "-528 MiB");
  CHECK(format_change(Bytes{0}) == "0 B");
  CHECK(format_change(Bytes{0} - Bytes{0}) == "0 B");
}

TEST_CASE("a range whose ends read the same is one amount") {
  CHECK(format_range(gigabytes(58), gigabytes(63)) == "58.0 to 63.0 GiB");
  CHECK(format_range(gigabytes(1) - Bytes{104'857'600}, gigabytes(2)) == "924 MiB to 2.00 GiB");
  CHECK(format_range(Bytes{0}, Bytes{1}) == "0 to 1 B");
  CHECK(format_range(gigabytes(58), gigabytes(58) + Bytes{1}) == "58.0 GiB");
}

TEST_CASE("with pipeline ranks the headline names the fullest") {
  Estimate estimate;
  estimate.gpus = Count{8};
  MomentUse& use = estimate.moments.push_back({});
  use.moment = Moment::loss_backward;
  use.total = use.low = gigabytes(50);
  use.high = gigabytes(51);
  estimate.fits = true;
  estimate.headroom = gigabytes(29);
  estimate.ranks.push_back({});
  CHECK(headline(estimate).rest == "29.0 GiB to spare on each of 8 GPUs.");
  CHECK(headline(estimate).detail == "Each peaks at 50.0 GiB in the backward of the loss; likely 50.0 to 51.0 GiB.");
  for (int others = 0; others < 3; ++others) estimate.ranks.push_back({});
  estimate.rank = 3;
  CHECK(headline(estimate).rest == "29.0 GiB to spare on the fullest of 8 GPUs.");
  CHECK(headline(estimate).detail == "Pipeline rank 3 of 4 is fullest: 50.0 GiB in the backward of the loss; likely 50.0 to 51.0 GiB.");
}

TEST_CASE("counts have thousands separators") {
  CHECK(format_count(Count{0}) == "0");
  CHECK(format_count(Count{999}) == "999");
  CHECK(format_count(Count{8'030'261'248}) == "8,030,261,248");
  CHECK(format_count(Count{-1'000}) == "-1,000");
  CHECK(format_exact(16'060'522'496, "bytes") == "16,060,522,496 bytes");
}

TEST_CASE("one of something is written in the singular") {
  CHECK(format_exact(1, "GPUs") == "1 GPU");
  CHECK(format_exact(0, "GPUs") == "0 GPUs");
  CHECK(format_exact(1, "micro-batches") == "1 micro-batch");
  CHECK(format_exact(1, "passes") == "1 pass");
  CHECK(format_exact(1, "matrices") == "1 matrix");
  CHECK(format_exact(1, "per step") == "1 per step");
  CHECK(format_exact(1, "bytes/s") == "1 bytes/s");
  CHECK(format_exact(1, "FLOP") == "1 FLOP");
}

TEST_CASE("a quantity has its unit, and large numbers of things have words") {
  CHECK(format_quantity(16'060'522'496, "bytes") == "15.0 GiB");
  CHECK(format_quantity(8'192, "tokens") == "8,192 tokens");
  CHECK(format_quantity(999'999'999, "tokens") == "999,999,999 tokens");
  CHECK(format_quantity(433'116'413'952, "FLOP") == "433 billion FLOP");
  CHECK(format_quantity(1'411'074'129'920, "tokens") == "1.41 trillion tokens");
  CHECK(format_quantity(-2'500'000'000, "") == "-2.50 billion");
}

TEST_CASE("a number of decimals is written with all of them") {
  CHECK(format_decimal(123'450, 2) == "1,234.50");
  CHECK(format_decimal(-5, 3) == "-0.005");
  CHECK(format_decimal(0, 1) == "0.0");
  CHECK(format_decimal(123'450, 0) == "123,450");
  CHECK(format_decimal(Count::kMax, 9) == "9,223,372,036.854775807");
  CHECK(format_decimal(std::numeric_limits<std::int64_t>::min(), 0) == "-9,223,372,036,854,775,808");
}

TEST_CASE("a pace is told as people compare times") {
  CHECK(format_pace(1000) == "as fast");
  CHECK(format_pace(350) == "2.9 × as fast");
  CHECK(format_pace(910) == "1.10 × as fast");
  CHECK(format_pace(998) == "as fast");
  CHECK(format_pace(1250) == "takes 1.25 × as long");
  CHECK(format_pace(1) == "1,000.0 × as fast");
}
