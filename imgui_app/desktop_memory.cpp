#include "desktop_memory.hpp"

#include <GLFW/glfw3.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

namespace plimsoll::app {
namespace {

constexpr std::streamsize kLongestFile = 1000;

/// Empty where the user has no home. A relative XDG_STATE_HOME does not count (XDG Base Directory Specification).
std::filesystem::path file_of_state() {
  const char* const state = std::getenv("XDG_STATE_HOME");
  if (state && *state == '/') return std::filesystem::path(state) / "plimsoll/window";
  const char* const home = std::getenv("HOME");
  return home && *home == '/' ? std::filesystem::path(home) / ".local/state/plimsoll/window" : std::filesystem::path();
}

bool is_on_a_screen(const WindowState& state) {
  int count = 0;
  GLFWmonitor** const monitors = glfwGetMonitors(&count);
  for (int i = 0; i < count; ++i) {
    ScreenArea area;
    glfwGetMonitorWorkarea(monitors[i], &area.x, &area.y, &area.width, &area.height);
    if (can_be_reached(state, area)) return true;
  }
  return false;
}

} // namespace

std::optional<WindowState> recall_window() {
  const std::filesystem::path path = file_of_state();
  std::error_code failed;
  if (path.empty() || !std::filesystem::exists(path, failed)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::string text(static_cast<std::size_t>(kLongestFile), '\0');
  file.read(text.data(), kLongestFile);
  text.resize(static_cast<std::size_t>(file.gcount()));
  const std::optional<WindowState> state = read_window_state(text);
  if (!state)
    std::fprintf(stderr, "plimsoll-desktop: %s does not say where a window was; it is ignored, and replaced when the window closes\n", path.c_str());
  return state;
}

void place_window(GLFWwindow* handle, const WindowState& state) {
  glfwSetWindowSize(handle, state.width, state.height);
  if (is_on_a_screen(state)) glfwSetWindowPos(handle, state.x, state.y);
  if (state.maximised) glfwMaximizeWindow(handle);
}

void note_window(GLFWwindow* handle, WindowState& state) {
  if (glfwGetWindowAttrib(handle, GLFW_ICONIFIED)) return;
  state.maximised = glfwGetWindowAttrib(handle, GLFW_MAXIMIZED) == GLFW_TRUE;
  if (state.maximised) return;
  glfwGetWindowSize(handle, &state.width, &state.height);
  glfwGetWindowPos(handle, &state.x, &state.y);
}

void keep_window(const WindowState& state) {
  const std::filesystem::path path = file_of_state();
  if (path.empty()) return;
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  std::ofstream file(path, std::ios::binary);
  file << to_text(state);
  if (!file.flush()) std::fprintf(stderr, "plimsoll-desktop: cannot write %s: the place of the window is not kept\n", path.c_str());
}

} // namespace plimsoll::app
