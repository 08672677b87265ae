// Any model as a difference of another: the facts that its family has, and no others, can be changed and taken back.
#include "null_screen.hpp"
#include "plimsoll/answer/model_change.hpp"
#include "plimsoll/catalog/field_groups.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string>

using namespace plimsoll;
using app::test::NullScreen;

TEST_CASE("the facts of a model fold out under headings, those of its family alone") {
  const char* const model = GENERATE("llama-3-8b", "qwen3-30b-a3b", "gemma-3-27b");
  CAPTURE(model);
  NullScreen screen(std::string("model=") + model + "&device=h100-80-sxm", {1440, 4000});
  CHECK_FALSE(screen.shows("field.layers"));
  screen.press("button.more.model");
  for (const io::FieldState& state : screen.app().answer.fields) {
    if (io::group_of(*state.field).empty()) continue;
    CAPTURE(state.field->name);
    CHECK(screen.shows("field." + std::string(state.field->name)) == state.applies);
  }
  screen.press("button.more.model");
  CHECK_FALSE(screen.shows("field.layers"));
  CHECK(screen.errors().empty());
}

TEST_CASE("experts are facts of a model that has some") {
  const auto shows_experts = [](const char* query) {
    NullScreen screen(query, {1440, 4000});
    screen.press("button.more.model");
    return screen.shows("field.experts_per_token");
  };
  CHECK(shows_experts("model=qwen3-30b-a3b"));
  CHECK_FALSE(shows_experts("model=llama-3-8b"));
}

TEST_CASE("a changed fact stays out, is named, and goes back") {
  NullScreen screen("model=llama-3-8b&device=h100-80-sxm");
  CHECK(io::model_change(screen.app().catalog, screen.app().answer).empty());
  screen.app().set_field("layers", "40");
  screen.settle();
  const app::App& app = screen.app();
  CHECK(app.answer.ok);
  CHECK(app.answer.inputs.model.name == "Llama 3 8B, changed");
  CHECK(io::model_change(app.catalog, app.answer) == "1,744,896,000 parameters more than Llama 3 8B");
  REQUIRE(screen.shows("field.layers"));
  screen.press("reset.layers");
  CHECK_FALSE(screen.shows("field.layers"));
  CHECK(app.answer.inputs.model.name == "Llama 3 8B");
  CHECK(screen.errors().empty());
}

TEST_CASE("a change that costs nothing says so") {
  NullScreen screen("model=llama-3-8b&max_context=4096&context_tokens=2048");
  CHECK(io::model_change(screen.app().catalog, screen.app().answer) == "as many parameters as Llama 3 8B");
  screen.app().set_query("model=llama-3-8b&layers=16");
  CHECK(io::model_change(screen.app().catalog, screen.app().answer) == "3,489,792,000 parameters fewer than Llama 3 8B");
  screen.app().set_query("model=llama-3-8b&layers=many");
  CHECK(io::model_change(screen.app().catalog, screen.app().answer).empty());
}
