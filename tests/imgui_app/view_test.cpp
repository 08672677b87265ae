// What is looked at as the part of a link behind '#': it comes back, and what nobody knows is said.
#include "null_screen.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;
using app::test::NullScreen;

namespace {

constexpr const char* kPipeline = "model=llama-3-8b&device=h100-80-sxm&task=pretrain&pipeline_parallel=4";

} // namespace

TEST_CASE("nothing is said of the view that everybody begins with") {
  NullScreen screen(kPipeline);
  CHECK(screen.app().view_text().empty());
}

TEST_CASE("tab, rank, moment, formula and pins come back from a link") {
  std::string view, query;
  {
    NullScreen screen(kPipeline);
    screen.app().set_view("pin1=model%3Dllama-3-8b%26task%3Dinference");
    screen.settle();
    screen.press("rank.2");
    screen.press("tab.compare");
    screen.press("row.memory.weights");
    view = screen.app().view_text();
    query = screen.app().query;
    CHECK(screen.app().link() == "?" + query + "#" + view);
  }
  CHECK(view.starts_with("tab=compare&rank=2&open=memory.weights&pin1=model"));
  NullScreen screen(query);
  screen.app().set_view("#" + view);
  screen.settle();
  CHECK(screen.app().view_text() == view);
  CHECK(screen.app().view.rank == 2);
  REQUIRE(screen.app().pinned.size() == 1);
  CHECK(screen.app().pinned[0].answer.ok);
  CHECK(screen.app().view.view_notes.empty());
}

TEST_CASE("what of a view nobody knows is left out and said") {
  NullScreen screen(kPipeline);
  for (const char* const text : {"tab=nowhere", "speed=fast", "pin=x", "pinned1=x"}) {
    CAPTURE(text);
    screen.app().set_view(text);
    screen.settle();
    CHECK(screen.app().view.view_notes.size() == 1);
    CHECK(screen.app().view_text().empty());
  }
  for (const char* const text : {"rank=99", "rank=x", "rank=-1", "moment=never", "moment=decode", "open=nothing", "%", "===", "rank=99999999999999999999"}) {
    CAPTURE(text);
    screen.app().set_view(text);
    screen.settle();
    CHECK(screen.app().shown->looked_at().rank < 4);
    CHECK(screen.shows("card"));
  }
  CHECK(screen.errors().empty());
}
