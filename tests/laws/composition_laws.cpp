// Other models on the same GPUs: a role more never needs less, a role that leaves never needs more.
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;

namespace {

Bytes peak(const std::string& query) { return test::answer_to(query).estimate.at_peak().total; }

/// Models of several kinds that generate text, each with every method.
std::vector<std::string> composed_queries() {
  std::vector<std::string> queries;
  for (const char* model : {"llama-3-8b", "gpt-2-124m", "mixtral-8x7b"})
    for (const char* layout : {"", "&data_parallel=4&sharding=parameters", "&precision=mixed_bf16&micro_batches=4", "&recompute=full&batch=2"})
      for (const Choice& method : find_field("preference")->choices) {
        std::string query = "task=finetune&context_tokens=256&model=" + std::string{model} + layout + "&preference=" + std::string{method.name};
        if (io::answer_query(test::catalog(), query).ok) queries.push_back(std::move(query));
      }
  return queries;
}

} // namespace

TEST_CASE("a preference method never needs less than plain text of as many sequences") {
  for (const std::string& query : composed_queries()) {
    if (query.ends_with("reward_model")) continue; // it has no logits
    INFO(query);
    CHECK(peak(test::with(query, "preference", "none")) <= peak(query));
  }
}

TEST_CASE("a role more never needs less") {
  for (const std::string& query : composed_queries()) {
    INFO(query);
    if (query.ends_with("dpo") || query.ends_with("kto")) CHECK(peak(test::with(query, "precomputed_reference", "true")) <= peak(query));
    if (query.ends_with("ppo") || query.ends_with("grpo")) CHECK(peak(test::with(query, "kl_reference", "false")) <= peak(query));
    if (query.ends_with("grpo")) {
      CHECK(peak(query) <= peak(test::with(query, "learned_reward", "true")));
      CHECK(peak(query) <= peak(test::with(query, "preference", "ppo")));
    }
  }
}

TEST_CASE("offloading, sleeping and leaving never need more") {
  for (const std::string& query : composed_queries()) {
    INFO(query);
    CHECK(peak(test::with(query, "offload_roles", "true")) <= peak(query));
    if (!query.ends_with("ppo") && !query.ends_with("grpo")) continue;
    const Bytes copy = peak(test::with(query, "rollout_engine", "copy")), sleeping = peak(test::with(query, "rollout_engine", "sleeping"));
    CHECK(sleeping <= copy);
    CHECK(peak(test::with(query, "rollout_engine", "separate")) <= sleeping);
    CHECK(peak(test::with(query, "rollout_engine", "shared")) <= copy);
  }
}

TEST_CASE("more answers at once never need less") {
  for (const std::string& query : composed_queries()) {
    if (!query.ends_with("ppo") && !query.ends_with("grpo")) continue;
    INFO(query);
    CHECK(peak(test::with(query, "rollout_prompts", "2")) <= peak(test::with(query, "rollout_prompts", "64")));
    CHECK(peak(test::with(query, "scoring_batch", "1")) <= peak(test::with(query, "scoring_batch", "16")));
  }
}
