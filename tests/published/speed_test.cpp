// Times of serving against worked examples and published tables (tests/corpus/measured-speed.json, each row with its source).
#include "plimsoll/method/speed.hpp"

#include "corpus.hpp"
#include "method/time/reads.hpp"
#include "plimsoll/results/api.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

const std::vector<io::Comparison>& compared() { return test::corpus("measured-speed").rows; }


} // namespace

TEST_CASE("Llama-3-8B in bf16 at 3.35 TB/s: 4.48 ms for its weights, 0.32 ms for 8192 tokens of cache") {
  const Scenario scenario = test::answer_to("task=inference&model=llama-3-8b&device=h100-80-sxm&context_tokens=8192").scenario;
  const Stage stage{scenario.model, scenario.strategy, scenario.workload, 0};
  constexpr std::int64_t kMatrices = 15'009'316'864, kNorms = 65 * 4096 * 2;
  CHECK(timing::dense_weights(scenario, stage) == Bytes{kMatrices + kNorms});
  const timing::CacheRead cache = timing::cache_read(scenario, scenario.model.groups.front());
  CHECK(Count{32} * (cache.tokens * cache.per_token) == Bytes{1'073'741'824});
  CHECK(speed(scenario).floor == Nanoseconds{4'480'552 + 320'520});
}

TEST_CASE("experts that a batch meets") {
  Moe moe;
  moe.experts = Count{128};
  moe.per_token = Count{8};
  CHECK(timing::met_experts(moe, Count{1}) == Count{62'500}); // 8 of 128
  CHECK(timing::met_experts(moe, Count{2}) == Count{121'094}); // 1 - (15/16)^2 = 0.12109
  CHECK(timing::met_experts(moe, Count{1000}) == Count{1'000'000});
  moe.per_token = Count{128};
  CHECK(timing::met_experts(moe, Count{1}) == Count{1'000'000});
}

TEST_CASE("multiplications decide a step from some 295 sequences on, if both rates were reached: H100, bf16, hardly any context") {
  Scenario scenario = test::answer_to("task=inference&model=llama-3-8b&device=h100-80-sxm&context_tokens=1").scenario;
  Efficiency& efficiency = scenario.profile.inference.efficiencies.front();
  efficiency.compute_share.value = efficiency.plain_share.value = efficiency.cache_share.value = 1000;
  const Count crossover = speed(scenario).crossover;
  CHECK(crossover >= Count{290}); // 989.4 TFLOP/s over 3.35 TB/s is 295.3; norms and the one token are read besides
  CHECK(crossover <= Count{300});
}

TEST_CASE("decode speed of one GPU: half of the rows within 12 %, nine of ten within 30 %, none above the roofline") {
  std::vector<double> errors;
  std::size_t inside = 0;
  for (const io::Comparison& row : compared()) {
    if (!row.modelled || !row.measured || row.metric != "tokens_per_s") {
      CHECK(!row.reason.empty());
      continue;
    }
    const double error = static_cast<double>(row.predicted) / static_cast<double>(*row.measured) - 1;
    std::printf("%-8s %-28s %9.2f measured, %9.2f, %+6.1f %%\n", row.id.c_str(), row.group.c_str(), static_cast<double>(*row.measured) / 100,
                static_cast<double>(row.predicted) / 100, 100 * error);
    errors.push_back(std::abs(error));
    inside += row.low <= *row.measured && *row.measured <= row.high ? 1 : 0;
  }
  REQUIRE(errors.size() >= 40);
  std::ranges::sort(errors);
  CHECK(errors[errors.size() / 2] <= 0.12);
  CHECK(errors[errors.size() * 9 / 10] <= 0.30);
  CHECK(10 * inside >= 9 * errors.size());
}

