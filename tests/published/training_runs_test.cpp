// Published training runs, tests/corpus/training-runs.json: GPU-hours of whole jobs of which only model, tokens and device are known,
// and tokens per second of benchmarks; steps and whole runs of MLPerf Training, and tables of Megatron-Bridge, which no constant was fitted on but AMD's in fp8 and what gathered weights cost.
#include "corpus.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

const std::vector<io::Comparison>& rows() { return test::corpus("training-runs").rows; }

std::vector<io::Comparison> modelled(const std::string& metric, const char* corpus = "training-runs") {
  std::vector<io::Comparison> found;
  for (const io::Comparison& row : test::corpus(corpus).rows)
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
  CHECK(share(jobs, [](const io::Comparison& row) { return factor(row) <= 1.25; }) >= 0.75);
  CHECK(share(jobs, [](const io::Comparison& row) { return factor(row) <= 1.5; }) >= 0.92);
  CHECK(share(jobs, [](const io::Comparison& row) { return factor(row) <= 2; }) >= 0.98);
  CHECK(share(jobs, [](const io::Comparison& row) { return row.low <= *row.measured && *row.measured <= row.high; }) >= 0.90);
}

TEST_CASE("tokens per second of published benchmarks") {
  const std::vector<io::Comparison> benchmarks = modelled("tokens_per_s_per_gpu");
  REQUIRE(benchmarks.size() >= 150);
  CHECK(median_error(benchmarks) <= 0.042);
  CHECK(share(benchmarks, [](const io::Comparison& row) { return row.low <= *row.measured && *row.measured <= row.high; }) >= 0.80);
}

TEST_CASE("steps of MLPerf Training") {
  const std::vector<io::Comparison> steps = modelled("step_time_s", "mlperf-training");
  REQUIRE(steps.size() >= 61);
  CHECK(median_error(steps) <= 0.08);
  CHECK(share(steps, [](const io::Comparison& row) { return row.low <= *row.measured && *row.measured <= row.high; }) >= 0.80);
}

TEST_CASE("whole runs of MLPerf Training, from the start of its clock to its end") {
  const std::vector<io::Comparison> jobs = modelled("job_time_s", "mlperf-training");
  REQUIRE(jobs.size() >= 61);
  CHECK(median_error(jobs) <= 0.08);
  CHECK(share(jobs, [](const io::Comparison& row) { return row.low <= *row.measured && *row.measured <= row.high; }) >= 0.80);
}

TEST_CASE("tokens per second of Megatron-Bridge's tables") {
  const std::vector<io::Comparison> tables = modelled("tokens_per_s_per_gpu", "bridge-training");
  REQUIRE(tables.size() >= 42);
  CHECK(median_error(tables) <= 0.085);
  CHECK(share(tables, [](const io::Comparison& row) { return row.low <= *row.measured && *row.measured <= row.high; }) >= 0.80);
}

TEST_CASE("rows that are not compared say why, and what stands in for what a row does not tell is listed") {
  for (const io::Comparison& row : rows()) {
    INFO(row.id);
    CHECK(row.modelled == row.reason.empty());
    if (row.modelled) CHECK((row.low <= row.predicted && row.predicted <= row.high));
    if (row.modelled && row.metric == "gpu_hours") CHECK_FALSE(row.assumed.empty());
  }
}

