#pragma once
// A row of names of which one is open, over a rule; in several lines where one is too narrow.

#include "ui.hpp"
#include "widgets/controls.hpp"

#include <span>

namespace plimsoll::app {

/// Gives the index of the name that was pressed, or -1. Remembered as "tab.<id>".
int tab_bar(Ui& ui, std::span<const Alternative> tabs, float width);

} // namespace plimsoll::app
