#include "widgets/amount_row.hpp"

#include "plimsoll/method/format.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>

namespace plimsoll::app {
namespace {

constexpr float kHeight = 32, kRangeRoom = 200, kNarrow = 480;

} // namespace

std::string amount_text(const Component& component) {
  return format_quantity(component.amount, component.unit);
}

std::string in_words(const Component& component) {
  const std::string rounded = amount_text(component), exact = format_exact(component.amount, component.unit);
  return component.label + ": " + rounded + (exact == rounded ? "" : ", " + exact);
}

AmountRow row_of(const Component& component) {
  const bool has_range = component.low != component.high;
  return {component.id, component.label, amount_text(component), has_range ? format_amounts(component.low, component.high, component.unit) : ""};
}

bool amount_row(Ui& ui, const AmountRow& row, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float range_room = std::min(kRangeRoom, width * 0.36f);
  const bool narrow = !row.range.empty() && (width < kNarrow || measure(ui.fonts.label, row.range).x > range_room - 12); // the range then stands below the amount
  const float label_x = at.x + (row.chip != 0 ? space::chip + 9 : 0), end = width < kNarrow ? at.x + width : at.x + width - range_room;
  const Type of_amount = ui.fonts.body_strong, type = row.strong ? ui.fonts.body_strong : ui.fonts.body;
  const float room = end - measure(of_amount, row.amount).x - 12 - label_x;
  const Type of_label = measure(type, row.label).x <= room ? type : ui.fonts.label; // smaller, and then in as many lines as it needs
  const float text = paragraph_height(of_label, line_count(of_label, row.label, room));
  const float height = std::max(narrow ? kHeight + ui.fonts.label.size : kHeight, text + 6), middle = at.y + kHeight / 2;
  bool pressed = false;
  if (!row.id.empty()) {
    const std::string name = "amount." + row.id;
    pressed = ImGui::InvisibleButton(name.c_str(), {width, height}, ImGuiButtonFlags_EnableNav);
    note_item(ui, name);
    const bool hot = ImGui::IsItemHovered() || ui.view.hovered == row.id;
    if (ImGui::IsItemHovered()) ui.view.hovering = row.id, ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (hot || ui.view.selected == row.id)
      ImGui::GetWindowDrawList()->AddRectFilled({at.x - 8, at.y + 1}, {at.x + width + 8, at.y + height - 1}, faded(ui.theme.hover, 0.7f), 6);
  } else {
    gap(height);
  }
  if (row.chip != 0) ImGui::GetWindowDrawList()->AddRectFilled({at.x, middle - space::chip / 2}, {at.x + space::chip, middle + space::chip / 2}, row.chip, 3);
  const ImVec2 after = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({label_x, std::max(at.y + 3, middle - text / 2)});
  paragraph(ui, of_label, ui.theme.ink, row.label, room);
  ImGui::SetCursorScreenPos(after);
  draw_text_right(of_amount, {end, middle - of_amount.size / 2}, ui.theme.ink, row.amount);
  if (!row.range.empty())
    draw_text_right(ui.fonts.label, {at.x + width, (narrow ? at.y + kHeight - 5 : middle - ui.fonts.label.size / 2)}, ui.theme.dim, row.range);
  rule(ui, width);
  if (pressed) ui.view.selected = row.id;
  return pressed;
}

} // namespace plimsoll::app
