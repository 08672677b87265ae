// Files of rows, and what is summed up from them. Every figure below is worked out by hand.
#include "json.hpp"
#include "plimsoll/evidence/accuracy_summary.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <limits>
#include <string>

using namespace plimsoll;
using io::Comparison;

namespace {

/// A row that measured 1,000 and for which `predicted` was said.
Comparison row(std::string id, std::int64_t predicted, std::string config = "") {
  Comparison comparison;
  comparison.id = std::move(id);
  comparison.group = "g";
  comparison.metric = "peak";
  comparison.unit = "bytes";
  comparison.modelled = true;
  comparison.predicted = comparison.low = comparison.high = predicted;
  comparison.measured = 1000;
  comparison.config = std::move(config);
  return comparison;
}

io::Summary by_metric(const std::vector<Comparison>& rows) {
  const std::vector<io::Summary> summaries = io::summaries_of({rows, {}});
  REQUIRE(!summaries.empty());
  REQUIRE(summaries[0].by == "metric");
  return summaries[0];
}

} // namespace

TEST_CASE("the median of an even number of rows is the mean of the middle two") {
  CHECK(by_metric({row("a", 1250), row("b", 1000), row("c", 500)}).per_row.median == 0.25);
  CHECK(by_metric({row("a", 1250), row("b", 1000), row("c", 500), row("d", 1500)}).per_row.median == 0.375);
}

TEST_CASE("nine of ten rows do not exceed p90, by nearest rank") {
  std::vector<Comparison> rows;
  for (int i = 1; i <= 10; ++i) rows.push_back(row(std::to_string(i), 1000 + 125 * i));
  CHECK(by_metric(rows).per_row.p90 == 1.125);  // the 9th of 10
  rows.push_back(row("11", 1000 + 125 * 11));
  CHECK(by_metric(rows).per_row.p90 == 1.25);   // the 10th of 11: 9.9 rounded up
  CHECK(by_metric({row("one", 1500)}).per_row.p90 == 0.5);
}

TEST_CASE("the worst row is named with the sign of its error") {
  const io::Summary summary = by_metric({row("a", 1250), row("b", 500), row("c", 1500)});
  CHECK(summary.per_row.worst == 0.5);
  CHECK(summary.worst_id == "b"); // the first of two that are as far off
  CHECK(summary.worst_error == -0.5);
}

TEST_CASE("a configuration is one vote, however often it was run") {
  // Five runs of one configuration are exact, one large run is off by half.
  std::vector<Comparison> rows;
  for (int i = 0; i < 5; ++i) rows.push_back(row("small " + std::to_string(i), 1000, "small"));
  rows.push_back(row("large", 1500, "large"));
  const io::Summary summary = by_metric(rows);
  CHECK(summary.compared == 6);
  CHECK(summary.configs == 2);
  CHECK(summary.per_row.median == 0);
  CHECK(summary.per_config.median == 0.25);
  CHECK(summary.per_config.p90 == 0.5);
}

TEST_CASE("a configuration votes with its median") {
  const io::Summary summary = by_metric({row("a", 1000, "x"), row("b", 1125, "x"), row("c", 2000, "x")});
  CHECK(summary.configs == 1);
  CHECK(summary.per_config.worst == 0.125);
}

TEST_CASE("a row without a configuration is one of its own, and equal names of two groups are two configurations") {
  CHECK(by_metric({row("a", 1000), row("b", 1000)}).configs == 2);
  Comparison other = row("b", 1000, "x");
  other.group = "h";
  CHECK(by_metric({row("a", 1000, "x"), other}).configs == 2);
}

TEST_CASE("twins and resumed runs are listed and not summed") {
  Comparison twin = row("twin", 3000);
  twin.twin = "a";
  Comparison resumed = row("resumed", 4000);
  resumed.set = "resumed second run";
  const std::vector<Comparison> rows{row("a", 1250), twin, resumed};
  const io::Summary summary = by_metric(rows);
  CHECK(summary.rows == 3);
  CHECK(summary.repeated == 2);
  CHECK(summary.modelled == 1);
  CHECK(summary.compared == 1);
  CHECK(summary.per_row.worst == 0.25);
  CHECK(summary.worst_id == "a");
  CHECK(test::parsed(io::accuracy_json({rows, {}})).size() == 3);
}

TEST_CASE("rounded and missing numbers give no error") {
  Comparison rounded = row("rounded", 2000);
  rounded.measured_is_rounded = true;
  Comparison alone = row("alone", 3000);
  alone.measured.reset();
  const io::Summary summary = by_metric({row("a", 1250), rounded, alone});
  CHECK(summary.modelled == 3);
  CHECK(summary.rounded == 1);
  CHECK(summary.compared == 1);
  CHECK(summary.per_row.worst == 0.25);
}

TEST_CASE("exact, explained and inside the range are counted") {
  Comparison explained = row("explained", 900);
  explained.explained = 100;
  Comparison inside = row("inside", 900);
  inside.low = 800, inside.high = 1000;
  Comparison outside = row("outside", 900);
  outside.low = 800, outside.high = 999;
  const io::Summary summary = by_metric({row("exact", 1000), explained, inside, outside});
  CHECK(summary.exact == 1);
  CHECK(summary.explained == 1);
  CHECK(summary.inside == 3);
  CHECK(io::unexplained_error_of(explained) == 0.0);
}

TEST_CASE("something predicted where 0 was measured is infinitely wrong, and nothing predicted is exact") {
  Comparison zero = row("zero", 5);
  zero.measured = 0;
  const io::Summary summary = by_metric({row("a", 1000), zero});
  CHECK(std::isinf(summary.per_row.worst));
  CHECK(test::parsed(io::summaries_json({summary}))[0]["per_row"]["worst"].is_null());
  zero.predicted = 0;
  CHECK(by_metric({zero}).exact == 1);
  CHECK(by_metric({zero}).per_row.worst == 0);
  CHECK(by_metric({zero}).worst_id.empty());
}

TEST_CASE("rows are summed by metric, by group and by each feature once") {
  Comparison both = row("a", 1500);
  both.features = {"moe", "cp", "moe"};
  Comparison other = row("b", 1250);
  other.metric = "later";
  other.features = {"moe"};
  const std::vector<io::Summary> summaries = io::summaries_of({{both, other}, {}});
  std::string keys;
  for (const io::Summary& summary : summaries) keys += summary.by + ":" + summary.key + ":" + summary.metric + "=" + std::to_string(summary.rows) + " ";
  CHECK(keys == "metric::later=1 metric::peak=1 group:g:later=1 group:g:peak=1 feature:cp:peak=1 feature:moe:later=1 feature:moe:peak=1 ");
}

TEST_CASE("what is not covered is summed by reason, most rows first") {
  Comparison a, b;
  a.id = "a", a.reason = "No experts.";
  b.id = "b", b.reason = "No schedule.";
  Comparison c = b;
  c.id = "c";
  const std::vector<io::Gap> gaps = io::gaps_of({{a, row("fine", 1000), b, c}, {}});
  REQUIRE(gaps.size() == 2);
  CHECK(gaps[0].reason == "No schedule.");
  CHECK(gaps[0].rows == 2);
  CHECK(gaps[0].first_id == "b");
  CHECK(gaps[1].rows == 1);
}

TEST_CASE("the worst rows come first") {
  const io::Accuracy accuracy{{row("a", 1250), row("b", 0), row("c", 1250), row("d", 1500)}, {}};
  std::string ids;
  for (const Comparison* each : io::worst_of(accuracy, 3)) ids += each->id;
  CHECK(ids == "bda");
}

TEST_CASE("whole numbers and decimals survive the way to JSON") {
  constexpr std::int64_t kBig = 9'007'199'254'740'993; // 2^53 + 1: no double holds it
  Comparison whole = row("whole", kBig), hours = row("hours", 1'303'104'500'000);
  hours.measured = 123'456;
  hours.decimals = 2;
  const auto json = test::parsed(io::accuracy_json({{whole, hours}, {}}));
  CHECK(json[0]["predicted"].get<std::int64_t>() == kBig);
  CHECK(json[1]["measured"].get<double>() == 1234.56);
  CHECK(json[1]["predicted"].get<double>() == 13'031'045'000.0);
}

TEST_CASE("a file of any JSON gives rows with a reason or an issue") {
  for (const char* text : {"", "null", "3", "{}", "[", R"({"rows": 3})", R"({"rows": {}})", "[{\"id\": 1e400}]"}) {
    const io::Accuracy accuracy = io::compare(test::catalog(), text);
    CHECK(accuracy.rows.empty());
    CHECK(has_errors(accuracy.issues));
  }
  const io::Accuracy accuracy = io::compare(test::catalog(), R"([null, 7, [], {}, {"id": 3, "query": "model=gpt2"}, {"measured": []}, {"query": {}, "measured": [{}]},
    {"query": "model=gpt2", "measured": {}}, {"query": "model=gpt2", "measured": [null, 7, {"counter": "peak"}, {"counter": "weights", "value": "x"}]}])");
  CHECK(accuracy.issues.empty());
  REQUIRE(accuracy.rows.size() == 12); // one for each figure, and one for each that is no row
  for (const Comparison& each : accuracy.rows) {
    CHECK(!each.modelled);
    CHECK(!each.reason.empty());
  }
}

TEST_CASE("a row that is not covered keeps what it says of itself") {
  const io::Accuracy accuracy = io::compare(test::catalog(), R"([{"id": "r", "group": "sheep", "not_covered": "Nobody dreams.", "config": "c", "twin": "q",
    "set": "resumed second run", "features": ["moe", 3, "cp"], "measured": [{"counter": "allocated", "value": 7, "unit": "bytes"}]}])");
  REQUIRE(accuracy.rows.size() == 1);
  const Comparison& r = accuracy.rows[0];
  CHECK(r.id == "r");
  CHECK(r.group == "sheep");
  CHECK(r.config == "c");
  CHECK(r.twin == "q");
  CHECK(r.set == "resumed second run");
  CHECK(r.features == std::vector<std::string>{"moe", "cp"});
  CHECK(r.reason == "Nobody dreams.");
}

TEST_CASE("a log is a row: its question is what it says of the run") {
  const std::string log = "INFO 01-01 00:00:00 [core.py:1] Initializing a V1 LLM engine (v0.10.0) with config: model='Qwen/Qwen3-8B', max_seq_len=4096, tensor_parallel_size=1, dtype=torch.bfloat16, \n"
                          "INFO 01-01 00:00:01 [model.py:1] Model loading took 15.27 GiB and 3.1 seconds\n";
  const std::string rows = io::rows_of_log(log, "server.log", {.device = "h100-80-sxm"});
  const io::RowFiles beside = [&](const std::string& path) -> std::optional<io::RowFile> {
    if (path != "server.log") return std::nullopt;
    return io::RowFile{.name = path, .bytes = log, .size = log.size()};
  };
  const io::Accuracy accuracy = io::compare(test::catalog(), rows, beside);
  REQUIRE(accuracy.rows.size() == 1);
  CHECK(accuracy.rows[0].metric == "weights");
  CHECK(accuracy.rows[0].modelled);
  CHECK(std::abs(io::error_of(accuracy.rows[0]).value_or(1)) < 0.01);
  CHECK(io::rows_of_log("no log at all", "x", {}).empty());
}
