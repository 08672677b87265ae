#pragma once
// The question: one row per input, from the field tables, by topic.

#include "app.hpp"
#include "ui.hpp"

#include <string_view>

namespace plimsoll::app {

/// The heading of a topic's inputs.
std::string_view title_of(Topic topic);

/// All inputs. Where it `folds`, sections behind the workload in which nothing differs from the preset wait behind a link: on phones they
/// would stand between the answer and its tabs.
void scenario_panel(Ui& ui, const App& app, float width, bool folds = false);

/// The three tasks as alternatives; `width` 0: as wide as they need.
void task_switch(Ui& ui, const App& app, float width);

} // namespace plimsoll::app
