#include "panels/plan_table_view.hpp"

#include "reach/describe.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr float kHead = 26, kLine = 26, kWide = 520, kPad = 8, kPin = 36, kBetween = 14;
constexpr std::string_view kUnknown = "\u2013";

/// Columns in which rows differ from what nobody would miss: all of one, or none known.
std::vector<std::size_t> told_columns(const io::PlanTable& table) {
  std::vector<std::size_t> told;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (std::ranges::any_of(table.rows, [&](const io::PlanRow& row) { return !row.cells[i].text.empty() && row.cells[i].text != "1"; })) told.push_back(i);
  return told;
}

/// Where each of those columns ends, from the left edge.
std::vector<float> ends_of(const Ui& ui, const io::PlanTable& table, std::span<const std::size_t> columns, float width) {
  std::vector<float> widths;
  float all = 0;
  for (const std::size_t column : columns) {
    float widest = measure(ui.fonts.label_strong, table.columns[column].label).x + 10; // the mark of the order
    for (const io::PlanRow& row : table.rows) widest = std::max(widest, measure(ui.fonts.body_strong, row.cells[column].text).x);
    all += widths.emplace_back(widest);
  }
  const float between = std::clamp((width - 2 * kPad - all) / static_cast<float>(std::max<std::size_t>(columns.size() - 1, 1)), 4.0f, 3 * kBetween);
  std::vector<float> ends;
  float x = kPad - between;
  for (const float one : widths) ends.push_back(x += between + one);
  return ends;
}

void heads(Ui& ui, const io::PlanTable& table, std::span<const std::size_t> columns, std::span<const float> ends, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float left = at.x;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const io::PlanColumn& column = table.columns[columns[i]];
    const bool on = ui.view.plan_order == column.id;
    const float end = at.x + ends[i];
    ImGui::SetCursorScreenPos({left, at.y});
    const std::string name = "plan.order." + std::string(column.id);
    if (ImGui::InvisibleButton(name.c_str(), {end - left + 4, kHead}, ImGuiButtonFlags_EnableNav)) {
      ui.view.plan_turned = on && !ui.view.plan_turned;
      ui.view.plan_order = column.id;
    }
    note_item(ui, name);
    if (is_described()) describe({.name = "Sort by " + std::string(column.label), .group = "Plans", .selected = state_of(on)});
    const bool hot = ImGui::IsItemHovered();
    if (hot) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    draw_text_right(ui.fonts.label_strong, {end, at.y + 6}, on || hot ? ui.theme.ink : ui.theme.dim, column.label);
    const float mark = end - measure(ui.fonts.label_strong, column.label).x - 7;
    if (on) draw_chevron({mark, at.y + 6 + ui.fonts.label_strong.size / 2}, 6, column.most_first != ui.view.plan_turned ? ImGuiDir_Down : ImGuiDir_Up, ui.theme.ink);
    left = end + 4;
  }
  ImGui::SetCursorScreenPos({at.x, at.y + kHead});
  rule(ui, width);
}

std::string in_words(const io::PlanTable& table, const io::PlanRow& row, std::size_t from) {
  std::string text;
  for (std::size_t i = from; i < row.cells.size(); ++i)
    if (!row.cells[i].text.empty() && row.cells[i].text != "1") text += (text.empty() ? "" : " \u00b7 ") + std::string(table.columns[i].label) + " " + row.cells[i].text;
  return text;
}

/// Numbers beside each other, or on narrow screens the first two, and below them the rest in words.
void table_row(Ui& ui, const io::PlanTable& table, std::size_t index, std::span<const std::size_t> columns, std::span<const float> ends, float width) {
  const io::PlanRow& row = table.rows[index];
  const bool is_wide = !ends.empty();
  const std::string below = is_wide ? row.text : in_words(table, row, 2) + " \u00b7 " + row.text, name = "plan.row." + std::to_string(index);
  const float room = width - kPin;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = kLine + paragraph_height(ui.fonts.label, line_count(ui.fonts.label, below, room - 2 * kPad)) + 6;
  if (ImGui::InvisibleButton(name.c_str(), {room, height}, ImGuiButtonFlags_EnableNav)) ui.actions.ask = row.query;
  note_item(ui, name);
  if (is_described()) describe({.name = in_words(table, row, 0) + ", " + row.text});
  const bool hot = ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible);
  if (hot) ImGui::GetWindowDrawList()->AddRectFilled(at, at + ImVec2{room, height}, ui.theme.hover, space::row_rounding);
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  for (std::size_t i = 0; is_wide && i < columns.size(); ++i) {
    const std::string& text = row.cells[columns[i]].text;
    draw_text_right(columns[i] < 2 ? ui.fonts.body_strong : ui.fonts.body, {at.x + ends[i], at.y + 5}, text.empty() ? ui.theme.dim : ui.theme.ink, text.empty() ? kUnknown : std::string_view{text});
  }
  if (!is_wide) draw_text(ui.fonts.body_strong, at + ImVec2{kPad, 5}, ui.theme.ink, row.cells[0].text + (row.cells[1].text.empty() ? "" : "   " + row.cells[1].text));
  ImGui::SetCursorScreenPos(at + ImVec2{kPad, kLine});
  paragraph(ui, ui.fonts.label, ui.theme.dim, below, room - 2 * kPad);
  ImGui::SetCursorScreenPos({at.x + room + 8, at.y + 5});
  if (link(ui, "plan.pin." + std::to_string(index), "pin", ui.fonts.label)) ui.actions.pin_other = row.query;
  ImGui::SetCursorScreenPos({at.x, at.y + height});
  gap(2);
}

} // namespace

void plan_table(Ui& ui, io::PlanTable table, float width) {
  if (table.rows.empty()) return;
  if (!ui.view.plan_order.empty()) io::sort_rows(table, ui.view.plan_order, ui.view.plan_turned);
  const std::vector<std::size_t> columns = told_columns(table);
  const std::vector<float> ends = width >= kWide ? ends_of(ui, table, columns, width - kPin) : std::vector<float>{};
  if (!ends.empty()) heads(ui, table, columns, ends, width);
  for (std::size_t i = 0; i < table.rows.size(); ++i) table_row(ui, table, i, columns, ends, width);
}

void plan_hand_over(Ui& ui, const std::string& why, std::span<const std::string> rests_on, float width) {
  gap(6);
  if (!why.empty()) paragraph(ui, ui.fonts.body, ui.theme.ink, why, width);
  gap(6);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (button(ui, "plan.report", "Report to print", Emphasis::primary)) ui.actions.save_plan = PlanFile::report;
  ImGui::SetCursorScreenPos({ImGui::GetItemRectMax().x + 10, at.y});
  if (button(ui, "plan.csv", "CSV", Emphasis::plain)) ui.actions.save_plan = PlanFile::csv;
  gap(8);
  if (rests_on.empty()) return;
  paragraph(ui, ui.fonts.label_strong, ui.theme.dim, "What it rests on", width);
  for (const std::string& one : rests_on) {
    gap(2);
    paragraph(ui, ui.fonts.label, ui.theme.dim, one, width);
  }
}

} // namespace plimsoll::app
