#include "panels/config_dialog.hpp"

#include "widgets/controls.hpp"
#include "widgets/field_row.hpp"
#include "widgets/text.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <string>

namespace plimsoll::app {
namespace {

constexpr const char* kName = "config.json";
constexpr float kPadding = 20;

void text_box(Ui& ui, float width, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled(at, at + ImVec2{width, height}, ui.theme.field, space::row_rounding);
  ImGui::PushFont(ui.fonts.code.font, ui.fonts.code.size);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2{12, 10});
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  if (ImGui::InputTextMultiline("##text", &ui.view.config.text, {width, height})) ui.view.config.issues.clear();
  note_item(ui, "config.text");
  ImGui::PopStyleVar();
  ImGui::PopFont();
  if (ui.view.config.text.empty()) draw_text(ui.fonts.code, at + ImVec2{12, 10}, faded(ui.theme.dim, 0.7f), "{ \"model_type\": \u2026 }");
}

void issues(Ui& ui, float width) {
  for (const Issue& issue : ui.view.config.issues) {
    gap(8);
    if (!issue.field.empty()) paragraph(ui, ui.fonts.code, ui.theme.ink, issue.field, width);
    issue_text(ui, issue, width);
  }
}

/// The dialog's buttons; true when it is done.
bool buttons(Ui& ui) {
  if (button(ui, "button.import", "Import", Emphasis::primary)) ui.actions.import_config = ui.view.config.text;
  ImGui::SameLine(0, 10);
  return button(ui, "button.cancel", "Cancel", Emphasis::plain);
}

} // namespace

void config_dialog(Ui& ui) {
  if (ui.view.config.open && !ImGui::IsPopupOpen(kName)) ImGui::OpenPopup(kName);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(600.0f, screen.x - 24), inner = width - kPadding * 2;
  ImGui::SetNextWindowSize({width, 0});
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{kPadding, kPadding});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 12);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  constexpr auto kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize;
  if (ImGui::BeginPopupModal(kName, nullptr, kFlags)) {
    paragraph(ui, ui.fonts.name, ui.theme.ink, "Paste a config.json", inner);
    gap(2);
    paragraph(ui, ui.fonts.label, ui.theme.dim,
              "The file that stands beside a model's weights on Hugging Face. It is read here and sent nowhere.", inner);
    gap(12);
    text_box(ui, inner, std::clamp(screen.y * 0.36f, 120.0f, 320.0f));
    issues(ui, inner);
    gap(16);
    const bool cancelled = buttons(ui) || ImGui::IsKeyPressed(ImGuiKey_Escape, false);
    if (cancelled) ui.view.config = {};
    if (!ui.view.config.open) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(3);
}

} // namespace plimsoll::app
