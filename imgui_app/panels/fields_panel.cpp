#include "panels/fields_panel.hpp"

#include "panels/scenario_panel.hpp"
#include "plimsoll/fields.hpp"
#include "reach/describe.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace plimsoll::app {
namespace {

bool contains(std::string_view text, std::string_view what) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b)); };
  return what.empty() || std::search(text.begin(), text.end(), what.begin(), what.end(), same) != text.end();
}

bool is_found(const Field& field, std::string_view search) {
  return contains(field.name, search) || contains(field.label, search) || contains(field.help, search);
}

/// "1 to 4,096 GPUs", "none, selective or full".
std::string range_of(const Field& field) {
  if (field.kind == FieldKind::integer)
    return format_count(Count{field.min}) + " to " + format_count(Count{field.max}) + (field.unit.empty() ? "" : " " + std::string(field.unit));
  if (field.kind == FieldKind::flag) return "true or false";
  std::string text;
  for (const Choice& choice : field.choices) text += (text.empty() ? "" : ", ") + std::string(choice.name);
  return text;
}

void search_box(Ui& ui, float width) {
  constexpr float kHeight = 34;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled(at, at + ImVec2{width, kHeight}, ui.theme.field, space::row_rounding);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2{12, (kHeight - ui.fonts.body.size) / 2});
  ImGui::SetNextItemWidth(width);
  ImGui::InputText("##field_search", &ui.view.field_search);
  note_item(ui, "fields.search");
  if (is_described()) describe({.role = Role::textbox, .name = "Search all inputs", .value = ui.view.field_search});
  ImGui::PopStyleVar();
  if (ui.view.field_search.empty()) draw_text(ui.fonts.body, at + ImVec2{12, (kHeight - ui.fonts.body.size) / 2}, faded(ui.theme.dim, 0.8f), "Search all inputs");
}

void field_entry(Ui& ui, const App& app, const Field& field, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  gap(8);
  const std::string name(field.name);
  const io::FieldState* const state = app.answer.find_field(field.name);
  const bool can_go = state && state->applies && !state->idle;
  const std::string range = range_of(field);
  const Run runs[] = {{field.label, ui.fonts.body_strong, ui.theme.ink},
                      {"   ", ui.fonts.body, ui.theme.dim},
                      {field.name, ui.fonts.code, ui.theme.accent, can_go},
                      {"   ", ui.fonts.body, ui.theme.dim},
                      {range, ui.fonts.label, ui.theme.dim}};
  if (paragraph(ui, "field_entry." + name, runs, width) >= 0) ui.view.focus_field = name;
  paragraph(ui, ui.fonts.label, ui.theme.dim, field.help, width);
  gap(6);
  note_rect(ui, "reference." + name, at, {at.x + width, ImGui::GetCursorScreenPos().y});
  rule(ui, width);
}

} // namespace

void fields_panel(Ui& ui, const App& app, float width) {
  search_box(ui, width);
  gap(10);
  Topic last = Topic::task;
  bool any = false;
  for (const Field& field : fields()) {
    if (!is_found(field, ui.view.field_search)) continue;
    if (!any || field.topic != last) gap(8), heading(ui, title_of(field.topic));
    any = true;
    last = field.topic;
    field_entry(ui, app, field, width);
  }
  if (!any) paragraph(ui, ui.fonts.body, ui.theme.dim, "No input has that name.", width);
}

} // namespace plimsoll::app
