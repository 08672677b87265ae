#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// A table of the devices that run the question: how many of them, the room that is left, speed and price. A row that is pressed is asked.
void devices_panel(Ui& ui, const App& app, float width);

} // namespace plimsoll::app
