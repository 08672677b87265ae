#pragma once
// The part of a platform that is alike in a window and on a canvas: GLFW, OpenGL and ImGui's backends for them.

#include "app.hpp"

#include <memory>

struct GLFWwindow;

namespace plimsoll::app {

struct Window {
  GLFWwindow* handle = nullptr;
  std::unique_ptr<App> app;
  int frames_drawn = 0;
  std::string accuracy; ///< desktop: the file of what was measured
  bool pointer = true;  ///< desktop: false = nothing is hovered, for pictures
  float scale = 0;      ///< desktop: pixels of a logical one; 0 = as the screen has it
};

/// GLFW's window with a context of OpenGL, and ImGui's context. Null on failure.
GLFWwindow* open_window(int width, int height, const char* title);

/// ImGui's backends. Leaves GLFW's callbacks alone when `own_callbacks` is false.
void start_backends(GLFWwindow* handle, const char* glsl_version, bool own_callbacks);
void stop_backends();

/// Whether events wait for ImGui.
bool has_input();

/// One frame onto the screen. `prepare` is called between the backends' part of a new frame and ImGui's.
void draw_frame(Window& window, void (*prepare)(Window&) = nullptr);

} // namespace plimsoll::app
