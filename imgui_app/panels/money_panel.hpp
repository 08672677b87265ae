#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// What the work costs: offers with date, source and a warning where they are old, the cheapest first; the own price; energy and carbon.
void money_panel(Ui& ui, const App& app, float width);

/// Which file of that kind is in use, with a way back to what is built in; nothing where none is.
void given_note(Ui& ui, const App& app, io::GivenKind kind, float width);

} // namespace plimsoll::app
