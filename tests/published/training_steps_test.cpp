// Steps that tests/measure cut into moments on one H200 (tests/corpus/measured-h200.json): how rows are read, and how far the
// estimate is off.
#include "corpus.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

/// Bounds in per cent of |error|, of the rows of a group: a little above what stands there today.
struct Bound {
  double median, p90;
};

const std::map<std::string, Bound>& bounds() {
  static const std::map<std::string, Bound> kBounds{
      {"steps: bf16", {0.1, 2.0}},          {"steps: bf16, recomputed", {0.2, 0.5}},  {"steps: mixed_bf16", {0.1, 2.0}},   {"steps: mixed_bf16, recomputed", {0.5, 1.2}},
      {"steps: fp32", {0.05, 3.0}},         {"steps: fp32, recomputed", {1.5, 2.0}},  {"steps: trainer", {0.05, 0.1}},     {"steps: loops", {0.05, 0.1}},
      {"steps: adapters", {0.3, 2.5}},      {"steps: experts", {2.0, 3.0}},           {"steps: compiled", {1.0, 4.5}},     {"steps: fused norms", {0.1, 4.5}},
      {"steps: attention code", {0.1, 0.5}}, {"steps: tp", {0.5, 1.0}},               {"steps: fsdp2", {0.1, 2.5}},        {"steps: ddp", {0.05, 0.1}},
  };
  return kBounds;
}

const io::Accuracy& accuracy() { return test::corpus("measured-h200"); }

} // namespace

namespace {

// One test: under sanitizers the rows take their time.
void check_reasons() {
  CHECK(accuracy().rows.size() > 1'700);
  for (const io::Comparison& row : accuracy().rows) {
    INFO(row.id << " " << row.metric);
    CHECK(row.modelled == row.reason.empty());
    CHECK((!row.modelled || (row.low <= row.predicted && row.predicted <= row.high)));
  }
}

} // namespace

TEST_CASE("peaks of measured steps: all groups, and none left out without a reason") {
  std::set<std::string> met;
  for (const io::Summary& summary : io::summaries_of(accuracy())) {
    if (summary.by == "feature" || summary.compared == 0) continue;
    std::printf("%-30s %-24s rows %4d  median %6.2f  p90 %6.2f  worst %7.2f  inside %4d\n", summary.key.c_str(), summary.metric.c_str(), static_cast<int>(summary.compared),
                100 * summary.per_row.median, 100 * summary.per_row.p90, 100 * summary.per_row.worst, static_cast<int>(summary.inside));
    INFO(summary.key << " " << summary.metric << " " << 100 * summary.per_row.median << " % " << 100 * summary.per_row.p90 << " %");
    if (summary.unit == "parameters") CHECK(summary.exact + summary.explained == summary.compared);
    if (summary.by == "metric" && summary.metric == "peak_steady") {
      CHECK(summary.compared >= 290);
      CHECK(summary.per_row.median <= 0.002);
      CHECK(summary.per_row.p90 <= 0.027);
    }
    if (summary.by == "metric" && summary.metric == "peak_first") {
      CHECK(summary.per_row.median <= 0.004);
      CHECK(summary.per_row.p90 <= 0.025);
    }
    if (summary.by == "metric" && summary.metric == "reserved_max_in_process") {
      CHECK(summary.per_row.median <= 0.055);
      CHECK(summary.per_row.p90 <= 0.18);
    }
    if (summary.by == "metric" && summary.metric == "layer_bytes") {
      CHECK(summary.compared >= 43);
      CHECK(summary.per_row.median <= 0.0001);
      CHECK(summary.per_row.p90 <= 0.09);
    }
    const auto bound = bounds().find(summary.key);
    if (summary.by != "group" || bound == bounds().end() || summary.metric != "peak_steady") continue;
    met.insert(summary.key);
    CHECK(100 * summary.per_row.median <= bound->second.median);
    CHECK(100 * summary.per_row.p90 <= bound->second.p90);
  }
  CHECK(met.size() == bounds().size()); // a group that has vanished would pass
  check_reasons();
}

TEST_CASE("a measured step is a question that people can ask, with the same answer") {
  constexpr std::size_t kEvery = 5;
  std::size_t asked = 0, seen = 0;
  for (const io::Comparison& row : accuracy().rows) {
    if (row.metric != "peak_steady" || !row.modelled || seen++ % kEvery != 0) continue;
    INFO(row.id << " " << row.scenario);
    io::Answer answer = io::answer_query(test::catalog(), row.scenario);
    REQUIRE(answer.ok);
    io::add_footprint(answer);
    CHECK(answer.footprint->allocated.expected == Bytes{row.predicted});
    ++asked;
  }
  CHECK(asked >= 58);
}
