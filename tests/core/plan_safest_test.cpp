#include "plans.hpp"

#include "plimsoll/method/chance.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;
using test::plan_for;

TEST_CASE("chances follow the range: none at its high end, all below its low one, a triangle between") {
  const MemoryRange range{Bytes{80}, Bytes{70}, Bytes{100}};
  CHECK(chance_above(range, Bytes{100}) == 0);
  CHECK(chance_above(range, Bytes{69}) == kCertain);
  CHECK(chance_above(range, Bytes{70}) == kCertain);
  CHECK(chance_above(range, Bytes{90}) == 166'667); // 10² / (30 × 20)
  CHECK(chance_above(range, Bytes{80}) == 666'667);
  CHECK(chance_above(range, Bytes{75}) == 916'667); // 1 - 5² / (30 × 10)
  CHECK(chance_above({Bytes{80}, Bytes{80}, Bytes{80}}, Bytes{79}) == kCertain);
}

TEST_CASE("the safest plan holds at the high end of its process where any does, and is the fastest of those") {
  const std::string question = "model=llama-3-8b&task=pretrain&device=h100-80-sxm&profile=megatron&gpus=8&global_batch=64&context_tokens=8192";
  const io::PlanAnswer fastest = plan_for(question), safest = plan_for(question + "&objective=safest"), roomiest = plan_for(question + "&objective=headroom");
  REQUIRE(!safest.best.empty());
  const io::PlannedWay& first = safest.best.front();
  CHECK(first.chance == 0);
  const io::Answer there = test::check_opens(first);
  CHECK(!there.footprint->tight);
  CHECK(there.footprint->process.high <= there.footprint->usable);
  CHECK(fastest.best.front().planned.time <= first.planned.time);
  CHECK(first.planned.time <= roomiest.best.front().planned.time);
  for (std::size_t i = 1; i < safest.best.size(); ++i) CHECK(safest.best[i - 1].chance <= safest.best[i].chance);
  CHECK(io::why_text(safest).find("least chance of running out of memory. It holds at the high end of what it may take.") != std::string::npos);
}

TEST_CASE("where nothing is sure, what is more likely to hold comes first, and the chance is told") {
  const io::PlanAnswer safest = plan_for("model=llama-3-8b&task=pretrain&device=h100-80-sxm&profile=megatron&gpus=2&offload=none&global_batch=64&context_tokens=8192&objective=safest");
  REQUIRE(safest.best.size() > 1);
  for (const io::PlannedWay& way : safest.best) CHECK((way.judged && way.chance > 0));
  CHECK(safest.best.front().chance < safest.best.back().chance);
  CHECK(io::reason_text(safest).starts_with("It runs out of memory with a chance of "));
}
