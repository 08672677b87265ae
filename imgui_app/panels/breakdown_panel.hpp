#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// What one GPU holds at the moment that is looked at, as a tree that opens, with its total.
void breakdown_panel(Ui& ui, const Shown& shown, float width);

/// The model's parameters as such a tree, and the numbers people ask for.
void facts_panel(Ui& ui, const Shown& shown, float width);

} // namespace plimsoll::app
