#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// A server under load: what is asked of it, within what limits, and what users wait for.
void load_panel(Ui& ui, const App& app, float width);

} // namespace plimsoll::app
