// Where the desktop window was, as text.
#include "window_state.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll::app;

namespace {

const std::string kText = "width 1280\nheight 800\nx -40\ny 25\nmaximised 1\n";

std::string replaced(std::string_view from, std::string_view to) {
  std::string text = kText;
  return text.replace(text.find(from), from.size(), to);
}

} // namespace

TEST_CASE("where a window was comes back from its text") {
  const WindowState state{.width = 1280, .height = 800, .x = -40, .y = 25, .maximised = true};
  CHECK(to_text(state) == kText);
  CHECK(read_window_state(kText) == state);
  CHECK(read_window_state("maximised 0\ny 0\nx 0\nheight 240\nwidth 320\n") == WindowState{.width = 320, .height = 240});
  CHECK(read_window_state(to_text({.width = 1, .height = 90000})) == WindowState{.width = 320, .height = 16384});
}

TEST_CASE("a text that is not whole, or not ours, is nothing") {
  for (const std::string& text : {std::string(), kText.substr(0, kText.size() - 1), replaced("width 1280\n", ""), kText + "x 3\n", kText + "colour 3\n", kText + "\n",
                                  replaced("1280", "319"), replaced("1280", "16385"), replaced("1280", "1280.5"), replaced("1280", "0x500"), replaced("1280", ""),
                                  replaced("1280", "99999999999999999999"), replaced("maximised 1", "maximised 2"), replaced("x -40", "x -2000000"),
                                  std::string("{\"width\": 1280}\n"), std::string(1024, '\0')}) {
    INFO(text);
    CHECK_FALSE(read_window_state(text));
  }
}

TEST_CASE("a window is left where it was only if its title bar can be reached") {
  const ScreenArea screen{.x = 0, .y = 0, .width = 1920, .height = 1080};
  const auto at = [&](int x, int y) { return can_be_reached({.width = 800, .height = 600, .x = x, .y = y}, screen); };
  CHECK(at(100, 100));
  CHECK(at(-700, 0));
  CHECK_FALSE(at(-790, 0));
  CHECK(at(1856, 1016));
  CHECK_FALSE(at(1857, 0));
  CHECK_FALSE(at(0, 1017));
  CHECK_FALSE(at(0, -1));
  CHECK(can_be_reached({.width = 800, .height = 600, .x = 2000, .y = 5}, {.x = 1920, .y = 0, .width = 1080, .height = 1920}));
}
