#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// Every input that a question may have, from the field tables: its name in links, its range, what it means. With a search.
void fields_panel(Ui& ui, const App& app, float width);

} // namespace plimsoll::app
