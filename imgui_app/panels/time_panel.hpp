#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// How long the work takes, part by part, and what it costs: a step or a decode step as a bar that adds up, rates, the whole job, dated
/// prices with the cheapest first, energy and carbon. What is not known says what to state.
void time_panel(Ui& ui, const App& app, float width);

} // namespace plimsoll::app
