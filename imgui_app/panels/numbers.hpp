#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// The four numbers of the fullest rank, each with its range, on a scale that ends at what the device has.
void numbers_panel(Ui& ui, const Shown& shown, float width);

} // namespace plimsoll::app
