// A sweep of serving: who asks whether it fits gets one answer. Every thirtieth scenario by itself; all of them with [sweep].
#include "json.hpp"
#include "scenarios.hpp"

#include "plimsoll/catalog/prices.hpp"
#include "plimsoll/files/command_line.hpp"
#include "plimsoll/files/training_config.hpp"
#include "plimsoll/questions/serving_plan.hpp"
#include "plimsoll/questions/solve.hpp"
#include "plimsoll/results/api.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdio>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

constexpr const char* kModels[] = {"llama-3.1-8b",  "llama-3.3-70b",           "qwen3-32b",           "qwen3-8b",        "qwen3-30b-a3b",    "gpt-oss-20b",
                                   "gpt-oss-120b",  "gemma-3-27b",             "gemma-2-9b",          "mixtral-8x7b",    "mistral-small-3-24b", "phi-4-14b",
                                   "llama-3.1-405b", "llama-4-scout-109b-a17b", "glm-4.5-air-106b-a12b", "deepseek-v3-671b", "qwen2.5-72b",      "qwen3-235b-a22b"};
constexpr const char* kEngines[] = {"vllm", "sglang", "tensorrt_llm", "lmdeploy"};
constexpr const char* kContexts[] = {"2048", "8192", "32768", "131072"};
constexpr const char* kBatches[] = {"1", "4", "16", "64", "256"};

std::vector<std::string> scenarios() {
  std::vector<std::string> queries;
  for (const char* model : kModels)
    for (const char* engine : kEngines)
      for (const char* context : kContexts)
        for (const char* batch : kBatches) {
          const char* const device = queries.size() % 2 == 0 ? "&device=h100-80-sxm" : "&device=a100-80-sxm&tensor_parallel=8";
          queries.push_back("model=" + std::string{model} + device + "&task=inference&profile=" + engine + "&context_tokens=" + context + "&batch=" + batch);
        }
  return queries;
}

struct Counts {
  int scenarios = 0, refused = 0, fit = 0, short_of = 0, planned = 0, different = 0;
};

/// What a plan says of the ways that it lists, and an estimate of each.
void compare_plan(const io::Prices& prices, const io::Request& request, Counts& counts) {
  const io::ServingPlan plan = io::plan_serving(test::catalog(), prices, request);
  for (const io::ServedWay& way : plan.best) {
    io::Answer whole = io::answer_query(test::catalog(), way.query);
    io::add_footprint(whole);
    INFO(way.query);
    ++counts.planned;
    const bool same = whole.ok && whole.judgement.holds() && whole.footprint->headroom == way.headroom;
    CHECK(same);
    counts.different += same ? 0 : 1;
  }
}

Counts sweep(std::size_t every) {
  const io::Prices prices = io::Prices::load(test::catalog());
  const std::vector<std::string> all = scenarios();
  Counts counts;
  for (std::size_t i = 0; i < all.size(); i += every) {
    const std::string& query = all[i];
    INFO(query);
    io::Answer answer = io::answer_query(test::catalog(), query);
    ++counts.scenarios;
    if (!answer.ok) {
      ++counts.refused;
      continue;
    }
    io::add_footprint(answer);
    const bool fits = answer.judgement.holds();
    counts.fit += fits ? 1 : 0;
    const bool is_short = fits && answer.judgement.pool.exists && answer.judgement.pool.sequences < answer.judgement.asked;
    CHECK(!is_short);
    counts.short_of += is_short ? 1 : 0;
    const io::Json page = test::parsed(io::explain_json(test::catalog(), io::answer_query(test::catalog(), query))), command = test::parsed(io::estimate_json(answer));
    bool same = page.at("estimate").at("fits").get<bool>() == fits && dump(page.at("estimate").at("verdict")) == dump(command.at("estimate").at("verdict"));
    const io::Solved solved = io::solve(test::catalog(), answer.request, {Goal::largest, "batch"});
    const std::int64_t largest = solved.answer ? std::stoll(solved.answer->value) : 0;
    same = same && (largest >= answer.inputs.workload.batch) == fits;
    if (answer.profile_id != "lmdeploy") {
      const io::ExportedCommand line = io::export_scenario(test::catalog(), answer, answer.profile_id);
      same = same && (!line.ok || (line.text.find(answer.headline.verdict) == std::string::npos) == fits);
    }
    CHECK(same);
    counts.different += same ? 0 : 1;
    if (i % (every * 12) == 0) compare_plan(prices, answer.request, counts);
  }
  std::printf("%d scenarios: %d refused, %d fit, %d of them hold fewer sequences than asked; %d ways of plans; %d answers differ\n", counts.scenarios, counts.refused, counts.fit,
              counts.short_of, counts.planned, counts.different);
  return counts;
}

} // namespace

TEST_CASE("estimate, fit, plan, export and page say the same of serving") {
  const Counts counts = sweep(30);
  CHECK(counts.scenarios >= 48);
  CHECK(counts.fit > 5);
  CHECK(counts.short_of == 0);
  CHECK(counts.different == 0);
}

TEST_CASE("they do in 1,440 scenarios", "[.][sweep]") {
  const Counts counts = sweep(1);
  CHECK(counts.scenarios == 1440);
  CHECK(counts.fit > 100);
  CHECK(counts.short_of == 0);
  CHECK(counts.different == 0);
}
