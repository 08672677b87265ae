// What is tried out beside the question: remedies at the input, changes that make it fit, the number under other frameworks.
#include "null_screen.hpp"

#include "plimsoll/questions/other_profiles.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>

using namespace plimsoll;
using app::test::NullScreen;

TEST_CASE("an error has a remedy at its input, which takes it away") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm&tensor_parallel=3", {1440, 1600});
  CHECK_FALSE(screen.app().answer.ok);
  REQUIRE(screen.shows("remedy.tensor_parallel.0"));
  screen.press("remedy.tensor_parallel.0");
  CHECK(screen.app().answer.ok);
  CHECK(screen.app().answer.inputs.strategy.tensor_parallel == 2); // the nearest that divides the heads
  CHECK_FALSE(screen.shows("remedy.tensor_parallel.0"));
}

TEST_CASE("where there is no answer yet, the remedies stand in its place too") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm&tensor_parallel=3", {1440, 900});
  screen.press("mend.tensor_parallel.1");
  CHECK(screen.app().answer.ok);
  CHECK(screen.app().answer.inputs.strategy.tensor_parallel == 4);
}

TEST_CASE("a slip in a name has the name as its remedy") {
  NullScreen screen("model=llama-3-8b&device=rtx4909", {1440, 1600});
  REQUIRE(screen.shows("remedy.device.0"));
  screen.press("remedy.device.0");
  CHECK(screen.app().answer.ok);
}

TEST_CASE("where nothing is wrong there is no remedy") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm");
  CHECK(screen.app().remedies.empty());
}

TEST_CASE("a question that does not fit has a change that makes it fit, once nothing moves any more") {
  NullScreen screen("model=llama-3-70b&device=h100-80-sxm&task=inference", {1440, 1600});
  REQUIRE_FALSE(screen.app().answer.footprint->fits);
  CHECK_FALSE(screen.app().advice); // only where the platform asks for it
  screen.app().advises = true;
  screen.app().wake();
  do screen.frames(1);
  while (!screen.app().advice || screen.app().advice->running);
  screen.settle();
  REQUIRE(screen.shows("advice.0"));
  screen.press("advice.0");
  CHECK(screen.app().answer.footprint->fits);
  CHECK_FALSE(screen.shows("advice.0"));
  CHECK(screen.errors().empty());
}

TEST_CASE("the card shows the number under other frameworks, which are a press away") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm&task=pretrain&profile=megatron&data_parallel=8", {1440, 2400});
  screen.press("row.memory.optimizer");
  const auto& rows = screen.app().other_profiles.rows;
  REQUIRE(rows.size() > 3);
  CHECK(std::ranges::count(rows, true, &io::ProfileAmount::is_asked) == 1);
  const std::int64_t amount = find_component(screen.app().shown->explanation.memory, "memory.optimizer")->amount;
  const auto other = std::ranges::find_if(rows, [&](const io::ProfileAmount& row) { return row.exists && format_amount(row.amount, row.unit) != format_amount(amount, row.unit); });
  REQUIRE(other != rows.end());
  const io::ProfileAmount expected = *other;
  screen.press("profile." + expected.profile);
  CHECK(screen.app().answer.profile_id == expected.profile);
  REQUIRE(find_component(screen.app().shown->explanation.memory, "memory.optimizer"));
  CHECK(find_component(screen.app().shown->explanation.memory, "memory.optimizer")->amount == expected.amount);
  CHECK(screen.errors().empty());
}

TEST_CASE("the number of a moment and a rank that is looked at is that of the same under other frameworks") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm&task=pretrain&profile=megatron&pipeline_parallel=4&micro_batches=8", {1440, 2400});
  screen.app().set_view("rank=2&moment=optimizer_step&open=memory.weights");
  screen.settle();
  const Component* const shown = find_component(*screen.app().shown->moment, "memory.weights");
  REQUIRE(shown);
  const auto& rows = screen.app().other_profiles.rows;
  const auto own = std::ranges::find(rows, true, &io::ProfileAmount::is_asked);
  REQUIRE(own != rows.end());
  CHECK(own->amount == shown->amount);
}
