#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// The questions that were pinned and the present one: bars side by side, and every number with its difference from the first.
void compare_panel(Ui& ui, const App& app, float width);

} // namespace plimsoll::app
