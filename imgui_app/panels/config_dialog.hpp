#pragma once

#include "ui.hpp"

namespace plimsoll::app {

/// Where a model's config.json can be pasted; says what is wrong with it.
void config_dialog(Ui& ui);

} // namespace plimsoll::app
