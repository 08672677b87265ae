#pragma once
// The question: one row per input, from the field tables, by topic.

#include "app.hpp"
#include "ui.hpp"

#include <string_view>

namespace plimsoll::app {

/// The heading of a topic's inputs.
std::string_view title_of(Topic topic);

void scenario_panel(Ui& ui, const App& app, float width);

/// The three tasks as alternatives; `width` 0: as wide as they need.
void task_switch(Ui& ui, const App& app, float width);

} // namespace plimsoll::app
