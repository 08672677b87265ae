#include "widgets/tabs.hpp"

#include "reach/describe.hpp"
#include "widgets/text.hpp"

#include <string>

namespace plimsoll::app {
namespace {

constexpr float kGap = 22, kPad = 6, kUnderline = 2;

} // namespace

int tab_bar(Ui& ui, std::span<const Alternative> tabs, float width) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  const float height = ui.fonts.body.size + kPad * 2;
  float x = origin.x, y = origin.y;
  int pressed = -1;
  for (std::size_t i = 0; i < tabs.size(); ++i) {
    const Type type = tabs[i].on ? ui.fonts.body_strong : ui.fonts.body;
    const float needed = measure(ui.fonts.body_strong, tabs[i].label).x; // so that opening one moves none
    if (x > origin.x && x + needed > origin.x + width) x = origin.x, y += height + 2;
    ImGui::SetCursorScreenPos({x - 4, y});
    const std::string name = "tab." + std::string(tabs[i].id);
    if (ImGui::InvisibleButton(name.c_str(), {needed + 8, height}, ImGuiButtonFlags_EnableNav)) pressed = static_cast<int>(i);
    note_item(ui, name);
    if (is_described()) describe({.role = Role::tab, .name = std::string(tabs[i].label), .group = "Views", .selected = state_of(tabs[i].on)});
    const bool hot = ImGui::IsItemHovered();
    if (hot) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    draw_text(type, {x, y + kPad}, tabs[i].on || hot ? ui.theme.ink : ui.theme.dim, tabs[i].label);
    if (tabs[i].on) draw->AddRectFilled({x, y + height - kUnderline}, {x + needed, y + height}, ui.theme.accent);
    x += needed + kGap;
  }
  draw->AddRectFilled({origin.x, y + height}, {origin.x + width, y + height + 1}, ui.theme.line);
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({width, y + height + 1 - origin.y});
  return pressed;
}

} // namespace plimsoll::app
