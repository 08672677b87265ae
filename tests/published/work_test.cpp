// Operations of a training token: worked figures, and what programs print by their own conventions (tests/published/work-conventions.json).
#include "json.hpp"
#include "plimsoll/method/compute.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

using namespace plimsoll;

namespace {

TokenWork work_of(const std::string& query) {
  const io::Answer answer = test::answer_to(query);
  REQUIRE(answer.ok);
  return token_work(answer.scenario);
}

Count by(WorkConvention convention, const std::string& query) {
  return convention_work(convention, work_figures(test::answer_to(query).scenario)).count();
}

const WorkConventionText* find_convention(const std::string& id) {
  const auto texts = work_conventions();
  const auto at = std::ranges::find(texts, id, &WorkConventionText::id);
  return at == texts.end() ? nullptr : &*at;
}

const std::string kLlama = "model=llama-3-8b&task=pretrain&context_tokens=8192";

} // namespace

TEST_CASE("a token of Llama-3-8B at 8,192 tokens: 51,470,401,536 operations, 57,912,852,480 with full attention, 48,181,567,488 by 6 N") {
  CHECK(work_of(kLlama).model == Count{51'470'401'536});
  constexpr std::int64_t kNorms = 6 * 266'240; // conventions count every parameter, those of norms too
  CHECK(by(WorkConvention::torchtitan, kLlama) == Count{57'912'852'480 + kNorms});
  CHECK(by(WorkConvention::megatron, kLlama) == Count{51'470'401'536 + kNorms});
  CHECK(by(WorkConvention::six_n, kLlama) == Count{48'181'567'488});
}

TEST_CASE("frozen weights are passed over twice, and adapters three times") {
  const std::string lora = "model=llama-3-8b&task=finetune&context_tokens=8192&method=lora&rank=16&targets=all_linear";
  constexpr std::int64_t kMatrices = 7'504'658'432, kScores = 2'147'483'648, kAdapters = 41'943'040;
  CHECK(work_of(lora).model == Count{4 * kMatrices + 3 * kScores + 6 * kAdapters});
}

TEST_CASE("full recomputation adds one forward pass of the layers, the core of attention its scores alone") {
  constexpr std::int64_t kHead = 525'336'576, kMatrices = 7'504'658'432, kScores = 2'147'483'648;
  CHECK(work_of(kLlama).recomputed == Count{0});
  CHECK(work_of(kLlama + "&recompute=full").recomputed == Count{2 * (kMatrices - kHead) + kScores});
  CHECK(work_of(kLlama + "&recompute=selective").recomputed == Count{kScores});
  CHECK(work_of(kLlama + "&recompute=block&recompute_layers=8").recomputed == Count{(2 * (kMatrices - kHead) + kScores) / 4});
  CHECK(work_of(kLlama + "&recompute=full").model == work_of(kLlama).model);
}

TEST_CASE("a window shortens attention, and a tied head still multiplies") {
  const TokenWork full = work_of("model=mistral-7b-v0.1&task=pretrain&context_tokens=16384&sliding_window=16384");
  const TokenWork windowed = work_of("model=mistral-7b-v0.1&task=pretrain&context_tokens=16384&sliding_window=4096");
  // 8,192 keys on average become 4,096 - 4,096² / 2 / 16,384 = 3,584: 32 layers of 32 heads of 2 × 128 channels, three passes
  CHECK(full.model - windowed.model == Count{std::int64_t{2} * 3 * 32 * 32 * 256 * (8'192 - 3'584)});
  const TokenWork tied = work_of("model=llama-3-8b&task=pretrain&context_tokens=8192&tied_embeddings=1");
  CHECK(tied.model == work_of(kLlama).model);
}

TEST_CASE("what programs print of their speed follows from their conventions within 0.3 %") {
  const io::Json file = test::parsed_file("tests/published/work-conventions.json");
  std::set<std::string> met;
  int compared = 0;
  for (const io::Json& row : file.at("rows")) {
    INFO(row.at("id").get<std::string>());
    const WorkConventionText* convention = find_convention(row.at("convention").get<std::string>());
    REQUIRE(convention != nullptr);
    const auto of = [&](const char* key) { return Count{row.at(key).get<std::int64_t>()}; };
    const WorkFigures figures{of("parameters"), of("vocabulary"), of("hidden"), of("layers"), of("context")};
    const double per_second = static_cast<double>(convention_work(convention->convention, figures).amount) * row.at("tokens_per_s").get<double>();
    const double said = row.contains("tflops") ? 1e12 * row.at("tflops").get<double>()
                                               : row.at("mfu_percent").get<double>() / 100 * 1e12 * row.at("peak_tflops").get<double>();
    CHECK(std::abs(per_second / said - 1) <= 0.003);
    met.insert(row.at("convention").get<std::string>());
    ++compared;
  }
  CHECK(compared >= 70);
  CHECK(met == std::set<std::string>{"palm", "torchtitan", "megatron", "frozen"});
}

TEST_CASE("Korthikanti's count is 72 B L s h² (1 + s / 6h + V / 12 L h)") {
  // 22B of the paper's table 3: 48 layers, 6,144 channels, 2,048 tokens, 51,200 in the vocabulary.
  const WorkFigures figures{Count{0}, Count{51'200}, Count{6'144}, Count{48}, Count{2'048}};
  const double l = 48, h = 6144, s = 2048, v = 51200;
  const double expected = 72 * l * h * h * (1 + s / (6 * h) + v / (12 * l * h));
  CHECK(std::abs(static_cast<double>(convention_work(WorkConvention::korthikanti, figures).amount) / expected - 1) < 1e-9);
}
