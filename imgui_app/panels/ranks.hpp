#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// The hull of several pipeline ranks: a bar for what each holds at its peak, the fullest marked, and the load line across them.
/// Pressing a bar shows that rank's moments and breakdown.
void ranks_panel(Ui& ui, const Shown& shown, float width, float height);

} // namespace plimsoll::app
