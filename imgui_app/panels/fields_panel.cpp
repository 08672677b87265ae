#include "panels/fields_panel.hpp"

#include "panels/scenario_panel.hpp"
#include "plimsoll/catalog/search.hpp"
#include "plimsoll/method/fields.hpp"
#include "widgets/controls.hpp"
#include "widgets/inputs.hpp"
#include "widgets/text.hpp"

#include <string>
#include <string_view>

namespace plimsoll::app {
namespace {

bool is_found(const Field& field, std::string_view search) {
  return io::has_text(field.name, search) || io::has_text(label_of(field), search) || io::has_text(help_of(field), search);
}

/// "1 to 4,096 GPUs", "none, selective or full".
std::string range_of(const Field& field) {
  if (field.kind == FieldKind::integer && field.decimals > 0) return text_of(field, field.min) + " to " + text_of(field, field.max) + (field.unit.empty() ? "" : " " + std::string(field.unit));
  if (field.kind == FieldKind::integer)
    return format_count(Count{field.min}) + " to " + format_count(Count{field.max}) + (field.unit.empty() ? "" : " " + std::string(field.unit));
  if (field.kind == FieldKind::flag) return "true or false";
  std::string text;
  for (const Choice& choice : field.choices) text += (text.empty() ? "" : ", ") + std::string(choice.name);
  return text;
}

void field_entry(Ui& ui, const App& app, const Field& field, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  gap(8);
  const std::string name(field.name);
  const io::FieldState* const state = app.answer.find_field(field.name);
  const bool can_go = state && state->applies && !state->idle;
  const std::string range = range_of(field);
  const Run runs[] = {{label_of(field), ui.fonts.body_strong, ui.theme.ink},
                      {"   ", ui.fonts.body, ui.theme.dim},
                      {field.name, ui.fonts.code, ui.theme.accent, can_go},
                      {"   ", ui.fonts.body, ui.theme.dim},
                      {range, ui.fonts.label, ui.theme.dim}};
  if (paragraph(ui, "field_entry." + name, runs, width) >= 0) ui.view.focus_field = name;
  paragraph(ui, ui.fonts.label, ui.theme.dim, help_of(field), width);
  gap(6);
  note_rect(ui, "reference." + name, at, {at.x + width, ImGui::GetCursorScreenPos().y});
  rule(ui, width);
}

} // namespace

void fields_panel(Ui& ui, const App& app, float width) {
  text_box(ui, "fields.search", ui.view.field_search, "Search all inputs", width);
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
