#pragma once
// Where the panels stand: three columns, two, or one, by the width of the window.

#include "ui.hpp"

namespace plimsoll::app {

struct App;

void draw_screen(Ui& ui, const App& app);

} // namespace plimsoll::app
