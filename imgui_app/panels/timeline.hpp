#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// The moments of one step as columns; the tallest is the peak, and each opens its own breakdown.
void timeline_panel(Ui& ui, const Shown& shown, float width, float height);

} // namespace plimsoll::app
