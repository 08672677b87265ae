#pragma once
// Where the desktop window was when it was last closed, as the text of a small file.

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::app {

struct WindowState {
  int width = 0, height = 0; ///< as the window system counts: 320 to 16384, 240 to 16384
  int x = 0, y = 0;          ///< of the upper left corner; negative left of and above the first screen
  bool maximised = false;    ///< the others are then those of the window before

  bool operator==(const WindowState&) const = default;
};

/// A part of the desktop that a screen shows.
struct ScreenArea {
  int x = 0, y = 0, width = 0, height = 0;
};

/// A line for each member, "width 1280", brought into range: a window can be pulled smaller than anybody can work with.
std::string to_text(const WindowState& state);

/// The state that to_text() wrote. Nothing where a line is missing, stands twice, is unknown, or has a number out of range.
std::optional<WindowState> read_window_state(std::string_view text);

/// Whether the screen shows enough of the title bar to take hold of it.
bool can_be_reached(const WindowState& state, const ScreenArea& screen);

} // namespace plimsoll::app
