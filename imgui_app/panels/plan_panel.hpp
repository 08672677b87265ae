#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// Ways of training, best first: what to search for, how far the search is, the plans as rows that open as the question, and their front.
void plan_panel(Ui& ui, const App& app, float width);

} // namespace plimsoll::app
