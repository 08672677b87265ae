#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// Why the process may take less or more, the widest reason first; nothing where there is none. A reason that has a formula opens it.
void uncertainties_panel(Ui& ui, const Shown& shown, float width);

} // namespace plimsoll::app
