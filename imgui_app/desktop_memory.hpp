#pragma once
// The desktop window opens where it was closed: a file of the user's keeps its place, $XDG_STATE_HOME/plimsoll/window or the same below
// ~/.local/state.

#include "window_state.hpp"

#include <optional>

struct GLFWwindow;

namespace plimsoll::app {

/// What the file says. Nothing when there is none; a file that makes no sense is named on stderr and passed over.
std::optional<WindowState> recall_window();

/// Gives the open window that size, and that place where a screen still shows it.
void place_window(GLFWwindow* handle, const WindowState& state);

/// Notes where the open window is. Of a maximised one only that it is so: its former size and place stay as noted before.
void note_window(GLFWwindow* handle, WindowState& state);

/// Writes the file. One that cannot be written is named on stderr.
void keep_window(const WindowState& state);

} // namespace plimsoll::app
