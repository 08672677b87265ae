#include "panels/breakdown_panel.hpp"

#include "reach/describe.hpp"
#include "widgets/amount_row.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr float kRow = 33, kInnerRow = 28, kIndent = 20, kBasisWidth = 70;

/// How the amounts of one table are written, so that they form a column.
struct Column {
  std::string_view unit;
  int decimals = 1;

  std::string text(std::int64_t amount) const {
    return unit == "bytes" ? format_gigabytes(Bytes{amount}, decimals) : format_count(Count{amount});
  }
};

/// Small devices and small models deserve more digits.
Column column_for(const Component& root) {
  const Bytes total{root.amount};
  return {root.unit, total >= gigabytes(100) ? 1 : total >= gigabytes(1) ? 2 : 3};
}

struct Row {
  const Component& component;
  int depth = 0;
};

void describe_row(const Ui& ui, const Row& row) {
  if (!is_described()) return;
  const Component& component = row.component;
  Words words{.role = Role::treeitem, .name = in_words(component), .about = name_of(component.basis)};
  words.group = component.unit == "bytes" ? "Breakdown" : "Amounts";
  words.level = row.depth + 1;
  words.selected = state_of(ui.view.selected == component.id);
  if (!component.parts.empty()) words.expanded = state_of(ui.view.open_components.contains(component.id));
  describe(std::move(words));
}

void press_row(Ui& ui, const Row& row, ImVec2 at, float width, float height) {
  const std::string& id = row.component.id;
  ImGui::SetCursorScreenPos(at);
  ImGui::SetNextItemAllowOverlap();
  if (ImGui::InvisibleButton(("row." + id).c_str(), {width, height}, ImGuiButtonFlags_EnableNav)) {
    const bool opens = !row.component.parts.empty() && (!ui.view.open_components.contains(id) || ui.view.selected != id);
    if (opens)
      ui.view.open_components.insert(id);
    else
      ui.view.open_components.erase(id);
    ui.view.selected = id;
  }
  note_item(ui, "row." + id);
  describe_row(ui, row);
  if (ImGui::IsItemHovered()) {
    ui.view.hovering = id;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
}

void draw_row(Ui& ui, const Row& row, const Column& column, ImVec2 at, float width, float height) {
  const Component& component = row.component;
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  const bool selected = ui.view.selected == component.id, hot = ui.view.hovered == component.id;
  if (selected || hot)
    draw->AddRectFilled({at.x - 8, at.y + 1}, {at.x + width + 8, at.y + height - 1}, faded(ui.theme.hover, selected ? 1.0f : 0.6f), 6);
  const float middle = at.y + height / 2;
  float x = at.x + static_cast<float>(row.depth) * kIndent;
  const Type type = row.depth == 0 ? ui.fonts.body : ui.fonts.label;
  if (component.unit == "bytes") {
    const float size = row.depth == 0 ? space::chip : 7;
    const ImU32 colour = colour_of(component.id, ui.theme.dim);
    draw->AddRectFilled({x, middle - size / 2}, {x + size, middle + size / 2}, row.depth == 0 ? colour : faded(colour, 0.6f), 3);
    x += size + 9;
  }
  const float amount_end = at.x + width - kBasisWidth;
  // inner rows may be tiny beside the total: each in the unit that suits it
  const bool own_unit = row.depth > 0 && component.unit == "bytes";
  const std::string amount = own_unit ? format_bytes(Bytes{component.amount}) : column.text(component.amount);
  const float room = amount_end - measure(ui.fonts.body, amount).x - 28 - x;
  const std::string label = elided(type, component.label, room);
  draw_text(type, {x, middle - type.size / 2}, row.depth == 0 ? ui.theme.ink : mixed(ui.theme.ink, ui.theme.dim, 0.4f), label);
  if (!component.parts.empty())
    draw_chevron({x + measure(type, label).x + 12, middle + 1}, 8,
                 ui.view.open_components.contains(component.id) ? ImGuiDir_Down : ImGuiDir_Right, ui.theme.dim);
  draw_text_right(row.depth == 0 ? ui.fonts.body : ui.fonts.label, {amount_end, middle - type.size / 2}, ui.theme.ink, amount);
  draw_text_right(ui.fonts.label, {at.x + width, middle - ui.fonts.label.size / 2}, ui.theme.dim, name_of(component.basis));
}

/// The parts of a component in the order that was asked for.
std::vector<const Component*> ordered(const Component& parent, Order order) {
  std::vector<const Component*> parts;
  for (const Component& part : parent.parts) parts.push_back(&part);
  if (order == Order::largest_first) std::ranges::stable_sort(parts, std::ranges::greater{}, &Component::amount);
  return parts;
}

void rows(Ui& ui, const Component& parent, const Column& column, float width, int depth) {
  for (const Component* part : ordered(parent, ui.view.order)) {
    const Component& component = *part;
    if (component.amount == 0 && component.high == 0) continue;
    const Row row{component, depth};
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = depth == 0 ? kRow : kInnerRow;
    press_row(ui, row, at, width, height);
    draw_row(ui, row, column, at, width, height);
    const bool open = !component.parts.empty() && ui.view.open_components.contains(component.id);
    if (open) rows(ui, component, column, width, depth + 1);
    if (depth == 0 && open) gap(4);
    if (depth == 0) rule(ui, width);
  }
}

void total_row(Ui& ui, std::string_view label, std::string_view amount, std::string_view unit, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float y = at.y + (kRow - ui.fonts.body.size) / 2;
  draw_text(ui.fonts.body_strong, {at.x, y}, ui.theme.ink, label);
  draw_text_right(ui.fonts.body_strong, {at.x + width - kBasisWidth, y}, ui.theme.ink, amount);
  draw_text_right(ui.fonts.label, {at.x + width, at.y + (kRow - ui.fonts.label.size) / 2}, ui.theme.dim, unit);
  gap(kRow);
  rule(ui, width);
}

/// Which rank and moment the table is of, and the way back to the peak of the fullest.
void moment_heading(Ui& ui, const Shown& shown, float width) {
  const Estimate& estimate = shown.answer.estimate;
  const Estimate& seen = shown.looked_at();
  const std::string label(text_of(ui.view.moment.value_or(seen.at_peak().moment)).label);
  const std::string rank = estimate.ranks.size() > 1 ? format_rank(estimate, seen.rank) : "";
  if (!ui.view.moment && !ui.view.rank) return heading(ui, (rank.empty() ? "At the peak: " : "At the peak of " + rank + ": ") + label);
  const std::string words = ui.view.moment ? "Not the peak: " : "Not the fullest: ", where = rank.empty() ? label : rank + ", " + label;
  const Run runs[] = {{words, ui.fonts.label_strong, ui.theme.dim},
                      {where, ui.fonts.label_strong, ui.theme.dim},
                      {"   ", ui.fonts.label_strong, ui.theme.dim},
                      {"show the peak", ui.fonts.label, ui.theme.accent, true}};
  if (paragraph(ui, "show_peak", runs, width) >= 0) ui.actions.look_at_rank = estimate.rank;
  gap(3);
}

/// A long name is set smaller, and then in as many lines as it needs.
void fact_row(Ui& ui, const Component& fact, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string amount = amount_text(fact);
  const float room = width - measure(ui.fonts.body_strong, amount).x - 16;
  const Type type = measure(ui.fonts.body, fact.label).x <= room ? ui.fonts.body : ui.fonts.label;
  const float text = paragraph_height(type, line_count(type, fact.label, room)), height = std::max(kRow, text + 6);
  press_row(ui, {fact, 0}, at, width, height);
  const bool looked_at = ui.view.selected == fact.id || ui.view.hovered == fact.id;
  if (looked_at)
    ImGui::GetWindowDrawList()->AddRectFilled({at.x - 8, at.y + 1}, {at.x + width + 8, at.y + height - 1}, faded(ui.theme.hover, 0.8f), 6);
  ImGui::SetCursorScreenPos({at.x, at.y + (height - text) / 2});
  paragraph(ui, type, ui.theme.ink, fact.label, room);
  draw_text_right(ui.fonts.body_strong, {at.x + width, at.y + (height - ui.fonts.body.size) / 2}, ui.theme.ink, amount);
  ImGui::SetCursorScreenPos({at.x, at.y + height});
  rule(ui, width);
}

/// At the right end of the heading that was just drawn.
void order_link(Ui& ui, float width) {
  const bool sorted = ui.view.order == Order::largest_first;
  const std::string_view text = sorted ? "in order" : "largest first";
  const ImVec2 after = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({after.x + width - measure(ui.fonts.label, text).x, after.y - ui.fonts.label.size - 10});
  if (link(ui, "button.order", text, ui.fonts.label)) ui.view.order = sorted ? Order::as_listed : Order::largest_first;
  ImGui::SetCursorScreenPos(after);
  ImGui::Dummy({0, 0});
}

} // namespace

void breakdown_panel(Ui& ui, const Shown& shown, float width) {
  const Component& memory = shown.moment ? *shown.moment : shown.explanation.memory;
  const Column column = column_for(memory);
  moment_heading(ui, shown, width);
  order_link(ui, width);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  rows(ui, memory, column, width, 0);
  total_row(ui, "Total", column.text(memory.amount), gigabyte_name(), width);
  note_rect(ui, "breakdown", at, {at.x + width, ImGui::GetCursorScreenPos().y});
}

void facts_panel(Ui& ui, const Shown& shown, float width) {
  const Explanation& words = shown.explanation;
  if (!words.facts.empty()) {
    heading(ui, "Good to know");
    for (const Component& fact : words.facts) fact_row(ui, fact, width);
    gap(space::section + 4);
  }
  heading(ui, "Parameters of the model");
  rows(ui, words.parameters, {words.parameters.unit}, width, 0);
  total_row(ui, "All parameters", format_count(Count{words.parameters.amount}), "", width);
}

} // namespace plimsoll::app
