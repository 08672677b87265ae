// Where only the end of a model trains, what stands in front of it keeps nothing and has no gradients.
#include "method/moments/visit_each.hpp"
#include "plimsoll/method/compute.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/tuning_parameters.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;

namespace {

const std::string kEight = "model=llama-3-8b&device=h100-80-sxm&task=finetune&context_tokens=2048";
/// 4096² for queries and output, 4096 x 1024 for keys and values, three maps of 4096 x 14336, two norms.
constexpr std::int64_t kMaps = 2 * 4096LL * 4096 + 2 * 4096LL * 1024 + 3 * 4096LL * 14336, kLayer = kMaps + 2 * 4096;
constexpr std::int64_t kHead = 128'256LL * 4096;

std::string last(int layers) { return kEight + "&method=last_layers&trained_layers=" + std::to_string(layers); }

std::int64_t kept_by_layers(const std::string& query, std::int64_t rank = 0) {
  const Scenario scenario = test::answer_to(query).scenario;
  const Stage stage{scenario.model, scenario.strategy, scenario.workload, rank};
  std::int64_t kept = 0;
  moments::visit_each(scenario, stage, [&](moments::Lifetime block, Part part, const Term& term) {
    if (block == moments::Lifetime::layers && part == Part::activations) kept += term.amount;
  });
  return kept;
}

std::int64_t part_of(const std::string& query, Part part) {
  std::int64_t most = 0;
  const Estimate estimate = test::answer_to(query).estimate;
  for (std::size_t i = 0; i < estimate.moments.size(); ++i) most = std::max(most, estimate.moments[i].parts[static_cast<std::size_t>(part)].value);
  return most;
}

std::int64_t work(const std::string& query) { return token_work(test::answer_to(query).scenario).model.value; }

} // namespace

TEST_CASE("the last layers train with all that they have") {
  const Scenario scenario = test::answer_to(last(2)).scenario;
  CHECK(trainable_parameters(scenario.model, scenario.tuning) == Count{2 * kLayer});
  CHECK(part_of(last(2), Part::gradients) == 2 * 2 * kLayer); // bf16
}

TEST_CASE("layers in front of those that train keep nothing") {
  CHECK(kept_by_layers(last(2)) * 16 == kept_by_layers(kEight)); // of 32 alike
  CHECK(kept_by_layers(last(32)) == kept_by_layers(kEight));
  CHECK(kept_by_layers(kEight + "&method=head") == 0);
  const std::string staged = last(4) + "&pipeline_parallel=4";
  CHECK(kept_by_layers(staged, 0) == 0);
  CHECK(kept_by_layers(staged, 3) * 8 == kept_by_layers(kEight));
}

TEST_CASE("no gradient passes the layers in front") {
  // Twice a map for each pass: one through every layer, two more through those that train; head and its input's gradient.
  const std::int64_t scores = work(kEight) - 6 * (32 * kMaps + kHead);
  CHECK(work(last(2)) == 2 * kMaps * (32 + 2 * 2) + 2 * 2 * kHead + scores / 96 * (32 + 2 * 2));
  CHECK(work(kEight + "&method=head") == 2 * 32 * kMaps + 2 * 2 * kHead + scores / 3);
}

TEST_CASE("a tied head trains in front of every layer") {
  const std::string tied = "model=llama-3.2-1b&device=h100-80-sxm&task=finetune";
  CHECK(kept_by_layers(tied + "&method=head") > 0);
}
