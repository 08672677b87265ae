#pragma once

#include "ui.hpp"

namespace plimsoll::app {

/// The list of files that the result can be kept as, open while View::export_open says so; its right end stands at `at`.
void export_menu(Ui& ui, ImVec2 at);

} // namespace plimsoll::app
