#include "panels/export_menu.hpp"

#include "reach/describe.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace plimsoll::app {
namespace {

constexpr const char* kName = "export";
constexpr float kWidth = 200, kRow = 34;

bool entry(Ui& ui, std::string_view id, std::string_view label, std::string_view ending) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string name = "export." + std::string(id);
  const bool pressed = ImGui::InvisibleButton(name.c_str(), {kWidth, kRow}, ImGuiButtonFlags_EnableNav);
  note_item(ui, name);
  if (is_described()) describe({.role = Role::menuitem, .name = std::string(label), .group = "Export"});
  const bool hot = ImGui::IsItemHovered() || ImGui::IsItemFocused();
  if (hot) ImGui::GetWindowDrawList()->AddRectFilled(at, at + ImVec2{kWidth, kRow}, ui.theme.hover, 6);
  draw_text(ui.fonts.body, {at.x + 12, at.y + (kRow - ui.fonts.body.size) / 2}, ui.theme.ink, label);
  draw_text_right(ui.fonts.label, {at.x + kWidth - 12, at.y + (kRow - ui.fonts.label.size) / 2}, ui.theme.dim, ending);
  if (pressed) ImGui::CloseCurrentPopup();
  return pressed;
}

} // namespace

void export_menu(Ui& ui, ImVec2 at) {
  if (ui.view.export_open) ImGui::OpenPopup(kName);
  ui.view.export_open = false;
  const float right = std::min(at.x + kWidth + 12, ImGui::GetIO().DisplaySize.x - 8);
  ImGui::SetNextWindowPos({right, at.y}, ImGuiCond_Always, {1, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{6, 6});
  if (ImGui::BeginPopup(kName)) {
    if (entry(ui, "png", "PNG of this window", "png")) ui.actions.save_picture = true;
    for (const io::ResultFormat format : {io::ResultFormat::html, io::ResultFormat::svg, io::ResultFormat::csv, io::ResultFormat::json, io::ResultFormat::markdown}) {
      const io::ResultFormatText& text = io::text_of(format);
      if (entry(ui, text.id, text.label, text.ending)) ui.actions.save = format;
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

} // namespace plimsoll::app
