#pragma once
// Measured latencies of kernels beside what the catalogue's numbers say (core/catalog/data/kernels.json), and the fit of those numbers.

#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/method/issue.hpp"
#include "plimsoll/method/kernels.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// A file of rows: gemm.csv, moe.csv.gz and their like, in ai-dynamo/aiconfigurator's columns.
struct LatencyFile {
  std::string name; ///< without its folders
  std::string bytes;
};

enum class LeftOut : unsigned char {
  none,   ///< the catalogue's numbers as they are
  shapes, ///< fitted again without one shape in five, judged on those
  gpus,   ///< fitted again for each GPU without its rows, judged on them: what a GPU gets that nobody has measured
};

/// Errors of one group of rows, |predicted / measured - 1| in thousandths.
struct LatencyErrors {
  std::string by;    ///< "all", "kernel", "device" or "format"
  std::string group;
  std::int64_t rows = 0;
  std::int64_t median = 0, p90 = 0;
  std::int64_t bias = 0; ///< the median of predicted / measured - 1
};

struct LatencyReport {
  std::vector<LatencyErrors> errors; ///< all rows first; then by kernel, device, and kernel with device class and format
  std::int64_t rows = 0;       ///< that could be read
  std::int64_t unknown = 0;    ///< of them, those that no numbers speak of
  Issues issues;
};

LatencyReport compare_latencies(const Catalog& catalog, const std::vector<LatencyFile>& files, LeftOut left_out);

/// Numbers of all rows, each with its error on left-out shapes: "rows" of kernels.json, one a line.
std::string fitted_kernels(const Catalog& catalog, const std::vector<LatencyFile>& files, Issues& issues);

std::string latency_table(const LatencyReport& report);
std::string latency_json(const LatencyReport& report);

} // namespace plimsoll::io
