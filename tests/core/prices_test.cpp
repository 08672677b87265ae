// Prices: reading them, their age, and what is wrong with them.
#include "plimsoll/catalog/prices.hpp"

#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;

namespace {

const char* const kGood = R"({"source": "an offer by letter", "date": "2026-11-01", "cloud": "Mine", "prices": [
  {"instance": "big", "gpu": "h100-80-sxm", "gpus": 8, "usd_per_hour": 21.957642, "region": "north"},
  {"instance": "small", "gpu": "H100-80-SXM", "usd_per_hour": 3, "kind": "spot", "date": "2026-05"}]})";

io::ReadPrices read(std::string_view text) { return io::read_prices(test::catalog(), text); }

} // namespace

TEST_CASE("a price file is read, with what its rows share") {
  const io::ReadPrices prices = read(kGood);
  CHECK(prices.issues.empty());
  REQUIRE(prices.rows.size() == 2);
  CHECK(prices.rows[0].id == "mine-big-north-on_demand");
  CHECK(prices.rows[0].hourly == Money{21'957'642});
  CHECK(prices.rows[0].gpus == Count{8});
  CHECK(prices.rows[1].gpu == "h100-80-sxm");
  CHECK(prices.rows[1].kind == io::PriceKind::spot);
  CHECK(prices.rows[1].date == "2026-05");
  CHECK(prices.rows[1].source == "an offer by letter");
}

TEST_CASE("what is wrong with a price names its field, and leaves the others alone") {
  const io::ReadPrices prices = read(R"({"source": "s", "date": "2026-11-01", "cloud": "Mine", "prices": [
    {"instance": "a", "gpu": "h1000", "gpus": 0, "usd_per_hour": "many", "kind": "gift"},
    {"instance": "b", "gpu": "t4", "usd_per_hour": 1},
    7,
    {"instance": 3, "usd_per_hour": -1, "date": "2026-13", "dated": 1, "gpus": 1e300}]})");
  REQUIRE(prices.rows.size() == 1);
  CHECK(prices.rows[0].instance == "b");
  std::vector<std::string> fields;
  for (const Issue& issue : prices.issues) {
    fields.push_back(issue.field);
    CHECK(!issue.remedy.empty());
  }
  CHECK(fields == std::vector<std::string>{"prices[0].gpu", "prices[0].gpus", "prices[0].usd_per_hour", "prices[0].kind", "prices[2]", "prices[3].instance",
                                           "prices[3].gpu", "prices[3].gpus", "prices[3].usd_per_hour", "prices[3].date", "prices[3].dated"});
}

TEST_CASE("texts that are no prices are issues, never exceptions") {
  for (const char* text : {"", "[", "null", "[]", "{}", "3", R"({"prices": null})", R"({"prices": {}})", R"({"prices": 1e400})", "\xff\xfe"})
    CHECK(has_errors(read(text).issues));
  CHECK(read(R"({"prices": []})").issues.empty());
}

TEST_CASE("days are counted over months, years and leap days") {
  CHECK(io::days_between("2026-07-20", "2026-11-22") == 125);
  CHECK(io::days_between("2024-02-28", "2024-03-01") == 2);
  CHECK(io::days_between("2025-02-28", "2025-03-01") == 1);
  CHECK(io::days_between("2000-01-01", "2001-01-01") == 366);
  CHECK(io::days_between("1900-01-01", "1901-01-01") == 365);
  CHECK(io::days_between("2026-09", "2026-09-01") == 0);
  for (const char* text : {"", "2026", "2026-13", "2026-02-29", "2026-1-1", "26-01-01", "2026/01/01", "2026-00-10", "2026-01-00", "yesterday!"})
    CHECK(!io::days_between(text, "2026-11-22"));
}

TEST_CASE("old prices come with a plain warning") {
  io::PriceRow row;
  row.date = "2026-08-24";
  CHECK(io::age_warning(row, "2026-11-22").empty()); // 90 days
  row.date = "2026-08-23";
  CHECK(io::age_warning(row, "2026-11-22") == "Of 2026-08-23, 91 days ago: ask again before you rely on it.");
  CHECK(io::age_warning(row, "").empty());
  row.dated = false;
  CHECK(io::age_warning(row, "2026-12-01").starts_with("Of a source without a date, read in 2026-08-23, 100 days ago"));
  row.kind = io::PriceKind::historical;
  CHECK(io::age_warning(row, "2026-11-22").empty());
}

TEST_CASE("prices of APIs are rows with a model, and what is wrong with one names its field") {
  const io::ReadPrices prices = read(R"({"source": "s", "date": "2026-11-01", "cloud": "Mine", "prices": [
    {"model": "llama-3.3-70b", "usd_per_million_in": 0.6, "usd_per_million_out": 1.2},
    {"model": "llama-3.3-70b", "usd_per_million_in": 0.0028, "usd_per_million_cached": 0.001, "usd_per_million_out": 1.2, "id": "own"},
    {"model": "llama-9", "usd_per_million_in": "much"}]})");
  REQUIRE(prices.apis.size() == 2);
  CHECK(prices.rows.empty());
  CHECK(prices.apis[0].id == "mine-llama-3.3-70b-on_demand");
  CHECK(prices.apis[0].million.cached == Money{600'000}); // no other price
  CHECK(prices.apis[1].million.in == Money{2'800});
  CHECK(prices.apis[1].million.cached == Money{1'000});
  std::vector<std::string> fields;
  for (const Issue& issue : prices.issues) fields.push_back(issue.field);
  CHECK(fields == std::vector<std::string>{"prices[2].model", "prices[2].usd_per_million_in", "prices[2].usd_per_million_out"});
}

TEST_CASE("prices of APIs that are built in have a seller, a source and a date, and none is sold below what it asks for cached tokens") {
  const io::Prices built_in = io::Prices::load(test::catalog());
  CHECK(built_in.apis().size() >= 30);
  for (const io::ApiPriceRow& row : built_in.apis()) {
    INFO(row.id);
    CHECK(!row.source.empty());
    CHECK(row.million.cached <= row.million.in);
    CHECK(row.million.in <= row.million.out);
    CHECK(std::ranges::count(built_in.apis(), row.id, &io::ApiPriceRow::id) == 1);
  }
}
