#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// Every source of a number on the screen, once, with what it stands behind.
void sources_panel(Ui& ui, const App& app, float width);

} // namespace plimsoll::app
