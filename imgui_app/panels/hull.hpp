#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// The hull: what one GPU holds at the peak as a bar with a keel, and the load line across it.
void hull_panel(Ui& ui, const Shown& shown, float width, float height);

} // namespace plimsoll::app
