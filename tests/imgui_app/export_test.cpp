// The result as files, and the file that comes back.
#include "null_screen.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <utility>

using namespace plimsoll;
using app::test::NullScreen;

namespace {

std::string saved(NullScreen& screen, const char* format) {
  screen.app().effects = {};
  screen.press("button.export");
  screen.press(std::string("export.") + format);
  return std::exchange(screen.app().effects.save_text, {});
}

} // namespace

TEST_CASE("each format of the menu is the text that the core writes") {
  NullScreen screen("model=llama-3-8b&device=rtx4090");
  for (std::size_t i = 0; i < io::kResultFormats; ++i) {
    const auto format = static_cast<io::ResultFormat>(i);
    const std::string id{io::text_of(format).id};
    CAPTURE(id);
    CHECK(saved(screen, id.c_str()) == io::result_file(screen.app().catalog, screen.app().answer, format));
    CHECK(screen.app().effects.save_name.ends_with(io::text_of(format).ending));
  }
  CHECK(screen.errors().empty());
}

TEST_CASE("a picture is left to the platform") {
  NullScreen screen("model=llama-3-8b&device=rtx4090");
  screen.press("button.export");
  screen.press("export.png");
  CHECK(screen.app().effects.save_picture);
  CHECK(screen.app().effects.save_name == "plimsoll-llama-3-8b-rtx4090-inference.png");
}

TEST_CASE("an exported result brings its question back") {
  std::string file, query;
  {
    NullScreen screen("model=qwen3-8b&device=rtx4090&batch=7");
    file = saved(screen, "json");
    query = screen.app().query;
  }
  NullScreen screen("model=llama-3-8b&task=pretrain");
  CHECK(screen.app().read_file(file, file.size(), "plimsoll.json"));
  screen.settle();
  CHECK(screen.app().query == query);
  CHECK(screen.app().effects.query_changed);
}

TEST_CASE("while the question has errors there is nothing to keep") {
  NullScreen screen("model=llama-3-8b&batch=many");
  CHECK_FALSE(screen.shows("button.export"));
}
