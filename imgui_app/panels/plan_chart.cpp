#include "panels/plan_chart.hpp"

#include "reach/describe.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace plimsoll::app {
namespace {

constexpr float kHeight = 200, kAxis = 92, kFoot = 22, kDot = 4, kReach = 14, kHint = 280;
constexpr int kMostColumns = 4; ///< between gridlines
constexpr float kLabelGap = 16;

/// To the right a logarithm, from the least to the most: plans are few at the one end and far apart at the other. Upward from 0.
struct Scale {
  double first = 0, last = 1; ///< logarithms
  double most = 1;
  ImVec2 min, max;

  float x(double amount) const { return min.x + static_cast<float>((std::log(std::max(amount, 1.0)) - first) / std::max(last - first, 1e-9)) * (max.x - min.x); }
  float y(double amount) const { return max.y - static_cast<float>(amount / std::max(most, 1.0)) * (max.y - min.y); }
  ImVec2 at(const PlanDot& dot) const { return {x(static_cast<double>(dot.across)), y(static_cast<double>(dot.up))}; }
};

Scale scale_of(std::span<const PlanDot> dots, ImVec2 min, ImVec2 max) {
  const auto [first, last] = std::ranges::minmax(dots, {}, &PlanDot::across);
  const auto logarithm = [](std::int64_t amount) { return std::log(std::max(static_cast<double>(amount), 1.0)); };
  return {logarithm(first.across), logarithm(last.across), static_cast<double>(std::ranges::max(dots, {}, &PlanDot::up).up), min, max};
}

/// What stands at the i-th of so many gridlines.
std::string across_text(const Scale& scale, const PlanAxes& axes, int i, int columns) {
  return axes.across_text(std::llround(std::exp(scale.first + (scale.last - scale.first) * i / columns)));
}

/// As many as leave the words below them apart.
int columns_for(const Ui& ui, const Scale& scale, const PlanAxes& axes) {
  for (int columns = kMostColumns; columns > 1; --columns) {
    float widest = 0;
    for (int i = 0; i <= columns; ++i) widest = std::max(widest, measure(ui.fonts.label, across_text(scale, axes, i, columns)).x);
    if ((widest + kLabelGap) * static_cast<float>(columns) <= scale.max.x - scale.min.x) return columns;
  }
  return 1;
}

void gridlines(const Ui& ui, const Scale& scale, const PlanAxes& axes) {
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  const int columns = columns_for(ui, scale, axes);
  for (int i = 0; i <= columns; ++i) {
    const float x = scale.min.x + (scale.max.x - scale.min.x) * static_cast<float>(i) / static_cast<float>(columns);
    draw->AddLine({x, scale.min.y - 6}, {x, scale.max.y + 6}, ui.theme.line);
    const std::string text = across_text(scale, axes, i, columns);
    const float half = measure(ui.fonts.label, text).x / 2;
    draw_text_centred(ui.fonts.label, {std::min(x, scale.max.x + 6 - half), scale.max.y + 10}, ui.theme.dim, text);
  }
  for (int i = 0; i <= 2; ++i) {
    const double amount = scale.most * i / 2;
    const float y = scale.y(amount);
    draw->AddLine({scale.min.x - 6, y}, {scale.max.x + 6, y}, ui.theme.line);
    draw_text_right(ui.fonts.label, {scale.min.x - 14, y - ui.fonts.label.size / 2}, ui.theme.dim, i == 0 ? "0" : axes.up_text(std::llround(amount)));
  }
}

const PlanDot* nearest(std::span<const PlanDot> dots, const Scale& scale, ImVec2 pointer) {
  const PlanDot* found = nullptr;
  float least = kReach * kReach;
  for (const PlanDot& dot : dots) {
    const ImVec2 away = scale.at(dot) - pointer;
    if (const float distance = away.x * away.x + away.y * away.y; distance < least) least = distance, found = &dot;
  }
  return found;
}

/// What the keyboard and a screen reader reach: a pointer takes the nearest dot. True when it was pressed; `marked` becomes the dot that
/// the keyboard is at.
bool reach_dot(Ui& ui, const PlanDot& dot, std::size_t index, ImVec2 place, const PlanDot*& marked) {
  const std::string name = "plan.dot." + std::to_string(index);
  ImGui::SetCursorScreenPos(place - ImVec2{kDot, kDot});
  ImGui::SetNextItemAllowOverlap();
  const bool pressed = ImGui::InvisibleButton(name.c_str(), {2 * kDot, 2 * kDot}, ImGuiButtonFlags_EnableNav);
  note_item(ui, name);
  if (is_described()) describe({.name = dot.title, .about = std::string(dot.text), .group = "Plans that no other beats"});
  if (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible) marked = &dot;
  return pressed;
}

void dot_hint(Ui& ui, const PlanDot& dot, ImVec2 place) {
  begin_hint(ui, place - ImVec2{kDot, kDot}, place + ImVec2{kDot, kDot}, kHint);
  paragraph(ui, ui.fonts.label_strong, ui.theme.ink, dot.title, kHint);
  paragraph(ui, ui.fonts.label, ui.theme.dim, dot.text, kHint);
  end_hint(ui);
}

} // namespace

void plan_chart(Ui& ui, std::span<const PlanDot> dots, const PlanAxes& axes, float width) {
  if (dots.size() < 2) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Scale scale = scale_of(dots, {at.x + kAxis, at.y + 8}, {at.x + width - 8, at.y + kHeight - kFoot});
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(scale.min - ImVec2{6, 6}, scale.max + ImVec2{6, 6}, ui.theme.field, 6);
  gridlines(ui, scale, axes);
  const PlanDot* marked = nullptr;
  const PlanDot* asked = nullptr;
  for (std::size_t i = 0; i < dots.size(); ++i)
    if (reach_dot(ui, dots[i], i, scale.at(dots[i]), marked)) asked = &dots[i];
  ImGui::SetCursorScreenPos(at);
  const bool pressed = ImGui::InvisibleButton("plan.chart", {width, kHeight});
  note_item(ui, "plan.chart");
  leave_out(); // its dots are there
  const PlanDot* const under = ImGui::IsItemHovered() ? nearest(dots, scale, ImGui::GetMousePos()) : nullptr;
  if (under != nullptr) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    marked = under;
    if (pressed) asked = under;
  }
  for (const PlanDot& dot : dots) draw->AddCircleFilled(scale.at(dot), &dot == marked ? kDot + 2 : kDot, &dot == marked ? ui.theme.ink : faded(ui.theme.accent, 0.75f));
  if (marked != nullptr) dot_hint(ui, *marked, scale.at(*marked));
  if (asked != nullptr) ui.actions.ask = std::string(asked->query);
}

} // namespace plimsoll::app
