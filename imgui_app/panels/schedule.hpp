#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// When each pipeline rank runs which micro-batch, forward and backward, and how many it keeps activations of. Nothing without a pipeline.
void schedule_panel(Ui& ui, const Shown& shown, float width);

} // namespace plimsoll::app
