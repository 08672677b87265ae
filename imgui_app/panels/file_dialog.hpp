#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// Where a model file is read: asks for one, says what is wrong with it, or shows what it says.
void file_dialog(Ui& ui, const App& app);

} // namespace plimsoll::app
