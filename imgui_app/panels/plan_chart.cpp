#include "panels/plan_chart.hpp"

#include "plimsoll/format.hpp"
#include "reach/describe.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <cmath>

namespace plimsoll::app {
namespace {

constexpr float kHeight = 170, kAxis = 72, kFoot = 22, kDot = 4, kReach = 14;

/// Where plans stand: the fastest at the left edge, the fullest at the foot.
struct Scale {
  double first_time = 0, last_time = 1, most_headroom = 1;
  ImVec2 min, max;

  ImVec2 at(const Planned& planned) const {
    const double across = (static_cast<double>(planned.time.value) - first_time) / std::max(last_time - first_time, 1.0);
    const double up = static_cast<double>(planned.headroom.value) / std::max(most_headroom, 1.0);
    return {min.x + static_cast<float>(across) * (max.x - min.x), max.y - static_cast<float>(up) * (max.y - min.y)};
  }
};

Scale scale_of(const std::vector<io::PlannedWay>& front, ImVec2 min, ImVec2 max) {
  Nanoseconds first = front.front().planned.time, last = first;
  Bytes most;
  for (const io::PlannedWay& way : front) {
    first = plimsoll::min(first, way.planned.time);
    last = plimsoll::max(last, way.planned.time);
    most = plimsoll::max(most, way.planned.headroom);
  }
  return {static_cast<double>(first.value), static_cast<double>(last.value), static_cast<double>(most.value), min, max};
}

const io::PlannedWay* nearest(const std::vector<io::PlannedWay>& front, const Scale& scale, ImVec2 pointer) {
  const io::PlannedWay* found = nullptr;
  float least = kReach * kReach;
  for (const io::PlannedWay& way : front) {
    const ImVec2 away = scale.at(way.planned) - pointer;
    if (const float distance = away.x * away.x + away.y * away.y; distance < least) least = distance, found = &way;
  }
  return found;
}

} // namespace

void plan_chart(Ui& ui, const PlanSearch& plan, float width) {
  const std::vector<io::PlannedWay>& front = plan.answer.front;
  if (front.size() < 2 || !front.front().planned.timed) return;
  const ImVec2 at = ImGui::GetCursorScreenPos(), low{at.x + kAxis, at.y + 8}, high{at.x + width - 8, at.y + kHeight - kFoot};
  const Scale scale = scale_of(front, low, high);
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  const bool pressed = ImGui::InvisibleButton("plan.chart", {width, kHeight});
  note_item(ui, "plan.chart");
  leave_out(); // its dots are the rows above
  draw->AddRectFilled({low.x - 6, low.y - 6}, {high.x + 6, high.y + 6}, ui.theme.field, 6);
  draw_text_right(ui.fonts.label, {low.x - 12, low.y - 4}, ui.theme.dim, format_bytes(Bytes{static_cast<std::int64_t>(scale.most_headroom)}));
  draw_text_right(ui.fonts.label, {low.x - 12, high.y - 12}, ui.theme.dim, "no room");
  draw_text(ui.fonts.label, {low.x, high.y + 8}, ui.theme.dim, format_duration(Nanoseconds{static_cast<std::int64_t>(scale.first_time)}));
  draw_text_right(ui.fonts.label, {high.x, high.y + 8}, ui.theme.dim, format_duration(Nanoseconds{static_cast<std::int64_t>(scale.last_time)}));
  const io::PlannedWay* const under = ImGui::IsItemHovered() ? nearest(front, scale, ImGui::GetMousePos()) : nullptr;
  for (const io::PlannedWay& way : front) draw->AddCircleFilled(scale.at(way.planned), &way == under ? kDot + 2 : kDot, &way == under ? ui.theme.ink : faded(ui.theme.accent, 0.75f));
  if (under == nullptr) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const ImVec2 dot = scale.at(under->planned);
  begin_hint(ui, dot - ImVec2{kDot, kDot}, dot + ImVec2{kDot, kDot}, 280);
  paragraph(ui, ui.fonts.label_strong, ui.theme.ink, format_duration(under->planned.time) + ", " + format_bytes(under->planned.headroom) + " to spare", 256);
  paragraph(ui, ui.fonts.label, ui.theme.dim, under->text, 256);
  end_hint(ui);
  if (pressed) ui.actions.ask = under->query;
}

} // namespace plimsoll::app
