#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// What one GPU holds at the moment that is looked at, as areas: the larger the number, the larger its rectangle. Pressing one opens its
/// formula.
void treemap_panel(Ui& ui, const Shown& shown, float width, float height);

} // namespace plimsoll::app
