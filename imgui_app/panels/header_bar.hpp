#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// Logo, name, the three tasks (where there is room: `with_task`), and the links.
void header_bar(Ui& ui, const App& app, float width, bool with_task);

} // namespace plimsoll::app
