// Every price that is compiled in says for what, by whom, when and where it was read.
#include "plimsoll/catalog/prices.hpp"

#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <set>

using namespace plimsoll;

TEST_CASE("every price has a device of the catalogue, a source and a date, and an id of its own") {
  const io::Prices prices = io::Prices::load(test::catalog());
  CHECK(prices.rows().size() > 300);
  std::set<std::string> ids, clouds;
  for (const io::PriceRow& row : prices.rows()) {
    INFO(row.id);
    CHECK(ids.insert(row.id).second);
    clouds.insert(row.cloud);
    const io::DeviceRow* const device = test::catalog().find_device(row.gpu);
    REQUIRE(device != nullptr);
    CHECK(device->hardware.id == row.gpu);
    CHECK(row.gpus >= Count{1});
    CHECK(row.gpus <= Count{16});
    CHECK(row.hourly > Money{0});
    CHECK(row.hourly < Money{1'000'000'000}); // a thousand dollars an hour
    CHECK(!row.cloud.empty());
    CHECK(!row.region.empty());
    CHECK(!row.instance.empty());
    CHECK(!row.source.empty());
    CHECK(io::days_between(row.date, "2026-11-22").value_or(-1) >= 0);
    CHECK((row.evidence == "read" || row.evidence == "secondary"));
  }
  CHECK(clouds.size() >= 15);
}

TEST_CASE("prices of the past are marked, and no others") {
  const io::Prices prices = io::Prices::load(test::catalog());
  for (const io::PriceRow& row : prices.rows()) {
    INFO(row.id << " of " << row.date);
    const bool has_span = !row.since.empty();
    CHECK((row.kind == io::PriceKind::historical) == has_span);
  }
}
