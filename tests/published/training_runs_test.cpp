// Published training runs, tests/corpus/training-runs.json: GPU-hours of whole jobs of which only model, tokens and device are known,
// and tokens per second of benchmarks.
#include "plimsoll/evidence/accuracy.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

const std::vector<io::Comparison>& rows() {
  static const std::vector<io::Comparison> kRows = [] {
    std::ifstream file{PLIMSOLL_SOURCE_DIR "/tests/corpus/training-runs.json"};
    return io::compare(std::string{std::istreambuf_iterator<char>{file}, {}}).rows;
  }();
  return kRows;
}

std::vector<io::Comparison> modelled(const std::string& metric) {
  std::vector<io::Comparison> found;
  for (const io::Comparison& row : rows())
    if (row.modelled && row.metric == metric) found.push_back(row);
  return found;
}

double factor(const io::Comparison& row) {
  const double ratio = static_cast<double>(row.predicted) / static_cast<double>(*row.measured);
  return std::max(ratio, 1 / ratio);
}

template <class Holds> double share(const std::vector<io::Comparison>& rows, Holds&& holds) {
  return static_cast<double>(std::ranges::count_if(rows, holds)) / static_cast<double>(rows.size());
}

double median_error(std::vector<io::Comparison> rows) {
  std::vector<double> errors;
  for (const io::Comparison& row : rows) errors.push_back(std::abs(*io::error_of(row)));
  std::ranges::sort(errors);
  return errors[errors.size() / 2];
}

} // namespace

TEST_CASE("GPU-hours of published jobs, from model, tokens and device alone") {
  const std::vector<io::Comparison> jobs = modelled("gpu_hours");
  REQUIRE(jobs.size() >= 60);
  CHECK(share(jobs, [](const io::Comparison& row) { return factor(row) <= 1.25; }) >= 0.60);
  CHECK(share(jobs, [](const io::Comparison& row) { return factor(row) <= 1.5; }) >= 0.85);
  CHECK(share(jobs, [](const io::Comparison& row) { return factor(row) <= 2; }) >= 0.98);
  CHECK(share(jobs, [](const io::Comparison& row) { return row.low <= *row.measured && *row.measured <= row.high; }) >= 0.90);
}

TEST_CASE("tokens per second of published benchmarks") {
  const std::vector<io::Comparison> benchmarks = modelled("tokens_per_s_per_gpu");
  REQUIRE(benchmarks.size() >= 150);
  CHECK(median_error(benchmarks) <= 0.12);
  CHECK(share(benchmarks, [](const io::Comparison& row) { return row.low <= *row.measured && *row.measured <= row.high; }) >= 0.80);
}

TEST_CASE("rows that are not compared say why, and what stands in for what a row does not tell is listed") {
  for (const io::Comparison& row : rows()) {
    INFO(row.id);
    CHECK(row.modelled == row.reason.empty());
    if (row.modelled) CHECK((row.low <= row.predicted && row.predicted <= row.high));
    if (row.modelled && row.metric == "gpu_hours") CHECK_FALSE(row.assumed.empty());
  }
}

TEST_CASE("rows that make no sense are not covered, and stop nothing") {
  const std::string start = R"({"kind": "pretrain", "params_active": )", end = R"(, "gpu_hours": 1, "tokens": 1e12})";
  for (const char* parameters : {"null", "-1", "\"many\"", "1e300", "[]", "0.5", "9223372036854775807"}) {
    INFO(parameters);
    const io::Accuracy result = io::compare("[" + start + parameters + end + "]");
    REQUIRE(result.rows.size() == 1);
    CHECK_FALSE(result.rows.front().modelled);
    CHECK_FALSE(result.rows.front().reason.empty());
  }
  for (const char* rest : {R"("gpu": "h100-80-sxm", "hidden": 1)", R"("gpu": "h100-80-sxm", "layers": 1000, "n_gpus": 1e7)", R"("gpu": "h100-80-sxm", "seq_len": 100000000)",
                           R"("gpu": 3)", R"("gpu": "h100-80-sxm", "precision": {}, "recompute": 7, "parallelism": ["TP"])", R"("gpu": "h100-80-sxm", "parallelism": "TP0 PP999999 FSDP")"}) {
    INFO(rest);
    const std::string row = std::string{R"([{"kind": "benchmark", "params_active": 7000000000, "gpu_hours": null, "tokens_per_s_per_gpu": 100, "n_gpus": 8, )"} + rest + "}]";
    CHECK(io::compare(row).rows.size() == 1);
  }
}
