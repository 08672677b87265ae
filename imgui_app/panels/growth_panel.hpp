#pragma once
// How memory grows with the context, with the device's line and the place where the question stands; the most that fits; the line that starts it.

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// The curve. Held and drawn along, the point changes the context when it is let go.
void growth_panel(Ui& ui, const App& app, float width, float height);

/// One line, there from the beginning: what it says comes later, and nothing moves then.
void room_line(Ui& ui, const App& app, float width);

/// The launch line with a button that copies it; nothing where no engine's line says the question.
void launch_panel(Ui& ui, const App& app, float width);

} // namespace plimsoll::app
