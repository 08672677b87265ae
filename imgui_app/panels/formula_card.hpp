#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// The selected component opened: formula, symbols with values, source, and how sure it is.
void formula_card(Ui& ui, const App& app, float width);

} // namespace plimsoll::app
