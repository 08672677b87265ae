#pragma once
// Plans that no other beats, as dots between two axes.

#include "ui.hpp"

#include <span>
#include <string>
#include <string_view>

namespace plimsoll::app {

/// A plan at its place; amounts in units of their own.
struct PlanDot {
  std::int64_t across = 0, up = 0;
  std::string title;       ///< in its hint
  std::string_view text, query;
};

/// What the ends of the axes are called.
struct PlanAxisWords {
  std::string left, right, top, foot;
};

/// Where the axis to the right begins: at the least of the dots, or at 0; the other begins at 0. Remembered as "plan.chart". A pressed dot is asked.
void plan_chart(Ui& ui, std::span<const PlanDot> dots, const PlanAxisWords& words, float width);

} // namespace plimsoll::app
