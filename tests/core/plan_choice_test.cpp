// Which of the best plans is named as the simplest.
#include "json.hpp"
#include "scenarios.hpp"

#include "plimsoll/questions/plan.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;

TEST_CASE("of plans that are as good within what times are known to, the simplest is named") {
  // By hand: 1.00, 1.02, 1.04 times as long, with three, two and one input that divide the model.
  io::PlanAnswer answer;
  answer.ok = true;
  answer.objective = Objective::time;
  const auto add = [&](std::int64_t time, const char* query) {
    io::PlannedWay way;
    way.planned.timed = true;
    way.planned.time = Nanoseconds{time};
    way.query = query;
    way.text = query;
    answer.best.push_back(way);
  };
  CHECK_FALSE(io::simplest_of(answer));
  add(1000, "model=llama-3-8b&task=pretrain&tensor_parallel=2&context_parallel=2&recompute=full&data_parallel=2&micro_batches=8");
  CHECK(io::choice_text(answer).empty());
  add(1020, "model=llama-3-8b&task=pretrain&tensor_parallel=4&sequence_parallel=true&data_parallel=2&batch=4");
  add(1040, "model=llama-3-8b&task=pretrain&sharding=parameters&data_parallel=8");
  CHECK(io::simplest_of(answer) == 1);
  CHECK(io::choice_text(answer).find("number 2") != std::string::npos);
  answer.best[1].planned.time = Nanoseconds{1031};
  CHECK(io::simplest_of(answer) == 0);
  answer.objective = Objective::headroom;
  CHECK_FALSE(io::simplest_of(answer));

  const io::Prices prices = io::Prices::load(test::catalog());
  Issues issues;
  const io::Request question = io::request_from_query("model=llama-3-8b&task=pretrain&device=h100-80-sxm&profile=torchtitan&gpus=16&train_tokens=1000000000", issues);
  io::PlanSession session{test::catalog(), prices, question, issues};
  session.finish(1);
  const io::PlanAnswer searched = session.answer();
  REQUIRE(io::simplest_of(searched));
  CHECK(*io::simplest_of(searched) < searched.best.size());
  CHECK(test::parsed(io::plan_json(searched)).at("simplest") == *io::simplest_of(searched));
  CHECK(test::parsed(io::plan_json(searched)).at("why") == io::why_text(searched));
}

TEST_CASE("why a plan is first: where its step goes, and against the second") {
  io::PlanAnswer answer;
  answer.ok = true;
  const auto add = [&](std::int64_t matrices, std::int64_t tensor, std::int64_t pipeline) {
    io::PlannedWay way;
    way.planned.timed = true;
    way.parts[static_cast<std::size_t>(TimePart::matrices)] = Nanoseconds{matrices * 1'000'000'000};
    way.parts[static_cast<std::size_t>(TimePart::tensor_parallel)] = Nanoseconds{tensor * 1'000'000'000};
    way.parts[static_cast<std::size_t>(TimePart::pipeline)] = Nanoseconds{pipeline * 1'000'000'000};
    answer.best.push_back(way);
  };
  CHECK(io::reason_text(answer).empty());
  add(15, 1, 4);
  CHECK(io::reason_text(answer) == "Of a step of 20.0 s, 75 % is arithmetic and memory traffic, 20 % pipeline, 5 % tensor parallelism.");
  add(15, 7, 1);
  CHECK(io::reason_text(answer) == "Of a step of 20.0 s, 75 % is arithmetic and memory traffic, 20 % pipeline, 5 % tensor parallelism. Against number 2: 6.00 s less tensor parallelism, 3.00 s more pipeline.");
}
