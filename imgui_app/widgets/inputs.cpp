#include "widgets/inputs.hpp"

#include "reach/describe.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <imgui_stdlib.h>

#include <algorithm>

namespace plimsoll::app {
namespace {

constexpr float kHeight = 34, kPadding = 12;

} // namespace

bool text_box(Ui& ui, std::string_view name, std::string& text, std::string_view words, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled(at, at + ImVec2{width, kHeight}, ui.theme.field, space::row_rounding);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2{kPadding, (kHeight - ui.fonts.body.size) / 2});
  ImGui::SetNextItemWidth(width);
  const bool changed = ImGui::InputText(("##" + std::string(name)).c_str(), &text);
  note_item(ui, std::string(name));
  if (is_described()) describe({.role = Role::textbox, .name = std::string(words), .value = text});
  ImGui::PopStyleVar();
  if (text.empty())
    draw_text(ui.fonts.body, at + ImVec2{kPadding, (kHeight - ui.fonts.body.size) / 2}, faded(ui.theme.dim, 0.8f), elided(ui.fonts.body, words, width - 2 * kPadding));
  else if (measure(ui.fonts.body, text).x + measure(ui.fonts.label, words).x + 3 * kPadding < width) // what it is stays readable
    draw_text_right(ui.fonts.label, at + ImVec2{width - kPadding, (kHeight - ui.fonts.label.size) / 2}, ui.theme.dim, words);
  return changed;
}

std::optional<std::string> choice_box(Ui& ui, std::string_view name, std::string_view label, std::span<const Option> options, std::string_view current, float width) {
  const ImVec2 min = ImGui::GetCursorScreenPos(), max = min + ImVec2{width, kHeight};
  const std::string list = "list." + std::string(name);
  const bool pressed = ImGui::InvisibleButton(std::string(name).c_str(), max - min, ImGuiButtonFlags_EnableNav);
  note_item(ui, std::string(name));
  const auto chosen = std::ranges::find(options, current, &Option::id);
  if (is_described()) describe({.role = Role::combobox, .name = std::string(label), .value = chosen != options.end() ? std::string(chosen->name) : std::string{}});
  const bool hot = ImGui::IsItemHovered();
  if (hot) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (pressed) open_picker(ui, list, options, current);
  ImGui::GetWindowDrawList()->AddRectFilled(min, max, hot ? ui.theme.hover : ui.theme.field, space::row_rounding);
  const float y = min.y + (kHeight - ui.fonts.body.size) / 2, end = max.x - kPadding - 16;
  const float label_end = min.x + kPadding + measure(ui.fonts.body, label).x;
  draw_text(ui.fonts.body, {min.x + kPadding, y}, ui.theme.dim, label);
  if (chosen != options.end()) draw_text_right(ui.fonts.body_strong, {end, y}, ui.theme.ink, elided(ui.fonts.body_strong, chosen->name, end - label_end - 10));
  draw_chevron({max.x - kPadding - 4, (min.y + max.y) / 2}, 9, ImGuiDir_Down, ui.theme.dim);
  return picker(ui, list, options, current, min, max);
}

} // namespace plimsoll::app
