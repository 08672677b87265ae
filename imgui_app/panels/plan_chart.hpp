#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// Time to the right, headroom upwards: every plan that no other beats in time, cost and headroom. A press opens the nearest one.
void plan_chart(Ui& ui, const PlanSearch& plan, float width);

} // namespace plimsoll::app
