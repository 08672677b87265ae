#pragma once
// The question: one row per input, from the field tables, by topic.

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

void scenario_panel(Ui& ui, const App& app, float width);

/// The three tasks as alternatives; `width` 0: as wide as they need.
void task_switch(Ui& ui, const App& app, float width);

} // namespace plimsoll::app
