// Routers that fill some experts more than others.
#include "method/footprint/uncertainties.hpp"
#include "plimsoll/method/time.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>

using namespace plimsoll;

namespace {

const std::string kExperts = "model=qwen3-30b-a3b&device=h200&task=pretrain&profile=megatron&data_parallel=8&expert_parallel=8&sharding=optimizer";

Bytes activations(const std::string& more) {
  const Estimate estimate = test::answer_to(kExperts + more).estimate;
  return estimate.at_peak().parts[static_cast<std::size_t>(Part::activations)];
}

bool has_range(const std::string& more) {
  io::Answer answer = test::answer_to(kExperts + more);
  io::add_footprint(answer);
  return std::ranges::any_of(answer.footprint->uncertainties, [](const Uncertainty& one) { return one.id == "uncertainty.routing"; });
}

} // namespace

TEST_CASE("the fullest GPU keeps what reaches its experts") {
  const Bytes even = activations(""), half = activations("&expert_load=1.5"), twice = activations("&expert_load=2");
  CHECK(even < half);
  CHECK(twice - half == half - even); // only the experts' rows grow
  CHECK(has_range(""));
  CHECK_FALSE(has_range("&expert_load=1.5"));
}

TEST_CASE("all GPUs wait for the fullest one") {
  const auto step = [](const std::string& more) { return step_time(test::answer_to(kExperts + more).scenario).total.expected; };
  CHECK(step("&expert_load=2") > step(""));
}
