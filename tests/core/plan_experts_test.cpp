// How plans send tokens to experts, and how many they rank.
#include "plans.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;
using test::plan_for;

TEST_CASE("experts get tokens once a node, beside other passes, where framework, GPU and schedule let them") {
  const std::string question = "model=qwen3-30b-a3b&task=pretrain&profile=megatron&gpus=16&global_batch=256&expert_parallel=16&train_tokens=1000000000&context_tokens=4096&top=1";
  const auto best_of = [&](const std::string& more) {
    const io::PlanAnswer answer = plan_for(question + more);
    REQUIRE(answer.ok);
    REQUIRE_FALSE(answer.best.empty());
    return answer.best.front();
  };
  const io::PlannedWay hopper = best_of("&device=h100-80-sxm&pipeline_parallel=1&recompute=selective");
  CHECK(hopper.planned.choice.dispatch == ExpertDispatch::once);
  CHECK(hopper.planned.choice.expert_overlap);
  CHECK(hopper.query.find("dispatch=once") != std::string::npos);
  CHECK(hopper.query.find("expert_overlap=true") != std::string::npos);
  CHECK(hopper.text.find("tokens once a node, their exchange beside other passes") != std::string::npos);
  // DeepEP's kernels are for Hopper and later; layers that run again whole leave nothing to run beside, and neither do stages of one chunk.
  CHECK(best_of("&device=a100-80-sxm&pipeline_parallel=1&recompute=selective").planned.choice.dispatch == ExpertDispatch::profile);
  CHECK_FALSE(best_of("&device=h100-80-sxm&pipeline_parallel=1&recompute=full").planned.choice.expert_overlap);
  CHECK_FALSE(best_of("&device=h100-80-sxm&pipeline_parallel=2&expert_parallel=8&virtual_stages=1&recompute=none").planned.choice.expert_overlap);
  // What is stated stays, and is not planned where it cannot run.
  const io::PlannedWay chunks = best_of("&device=h100-80-sxm&pipeline_parallel=2&expert_parallel=8&expert_overlap=true");
  CHECK(chunks.planned.choice.schedule.virtual_stages > 1);
  CHECK((chunks.planned.choice.recompute.recompute == Recompute::none || chunks.planned.choice.recompute.recompute == Recompute::selective));
  const io::PlannedWay plain = best_of("&device=h100-80-sxm&pipeline_parallel=1&recompute=selective&dispatch=all_to_all&expert_overlap=false");
  CHECK(plain.planned.choice.dispatch == ExpertDispatch::all_to_all);
  CHECK_FALSE(plain.planned.choice.expert_overlap);
  CHECK(plain.planned.time > hopper.planned.time);
}

TEST_CASE("one plan that is asked for is found where better ones hold by their tensors alone") {
  const std::string question = "model=nemotron-3-nano-30b-a3b&device=gb300&task=pretrain&profile=megatron&context_tokens=8192&fp8=compute&training_graphs=layers&gpus=8&global_batch=512&train_tokens=1000000000000&pipeline_parallel=1&context_parallel=1";
  const io::PlanAnswer one = plan_for(question + "&top=1"), ten = plan_for(question + "&top=10");
  REQUIRE(one.best.size() == 1);
  CHECK(one.best.front().query == ten.best.front().query);
}
