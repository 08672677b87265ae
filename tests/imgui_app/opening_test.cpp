// Every number opens: to its parts, its formula, its source, and the input that it comes from.
#include "null_screen.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;
using app::test::NullScreen;

TEST_CASE("a segment of the hull and a row of the table are the same number") {
  NullScreen screen("model=llama-3-8b&device=rtx4090&batch=8");
  screen.hover("row.memory.kv_cache");
  CHECK(screen.app().view.hovered == "memory.kv_cache");
  screen.press("segment.memory.kv_cache");
  CHECK(screen.app().view.selected == "memory.kv_cache");
  CHECK(screen.shows("symbol.sequences"));
  CHECK(screen.shows("link.citation"));
}

TEST_CASE("a symbol leads to its input") {
  NullScreen screen("model=llama-3-8b&device=rtx4090&batch=8");
  screen.press("segment.memory.kv_cache");
  screen.hover("symbol.sequences");
  CHECK(screen.app().view.highlighted_field == "batch");
  screen.press("symbol.sequences");
  CHECK(screen.app().view.editing == "batch");
  screen.type("9");
  CHECK(screen.app().answer.inputs.workload.batch == 9);
}

TEST_CASE("a symbol leads to an input that was folded away") {
  NullScreen screen("model=llama-3-8b&device=rtx4090");
  screen.press("segment.memory.kv_cache");
  CHECK_FALSE(screen.shows("field.layers"));
  screen.press("symbol.layers");
  CHECK(screen.app().view.editing == "layers");
}

TEST_CASE("a sum opens into its parts") {
  NullScreen screen("model=llama-3-8b&device=rtx4090");
  CHECK_FALSE(screen.shows("row.memory.weights.mlp"));
  screen.press("row.memory.weights");
  const Component* const weights = find_component(screen.app().shown->explanation.memory, "memory.weights");
  REQUIRE(weights);
  for (const Component& part : weights->parts) CHECK(screen.shows("row." + part.id));
  screen.press("part." + weights->parts.front().id);
  CHECK(screen.app().view.selected == weights->parts.front().id);
  CHECK(screen.errors().empty());
}

TEST_CASE("a source opens in the browser") {
  NullScreen screen("model=llama-3-8b&device=rtx4090");
  screen.press("segment.memory.kv_cache");
  screen.press("link.citation");
  CHECK(screen.app().effects.open_url.starts_with("https://"));
}

TEST_CASE("each moment of a step has its own breakdown") {
  NullScreen screen("model=llama-3-8b&device=rtx4090&task=finetune");
  const Component peak = screen.app().shown->explanation.memory;
  screen.press("tab.timeline");
  screen.press("moment.optimizer_step");
  REQUIRE(screen.app().shown->moment.has_value());
  CHECK(screen.app().shown->moment->amount < peak.amount);
  screen.press("link.show_peak");
  CHECK_FALSE(screen.app().shown->moment.has_value());
  CHECK(screen.errors().empty());
}

TEST_CASE("a moment that the next question does not have is let go") {
  NullScreen screen("model=llama-3-8b&device=rtx4090&task=finetune");
  screen.press("tab.timeline");
  screen.press("moment.optimizer_step");
  screen.press("task.inference");
  CHECK_FALSE(screen.app().view.moment.has_value());
  CHECK_FALSE(screen.app().view.selected.empty());
  CHECK(find_component(screen.app().shown->explanation.memory, screen.app().view.selected));
}
