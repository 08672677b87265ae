// Closed-load runs of vLLM, SGLang and TensorRT-LLM (tests/corpus/serving-load.json, made by tests/corpus/convert/serving_load.py) against
// the simulated load: the configurations that were left out of the fit of core/catalog/data/serving.json, one in four.
#include "corpus.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

using namespace plimsoll;

TEST_CASE("closed loads: half of the times between tokens within 8 %, nine of ten within 25 %, half of the first tokens within 20 %") {
  std::map<std::string, std::vector<double>> errors;
  std::size_t inside = 0, all = 0;
  for (const io::Comparison& row : test::corpus("serving-load").rows) {
    INFO(row.id << " " << row.reason);
    if (!row.modelled) { // prompts that nobody read
      CHECK(row.reason.find("most prompts were not read") != std::string::npos);
      continue;
    }
    errors[row.metric].push_back(std::fabs(static_cast<double>(row.predicted) / static_cast<double>(*row.measured) - 1));
    inside += row.low <= *row.measured && *row.measured <= row.high ? 1 : 0;
    ++all;
  }
  REQUIRE(all >= 490);
  for (auto& [metric, values] : errors) std::ranges::sort(values);
  const std::vector<double>&each = errors["tpot_ms"], &first = errors["ttft_ms"];
  CHECK(each[each.size() / 2] <= 0.08);
  CHECK(each[each.size() * 9 / 10] <= 0.25);
  CHECK(first[first.size() / 2] <= 0.20);
  CHECK(first[first.size() * 9 / 10] <= 0.60);
  CHECK(100 * inside >= 85 * all);
}
