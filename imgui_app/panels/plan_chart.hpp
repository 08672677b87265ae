#pragma once
// Plans that no other beats, as dots between two axes.

#include "ui.hpp"

#include <cstdint>
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

/// How amounts of the axes are written.
struct PlanAxes {
  std::string (*across_text)(std::int64_t);
  std::string (*up_text)(std::int64_t);
};

/// The axis to the right goes from the least to the most of the dots, the other begins at 0. A pressed dot is asked. Remembered as "plan.chart",
/// and its dots as "plan.dot.0" and so on.
void plan_chart(Ui& ui, std::span<const PlanDot> dots, const PlanAxes& axes, float width);

} // namespace plimsoll::app
