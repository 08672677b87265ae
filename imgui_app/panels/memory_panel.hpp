#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// The answer in a sentence, and what stands behind it in a second one.
void headline_panel(Ui& ui, const App& app, float width, bool narrow);

/// What is wrong with the question while there is no answer to show.
void issues_panel(Ui& ui, const App& app, float width);

} // namespace plimsoll::app
