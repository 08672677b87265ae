#pragma once
// Ways of serving: formats, layouts and concurrency, found for the present question.

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

void serving_plan_panel(Ui& ui, const App& app, float width);

} // namespace plimsoll::app
