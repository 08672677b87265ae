#pragma once
// What was predicted beside what was measured: a scatter and the rows themselves.

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

void accuracy_panel(Ui& ui, const App& app, float width, float height);

} // namespace plimsoll::app
