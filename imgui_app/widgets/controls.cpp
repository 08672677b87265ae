#include "widgets/controls.hpp"

#include "reach/describe.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr float kHintPadding = 12;

bool pressable(Ui& ui, std::string_view id, std::string_view text, ImVec2 size) {
  const std::string name(id);
  const bool pressed = ImGui::InvisibleButton(name.c_str(), size, ImGuiButtonFlags_EnableNav);
  note_item(ui, name);
  if (is_described()) describe({.name = std::string(text)});
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  return pressed;
}

/// "plan.gpus" as the name of a group of alternatives: "plan gpus".
std::string spoken(std::string_view id) {
  std::string name(id);
  std::ranges::replace(name, '.', ' ');
  return name;
}

} // namespace

bool link(Ui& ui, std::string_view id, std::string_view text, Type type) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), size = measure(type, text);
  const bool pressed = pressable(ui, id, text, {size.x, size.y + 8});
  draw_text(type, {at.x, at.y + 4}, ui.theme.accent, text);
  if (ImGui::IsItemHovered())
    ImGui::GetWindowDrawList()->AddLine({at.x, at.y + 4 + size.y}, {at.x + size.x, at.y + 4 + size.y}, ui.theme.accent);
  return pressed;
}

bool button(Ui& ui, std::string_view id, std::string_view text, Emphasis emphasis) {
  const Type type = ui.fonts.body_strong;
  const ImVec2 at = ImGui::GetCursorScreenPos(), inner = measure(type, text), size{inner.x + 32, inner.y + 16};
  const bool pressed = pressable(ui, id, text, size);
  const bool hot = ImGui::IsItemHovered();
  const ImU32 ground = emphasis == Emphasis::primary ? ui.theme.accent : ui.theme.field;
  const ImU32 fill = hot ? mixed(ground, ui.theme.ink, 0.12f) : ground;
  ImGui::GetWindowDrawList()->AddRectFilled(at, at + size, fill, space::row_rounding);
  draw_text(type, {at.x + 16, at.y + 8}, emphasis == Emphasis::primary ? text_on(fill) : ui.theme.ink, text);
  return pressed;
}

int segmented(Ui& ui, std::string_view id, std::span<const Alternative> alternatives, float width) {
  constexpr float kEdge = 3, kPadding = 14, kHeight = 30;
  const Type type = ui.fonts.body;
  std::vector<float> widths;
  float needed = 0;
  for (const Alternative& alternative : alternatives) needed += widths.emplace_back(measure(type, alternative.label).x + kPadding * 2);
  if (width > 0) {
    const float extra = (width - kEdge * 2 - needed) / static_cast<float>(alternatives.size());
    for (float& w : widths) w += extra;
    needed = width - kEdge * 2;
  }
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(origin, origin + ImVec2{needed + kEdge * 2, kHeight + kEdge * 2}, ui.theme.field, 8);
  int pressed = -1;
  float x = origin.x + kEdge;
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    const ImVec2 min{x, origin.y + kEdge}, max{x + widths[i], min.y + kHeight};
    ImGui::SetCursorScreenPos(min);
    if (pressable(ui, std::string(id) + "." + std::string(alternatives[i].id), alternatives[i].label, max - min)) pressed = static_cast<int>(i);
    if (is_described())
      describe({.role = Role::radio, .name = std::string(alternatives[i].label), .group = spoken(id), .checked = state_of(alternatives[i].on)});
    const bool hot = ImGui::IsItemHovered();
    if (alternatives[i].on || hot) draw->AddRectFilled(min, max, alternatives[i].on ? ui.theme.accent : ui.theme.hover, 6);
    const ImU32 colour = alternatives[i].on ? text_on(ui.theme.accent) : hot ? ui.theme.ink : ui.theme.dim;
    draw_text_centred(type, {(min.x + max.x) / 2, min.y + (kHeight - type.size) / 2}, colour, alternatives[i].label);
    x = max.x;
  }
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({needed + kEdge * 2, kHeight + kEdge * 2});
  return pressed;
}

void rule(const Ui& ui, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + 1}, ui.theme.line);
  ImGui::Dummy({width, 1});
}

void heading(Ui& ui, std::string_view text) {
  draw_text(ui.fonts.label_strong, ImGui::GetCursorScreenPos(), ui.theme.dim, text);
  gap(ui.fonts.label_strong.size + 6);
}

void draw_chevron(ImVec2 centre, float size, ImGuiDir direction, ImU32 colour) {
  const float a = size / 2, b = size / 4;
  ImVec2 points[3] = {{-a, -b}, {0, b}, {a, -b}};
  if (direction == ImGuiDir_Right) points[0] = {-b, -a}, points[1] = {b, 0}, points[2] = {-b, a};
  if (direction == ImGuiDir_Up) points[0] = {-a, b}, points[1] = {0, -b}, points[2] = {a, b};
  for (ImVec2& point : points) point = point + centre;
  ImGui::GetWindowDrawList()->AddPolyline(points, 3, colour, ImDrawFlags_None, 1.5f);
}

void draw_ring(ImVec2 centre, float radius, float half_line, float thickness, ImU32 colour) {
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  draw->AddCircle(centre, radius, colour, 48, thickness);
  const ImVec2 reach{half_line, thickness / 2};
  draw->AddRectFilled(centre - reach, centre + reach, colour);
}

bool wants_hint(Ui& ui) {
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal)) return true;
  if (ImGui::IsItemHovered()) ui.view.waiting = true; // the delay is running
  return ImGui::IsItemFocused() && ImGui::GetIO().NavVisible;
}

void begin_hint(Ui& ui, ImVec2 item_min, ImVec2 item_max, float width) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float needed = width + kHintPadding * 2;
  const bool beside = item_max.x + 8 + needed < screen.x;
  const bool upwards = item_max.y > screen.y * 0.6f; // there it would not have room below
  const ImVec2 at = beside ? ImVec2{item_max.x + 8, upwards ? item_max.y : item_min.y}
                           : ImVec2{std::max(4.0f, std::min(item_min.x, screen.x - needed - 4)), upwards ? item_min.y - 6 : item_max.y + 6};
  ImGui::SetNextWindowPos(at, ImGuiCond_Always, {0, upwards ? 1.0f : 0.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{kHintPadding, 10});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8);
  ImGui::PushStyleVar(ImGuiStyleVar_PopupBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_PopupBg, ui.theme.panel);
  ImGui::BeginTooltip();
  if (ImGui::IsWindowAppearing()) ui.view.appeared = true;
}

void end_hint(Ui& ui) {
  note_rect(ui, "hint", ImGui::GetWindowPos(), ImGui::GetWindowPos() + ImGui::GetWindowSize());
  ImGui::EndTooltip();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
}

} // namespace plimsoll::app
