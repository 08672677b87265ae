#include "panels/plan_chart.hpp"

#include "reach/describe.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <cmath>

namespace plimsoll::app {
namespace {

constexpr float kHeight = 170, kAxis = 92, kFoot = 22, kDot = 4, kReach = 14;

/// The least across at the left edge, 0 at the foot.
struct Scale {
  double first = 0, last = 1, most = 1;
  ImVec2 min, max;

  ImVec2 at(const PlanDot& dot) const {
    const double across = (static_cast<double>(dot.across) - first) / std::max(last - first, 1.0);
    const double up = static_cast<double>(dot.up) / std::max(most, 1.0);
    return {min.x + static_cast<float>(across) * (max.x - min.x), max.y - static_cast<float>(up) * (max.y - min.y)};
  }
};

const PlanDot* nearest(std::span<const PlanDot> dots, const Scale& scale, ImVec2 pointer) {
  const PlanDot* found = nullptr;
  float least = kReach * kReach;
  for (const PlanDot& dot : dots) {
    const ImVec2 away = scale.at(dot) - pointer;
    if (const float distance = away.x * away.x + away.y * away.y; distance < least) least = distance, found = &dot;
  }
  return found;
}

} // namespace

void plan_chart(Ui& ui, std::span<const PlanDot> dots, const PlanAxisWords& words, float width) {
  if (dots.size() < 2) return;
  const ImVec2 at = ImGui::GetCursorScreenPos(), low{at.x + kAxis, at.y + 8}, high{at.x + width - 8, at.y + kHeight - kFoot};
  const auto [first, last] = std::ranges::minmax(dots, {}, &PlanDot::across);
  const Scale scale{static_cast<double>(first.across), static_cast<double>(last.across), static_cast<double>(std::ranges::max(dots, {}, &PlanDot::up).up), low, high};
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  const bool pressed = ImGui::InvisibleButton("plan.chart", {width, kHeight});
  note_item(ui, "plan.chart");
  leave_out(); // its dots are the rows above
  draw->AddRectFilled({low.x - 6, low.y - 6}, {high.x + 6, high.y + 6}, ui.theme.field, 6);
  draw_text_right(ui.fonts.label, {low.x - 12, low.y - 4}, ui.theme.dim, words.top);
  draw_text_right(ui.fonts.label, {low.x - 12, high.y - 12}, ui.theme.dim, words.foot);
  draw_text(ui.fonts.label, {low.x, high.y + 8}, ui.theme.dim, words.left);
  draw_text_right(ui.fonts.label, {high.x, high.y + 8}, ui.theme.dim, words.right);
  const PlanDot* const under = ImGui::IsItemHovered() ? nearest(dots, scale, ImGui::GetMousePos()) : nullptr;
  for (const PlanDot& dot : dots) draw->AddCircleFilled(scale.at(dot), &dot == under ? kDot + 2 : kDot, &dot == under ? ui.theme.ink : faded(ui.theme.accent, 0.75f));
  if (under == nullptr) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const ImVec2 place = scale.at(*under);
  begin_hint(ui, place - ImVec2{kDot, kDot}, place + ImVec2{kDot, kDot}, 280);
  paragraph(ui, ui.fonts.label_strong, ui.theme.ink, under->title, 256);
  paragraph(ui, ui.fonts.label, ui.theme.dim, under->text, 256);
  end_hint(ui);
  if (pressed) ui.actions.ask = std::string(under->query);
}

} // namespace plimsoll::app
