// tests/corpus/liger.json: the peaks of single operators that Liger-Kernel publishes, against ours. At least 95 % of the rows are to
// be within 0.1 %; the share and the rows beyond are printed.
#include "plimsoll/evidence/accuracy.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

using namespace plimsoll;

namespace {

std::string corpus() {
  std::ifstream file{PLIMSOLL_SOURCE_DIR "/tests/corpus/liger.json"};
  REQUIRE(file.is_open());
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::string row_with(const std::string& members) { return R"([{"kind": "kernel", "kernel": "cross_entropy", )" + members + "}]"; }

} // namespace

TEST_CASE("peaks of single operators are met within 0.1 %") {
  const io::Accuracy accuracy = io::compare(corpus());
  CHECK(accuracy.issues.empty());
  REQUIRE(accuracy.rows.size() == 447);
  std::size_t close = 0, inside = 0;
  for (const io::Comparison& row : accuracy.rows) {
    const std::optional<double> error = io::error_of(row);
    CHECK(row.modelled == row.reason.empty());
    if (row.modelled && row.measured && row.low <= *row.measured && *row.measured <= row.high) ++inside;
    if (error && *error > -0.001 && *error < 0.001) ++close;
    else std::printf("%s: %s\n", row.id.c_str(), error ? std::to_string(*error * 100).c_str() : row.reason.c_str());
  }
  std::printf("%zu of %zu rows within 0.1 %%\n", close, accuracy.rows.size());
  CHECK(close * 100 >= accuracy.rows.size() * 95);
  CHECK(inside * 100 >= accuracy.rows.size() * 95);
}

TEST_CASE("a kernel row that tells too little is not covered, with the reason") {
  for (const char* members :
       {R"("provider": "torch")", R"("provider": 5, "config": [], "x": null, "gpu": "A100", "framework": [1], "measured": 3)",
        R"("provider": "torch", "gpu": {"name": "A100"}, "x": {"name": "V", "value": 4096})",
        R"("provider": "torch", "gpu": {"name": "A100"}, "x": {"name": "BT", "value": -4}, "config": {"vocab_size": 9})",
        R"("provider": "torch", "gpu": {"name": "A100"}, "x": {"name": "model_config", "value": "unheard_of"}, "config": {"BT": 9, "V": 9})",
        R"("provider": "torch", "gpu": {"name": "A100"}, "config": {"BT": 9223372036854775807, "V": 9223372036854775807})",
        R"("provider": "torch", "gpu": {"name": "A100"}, "config": {"BT": 9, "V": 9, "dtype": "torch.float3"})",
        R"("provider": "torch", "gpu": {"name": "abacus"}, "config": {"BT": 9, "V": 9})"}) {
    const io::Accuracy accuracy = io::compare(row_with(members));
    REQUIRE(accuracy.rows.size() == 1);
    CHECK_FALSE(accuracy.rows[0].modelled);
    CHECK_FALSE(accuracy.rows[0].reason.empty());
  }
}

TEST_CASE("what a kernel row leaves to the default is listed") {
  const io::Accuracy accuracy = io::compare(row_with(
      R"("provider": "torch", "mode": "full", "gpu": {"name": "NVIDIA A100"}, "config": {"BT": 16384, "V": 4096}, "measured": {"bytes_median": 1342309376})"));
  REQUIRE(accuracy.rows.size() == 1);
  CHECK(accuracy.rows[0].modelled);
  CHECK(accuracy.rows[0].assumed == std::vector<std::string>{"dtype float32"});
}
