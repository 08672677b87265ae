#pragma once
// What an app needs of the place where it runs. CMake chooses one implementation: platform_desktop.cpp (a GLFW window) or
// platform_browser.cpp (a canvas in a page). Nothing else in this folder knows where it runs.

#include "app.hpp"

#include <string>
#include <vector>

namespace plimsoll::app {

/// What the program was started with.
struct Start {
  std::string query;       ///< the question, as in a URL
  std::string view;        ///< what is looked at, as behind '#' in a URL
  std::string today;       ///< "YYYY-MM-DD"
  std::vector<std::string> files; ///< desktop: prices and devices of the user's own, or an exported result
  bool dark = true;
  int width = 1280;        ///< logical pixels
  int height = 800;
  bool recall_window = true; ///< desktop: no size was asked for, so that the window opens where it was closed
  float scale = 0;         ///< desktop: pixels of a logical one; 0 = as the screen has it
  std::string accuracy;    ///< desktop: accuracy.json; "" where none is found
  std::string screenshot;  ///< desktop: write a PNG of the window there and leave
  int frames = 0;          ///< desktop: leave after so many; 0: stay
  bool run = true;         ///< false: there is nothing to show (--help, bad arguments)
  int exit_code = 0;       ///< then
};

/// From the command line, or from the options with which a page creates the module.
Start read_start(int argc, char** argv);

/// Shows the app. Returns when the window is closed; in a page at once, the canvas then lives on.
int show(const Start& start);

/// Carries out what the app asked for.
void carry_out(App& app, const Effects& effects);

} // namespace plimsoll::app
