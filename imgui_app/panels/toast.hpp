#pragma once

#include "ui.hpp"

namespace plimsoll::app {

/// What just happened, for a few seconds, above the lower edge.
void toast(Ui& ui, ImVec2 screen);

} // namespace plimsoll::app
