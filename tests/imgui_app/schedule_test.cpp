// The schedule of a pipeline is drawn for every schedule that the tables know.
#include "null_screen.hpp"

#include "plimsoll/method/fields.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;
using app::test::NullScreen;

TEST_CASE("every schedule is drawn with its passes, on screens of any width") {
  const Field* const field = find_field("pipeline_schedule");
  REQUIRE(field);
  const std::string query = "model=llama-3-8b&device=h100-80-sxm&task=pretrain&pipeline_parallel=4&micro_batches=16&data_parallel=4&profile=megatron";
  for (const ImVec2 size : {ImVec2{1440, 1800}, ImVec2{390, 4200}}) {
    for (const Choice& choice : field->choices) {
      CAPTURE(choice.name, size.x);
      NullScreen screen(query + "&pipeline_schedule=" + std::string(choice.name), size);
      screen.press("tab.timeline");
      REQUIRE(screen.shows("schedule"));
      const std::size_t with = screen.vertices();
      screen.app().set_field("micro_batches", "2");
      screen.settle();
      CHECK(with > screen.vertices()); // fewer passes, or none where so few micro-batches are not enough
      CHECK(screen.errors().empty());
    }
  }
}
