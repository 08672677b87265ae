#include "panels/file_dialog.hpp"

#include "panels/file_contents.hpp"
#include "reach/describe.hpp"
#include "widgets/controls.hpp"
#include "widgets/field_row.hpp"
#include "widgets/text.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <string>

namespace plimsoll::app {
namespace {

constexpr const char* kName = "model file";
constexpr float kPadding = 20, kMostWidth = 620;

void text_box(Ui& ui, float width, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  FileDialog& dialog = ui.view.file_dialog;
  ImGui::GetWindowDrawList()->AddRectFilled(at, at + ImVec2{width, height}, ui.theme.field, space::row_rounding);
  ImGui::PushFont(ui.fonts.code.font, ui.fonts.code.size);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2{12, 10});
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  if (ImGui::InputTextMultiline("##text", &dialog.text, {width, height})) dialog.file.reset();
  note_item(ui, "file.text");
  if (is_described()) describe({.role = Role::textbox, .name = "A config.json, prices, devices or a result", .value = dialog.text, .multiline = true});
  ImGui::PopStyleVar();
  ImGui::PopFont();
  if (dialog.text.empty()) draw_text(ui.fonts.code, at + ImVec2{12, 10}, faded(ui.theme.dim, 0.7f), "{ \"model_type\": \u2026 }");
}

void issues(Ui& ui, const Issues& issues, float width) {
  for (const Issue& issue : issues) {
    gap(8);
    if (!issue.field.empty()) paragraph(ui, ui.fonts.code, ui.theme.ink, issue.field, width);
    issue_text(ui, issue, width);
  }
}

/// Asks for a file or a text, and says what is wrong with the last one. True when the dialog is done.
bool ask(Ui& ui, const App& app, float width) {
  const FileDialog& dialog = ui.view.file_dialog;
  paragraph(ui, ui.fonts.name, ui.theme.ink, "Read a model file", width);
  gap(2);
  paragraph(ui, ui.fonts.label, ui.theme.dim,
            "Drop a config.json, a safetensors file or its index, or a GGUF file of any size on this window, or paste a config.json here. "
            "So come prices and devices of your own, and results that were exported as JSON. "
            "Only the header of a model file is read, and nothing is sent anywhere.", width);
  gap(12);
  text_box(ui, width, std::clamp(ImGui::GetIO().DisplaySize.y * 0.3f, 100.0f, 260.0f));
  if (dialog.file) {
    if (!dialog.name.empty()) gap(8), paragraph(ui, ui.fonts.body_strong, ui.theme.ink, dialog.name + " cannot be used", width);
    issues(ui, dialog.file->issues, width);
  }
  gap(16);
  if (button(ui, "button.import", "Import", Emphasis::primary)) ui.actions.read_text = dialog.text;
  ImGui::SameLine(0, 10);
  bool chosen = false; // what a file says is told where it is read
  if (app.can_choose_files) {
    chosen = button(ui, "button.choose_file", "Choose a file", Emphasis::plain);
    ImGui::SameLine(0, 10);
  }
  ui.actions.choose_file = chosen;
  return button(ui, "button.cancel", "Cancel", Emphasis::plain) || chosen;
}

/// What the file says. True when the dialog is done.
bool show(Ui& ui, float width, float height) {
  const FileDialog& dialog = ui.view.file_dialog;
  const io::ModelFile& file = *dialog.file;
  paragraph(ui, ui.fonts.name, ui.theme.ink, dialog.name.empty() ? "The pasted text is read" : dialog.name + " is read", width);
  gap(2);
  if (file.request.entries().empty())
    paragraph(ui, ui.fonts.body, ui.theme.warning, "The estimate is unchanged: to ask about this model, read its config.json.", width);
  file_contents(ui, file, width, height);
  issues(ui, file.issues, width);
  gap(16);
  return button(ui, "button.done", "Done", Emphasis::primary);
}

} // namespace

void file_dialog(Ui& ui, const App& app) {
  FileDialog& dialog = ui.view.file_dialog;
  if (dialog.open && !ImGui::IsPopupOpen(kName)) ImGui::OpenPopup(kName);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(kMostWidth, screen.x - 24), inner = width - kPadding * 2;
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, std::max(80.0f, screen.y - 24)});
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{kPadding, kPadding});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 12);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  constexpr auto kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_AlwaysAutoResize;
  if (ImGui::BeginPopupModal(kName, nullptr, kFlags)) {
    const bool is_read = dialog.file && dialog.file->ok;
    const bool done = is_read ? show(ui, inner, std::clamp(screen.y * 0.4f, 100.0f, 420.0f)) : ask(ui, app, inner);
    if (done || ImGui::IsKeyPressed(ImGuiKey_Escape, false)) dialog = {};
    if (!dialog.open) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(3);
}

} // namespace plimsoll::app
