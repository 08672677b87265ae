// The tree and the numbers are two views of the same thing.
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <set>

using namespace plimsoll;

namespace {

void check_sums(const Component& component) {
  INFO(component.id);
  CHECK(component.low <= component.amount);
  CHECK(component.amount <= component.high);
  CHECK(component.amount >= 0);
  CHECK(component.formula.empty() == !component.parts.empty());
  if (component.parts.empty()) return;
  std::int64_t amount = 0, low = 0, high = 0;
  for (const Component& part : component.parts) {
    amount += part.amount, low += part.low, high += part.high;
    check_sums(part);
  }
  CHECK(component.amount == amount);
  CHECK(component.low == low);
  CHECK(component.high == high);
}

void collect_ids(const Component& component, std::multiset<std::string>& ids) {
  ids.insert(component.id);
  for (const Component& part : component.parts) collect_ids(part, ids);
}

} // namespace

TEST_CASE("a component with parts is their sum, at every moment") {
  for (const std::string& query : test::valid_queries(100)) {
    const io::Answer answer = test::answer_to(query);
    INFO(query);
    for (std::size_t i = 0; i < answer.estimate.moments.size(); ++i)
      check_sums(explain_moment(answer.scenario, answer.estimate.moments[i].moment));
    check_sums(explain(answer.scenario, answer.estimate).parameters);
  }
}

TEST_CASE("the words have the numbers of the estimate") {
  for (const std::string& query : test::valid_queries(100)) {
    const io::Answer answer = test::answer_to(query);
    const Estimate& estimate = answer.estimate;
    INFO(query);
    for (std::size_t i = 0; i < estimate.moments.size(); ++i) {
      const MomentUse& use = estimate.moments[i];
      const Component tree = explain_moment(answer.scenario, use.moment);
      CHECK(tree.amount == use.total.value);
      CHECK(tree.low == use.low.value);
      CHECK(tree.high == use.high.value);
      for (std::size_t part = 0; part < kParts; ++part) {
        const Component* found = find_component(tree, text_of(static_cast<Part>(part)).id);
        CHECK((found == nullptr ? 0 : found->amount) == use.parts[part].value);
      }
    }
    const Explanation explanation = explain(answer.scenario, estimate);
    CHECK(explanation.parameters.amount == facts_of(answer.scenario, estimate.rank).parameters.value);
    CHECK(explanation.memory.amount == estimate.at_peak().total.value);
  }
}

TEST_CASE("so they have for every rank of a pipeline") {
  for (const char* query : {"model=llama-3.1-405b&task=pretrain&tensor_parallel=2&pipeline_parallel=2&data_parallel=2&micro_batches=8",
                            "model=llama-3-70b&task=pretrain&profile=megatron&tensor_parallel=4&pipeline_parallel=8&data_parallel=4&sharding=optimizer&micro_batches=16",
                            "model=llama-3-70b&task=pretrain&profile=torchtitan&pipeline_parallel=4&data_parallel=8&sharding=parameters&micro_batches=8&recompute=per_op",
                            "model=gemma-2-9b&task=finetune&pipeline_parallel=2&micro_batches=4&recompute=selective", "model=qwen3-30b-a3b&pipeline_parallel=4",
                            "model=llama-3-8b&task=finetune&method=lora&weight_dtype=nf4&pipeline_parallel=4&micro_batches=4"}) {
    const io::Answer answer = test::answer_to(query);
    INFO(query);
    REQUIRE(answer.ok);
    for (std::int64_t rank = 0; rank < answer.scenario.strategy.pipeline_parallel; ++rank) {
      const Estimate one = estimate_rank(answer.scenario, rank);
      CHECK(one.at_peak().total == answer.estimate.ranks[static_cast<std::size_t>(rank)].total);
      for (std::size_t i = 0; i < one.moments.size(); ++i) {
        const Component tree = explain_moment(answer.scenario, one.moments[i].moment, rank);
        CHECK(tree.amount == one.moments[i].total.value);
        CHECK(tree.low == one.moments[i].low.value);
        CHECK(tree.high == one.moments[i].high.value);
      }
    }
  }
}

TEST_CASE("the peak is the largest moment, and what is left is counted from it") {
  for (const std::string& query : test::valid_queries(100)) {
    const Estimate estimate = test::answer_to(query).estimate;
    INFO(query);
    for (std::size_t i = 0; i < estimate.moments.size(); ++i) CHECK(estimate.moments[i].total <= estimate.at_peak().total);
    CHECK(estimate.headroom + estimate.at_peak().total == estimate.usable);
    CHECK(estimate.fits == (estimate.at_peak().total - estimate.movable <= estimate.usable));
  }
}

TEST_CASE("ids are unique within a tree") {
  for (const std::string& query : test::valid_queries(50)) {
    const io::Answer answer = test::answer_to(query);
    for (std::size_t i = 0; i < answer.estimate.moments.size(); ++i) {
      std::multiset<std::string> ids;
      collect_ids(explain_moment(answer.scenario, answer.estimate.moments[i].moment), ids);
      for (const std::string& id : ids) {
        INFO(query << "\n" << id);
        CHECK(ids.count(id) == 1);
      }
    }
  }
}

TEST_CASE("an estimate depends on nothing but its scenario") {
  const std::vector<std::string> queries = test::valid_queries(20);
  for (const std::string& query : queries) {
    const io::Answer answer = test::answer_to(query);
    const Estimate first = estimate(answer.scenario);
    for (const std::string& other : {queries.front(), queries.back()}) (void)estimate(test::answer_to(other).scenario);
    CHECK(estimate(answer.scenario).at_peak().total == first.at_peak().total);
  }
}
