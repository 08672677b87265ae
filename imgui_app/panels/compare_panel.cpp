#include "panels/compare_panel.hpp"

#include "plimsoll/method/format.hpp"
#include "plimsoll/questions/compare.hpp"
#include "widgets/axis.hpp"
#include "widgets/bar.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr float kLeastLabels = 128, kMostLabels = 190, kLeastColumn = 112, kBars = 220, kAxisWidth = 40, kWidestBar = 92, kRow = 40;

/// One answer with its place on the screen.
struct Column {
  const io::Answer* answer = nullptr;
  std::string title;
  std::optional<std::size_t> pin; ///< empty: the present question
  float left = 0, right = 0;
  float centre() const { return (left + right) / 2; }
};

/// The room of the names beside the columns.
float labels_of(float width) { return std::clamp(width * 0.26f, kLeastLabels, kMostLabels); }

std::vector<Column> columns_of(const App& app, float left, float width) {
  const float labels = labels_of(width);
  const std::size_t room = static_cast<std::size_t>(std::max(2.0f, (width - labels) / kLeastColumn)); // one of them beside the present question, however narrow
  std::vector<Column> columns;
  for (std::size_t i = 0; i < app.pinned.size() && columns.size() + 1 < room; ++i) {
    const Inputs& inputs = app.pinned[i].answer.inputs;
    columns.push_back({&app.pinned[i].answer, inputs.model.name, i});
  }
  columns.push_back({&app.shown->answer, "Now", {}});
  const float step = (width - labels) / static_cast<float>(columns.size());
  float x = left + labels;
  for (Column& column : columns) column.left = x, column.right = x += step;
  return columns;
}

void titles(Ui& ui, const App& app, const std::vector<Column>& columns, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float bottom = at.y;
  for (const Column& column : columns) {
    const float room = column.right - column.left - 10;
    ImGui::SetCursorScreenPos({column.left, at.y});
    ImGui::BeginGroup();
    paragraph(ui, ui.fonts.label_strong, ui.theme.ink, column.title, room);
    const std::string about = &column == &columns.front() ? column.answer->inputs.hardware.name : io::differing_inputs(app.catalog, *columns.front().answer, *column.answer);
    paragraph(ui, ui.fonts.label, ui.theme.dim, elided(ui.fonts.label, about, room * 2.6f), room);
    if (column.pin) {
      const std::string number = std::to_string(*column.pin);
      if (link(ui, "pin.open." + number, "open", ui.fonts.label)) ui.actions.ask = ui.view.pins[*column.pin];
      ImGui::SameLine(0, 14);
      if (link(ui, "pin.remove." + number, "remove", ui.fonts.label)) ui.actions.unpin = *column.pin;
    }
    ImGui::EndGroup();
    bottom = std::max(bottom, ImGui::GetItemRectMax().y);
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, bottom - at.y + 4});
}

/// The same axis for all, and each with the load line of its own device.
void bars(Ui& ui, const std::vector<Column>& columns, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  Bytes largest;
  for (const Column& column : columns)
    if (column.answer->ok) largest = max(largest, max(column.answer->estimate.usable, max(column.answer->estimate.at_peak().total, column.answer->footprint->process.expected)));
  const Axis axis = axis_for(largest, {at.x + kAxisWidth, at.y + 12}, {at.x + width - 2, at.y + kBars - 6});
  draw_gridlines(ui, axis, 44);
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  for (const Column& column : columns) {
    if (!column.answer->ok) continue;
    const Estimate& estimate = column.answer->estimate;
    const float half = std::min(kWidestBar, (column.right - column.left) * 0.6f) / 2, middle = column.centre() - 5;
    const Bar bar = bar_between(middle - half, middle + half, estimate.at_peak().total, estimate.usable, axis);
    fill_moment(ui, bar, axis, estimate.at_peak(), column.pin ? 0.85f : 1.0f);
    draw_allowance(ui, bar, axis, estimate.at_peak().total, column.answer->footprint->process);
    hatch_overload(ui, bar, axis.y(max(estimate.at_peak().total, column.answer->footprint->process.expected).value));
    const float y = axis.y(estimate.usable.value);
    draw->AddRectFilled({column.left, y - 1}, {column.right - 10, y + 1}, ui.theme.load_line);
  }
  note_rect(ui, "compare.bars", at, {at.x + width, at.y + kBars});
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, kBars + 4});
}

void table(Ui& ui, const std::vector<Column>& columns, float width) {
  std::vector<const io::Answer*> answers;
  for (const Column& column : columns) answers.push_back(column.answer);
  for (const io::ComparedRow& row : io::compare(answers)) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float chip = row.id.starts_with("memory.") ? space::chip + 7 : 0, y = at.y + 5;
    if (chip > 0) ImGui::GetWindowDrawList()->AddRectFilled({at.x, y + 2}, {at.x + space::chip, y + 2 + space::chip}, colour_of(row.id, ui.theme.dim), 3);
    const float room = labels_of(width) - chip - 8;
    const float height = std::max(kRow, paragraph_height(ui.fonts.label, line_count(ui.fonts.label, row.label, room)) + 6);
    ImGui::SetCursorScreenPos({at.x + chip, at.y + 3});
    paragraph(ui, ui.fonts.label, ui.theme.ink, row.label, room);
    ImGui::SetCursorScreenPos(at);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const io::ComparedCell& cell = row.cells[i];
      const float end = columns[i].right - 10;
      draw_text_right(ui.fonts.label_strong, {end, y}, cell.known && cell.amount != 0 ? ui.theme.ink : ui.theme.dim, cell.known ? cell.text : "\u2013");
      const std::string change = cell.difference + (cell.share.empty() ? "" : "  " + cell.share);
      if (!change.empty())
        draw_text_right(ui.fonts.label, {end, y + ui.fonts.label.size + 1}, ui.theme.dim, measure(ui.fonts.label, change).x <= columns[i].right - columns[i].left - 12 ? change : cell.share);
    }
    note_rect(ui, "compare." + row.id, at, {at.x + width, at.y + height});
    gap(height);
    rule(ui, width);
  }
}

} // namespace

void compare_panel(Ui& ui, const App& app, float width) {
  const bool is_pinned = std::ranges::find(ui.view.pins, app.query) != ui.view.pins.end();
  if (app.pinned.empty())
    paragraph(ui, ui.fonts.body, ui.theme.dim, "Pin this question, then change something: both stand here beside each other, with every difference. Pins are part of the link.", width);
  gap(6);
  if (!is_pinned && button(ui, "button.pin", "Pin this question", app.pinned.empty() ? Emphasis::primary : Emphasis::plain)) ui.actions.pin = true;
  if (is_pinned) paragraph(ui, ui.fonts.label, ui.theme.dim, "The present question is pinned: change something to see the difference.", width);
  if (app.pinned.empty()) return;
  gap(12);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::vector<Column> columns = columns_of(app, at.x, width);
  titles(ui, app, columns, width);
  bars(ui, columns, width);
  table(ui, columns, width);
  if (columns.size() < app.pinned.size() + 1) {
    gap(6);
    paragraph(ui, ui.fonts.label, ui.theme.dim, format_count(Count{static_cast<std::int64_t>(app.pinned.size() + 1 - columns.size())}) + " more have no room here: widen the window, or remove one.", width);
  }
  note_rect(ui, "compare", at, {at.x + width, ImGui::GetCursorScreenPos().y});
}

} // namespace plimsoll::app
