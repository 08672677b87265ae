#include "panels/uncertainties.hpp"

#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr float kHintWidth = 270, kColumnGap = 18, kLeastLabel = 220;

/// What leads from an uncertainty to the formula that it is about; null where it is about none.
const Component* component_of(const Shown& shown, const Uncertainty& one) {
  return find_component(shown.moment ? *shown.moment : shown.explanation.memory, one.id);
}

void hint(Ui& ui, const Uncertainty& one, bool leads_somewhere, ImVec2 min, ImVec2 max) {
  begin_hint(ui, min, max, kHintWidth);
  paragraph(ui, ui.fonts.label, ui.theme.ink, one.label, kHintWidth);
  gap(4);
  if (one.less > Bytes{0}) paragraph(ui, ui.fonts.label, ui.theme.dim, "Up to " + format_exact(one.less.value, "bytes") + " less.", kHintWidth);
  if (one.more > Bytes{0}) paragraph(ui, ui.fonts.label, ui.theme.dim, "Up to " + format_exact(one.more.value, "bytes") + " more.", kHintWidth);
  if (leads_somewhere) paragraph(ui, ui.fonts.label, ui.theme.accent, "Press to see its formula.", kHintWidth);
  end_hint(ui);
}

struct Columns {
  float label = 0;                                ///< begins there
  float less = 0, more = 0, basis = 0;            ///< end there
  float label_end = 0;
  bool stacked = false;                           ///< the label has a line of its own
};

Columns columns_for(const Ui& ui, std::span<const Uncertainty> list, float left, float width) {
  float less = 0, more = 0, basis = 0;
  for (const Uncertainty& one : list) {
    less = std::max(less, measure(ui.fonts.label_strong, format_change(Bytes{0} - one.less)).x);
    more = std::max(more, measure(ui.fonts.label_strong, format_change(one.more)).x);
    basis = std::max(basis, measure(ui.fonts.label, name_of(one.basis)).x);
  }
  const float amounts = less + more + basis + 3 * kColumnGap;
  const bool stacked = width - amounts < kLeastLabel;
  const float right = left + width;
  if (stacked) return {left, left + less, left + less + kColumnGap + more, right, right, true};
  const float more_end = right - basis - kColumnGap, less_end = more_end - more - kColumnGap;
  return {left, less_end, more_end, right, less_end - less - kColumnGap, false};
}

void uncertainty_row(Ui& ui, const Shown& shown, const Uncertainty& one, const Columns& columns, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string less = format_change(Bytes{0} - one.less), more = format_change(one.more);
  ImGui::SetCursorScreenPos({at.x, at.y + 6});
  paragraph(ui, ui.fonts.label, ui.theme.ink, one.label, columns.label_end - columns.label);
  const float y = columns.stacked ? ImGui::GetCursorScreenPos().y : at.y + 8;
  const auto amount = [&](float end, const std::string& text, Bytes bytes) {
    const bool none = bytes == Bytes{0};
    draw_text_right(none ? ui.fonts.label : ui.fonts.label_strong, {end, y}, none ? ui.theme.dim : ui.theme.ink, text);
  };
  amount(columns.less, less, one.less);
  amount(columns.more, more, one.more);
  draw_text_right(ui.fonts.label, {columns.basis, y}, ui.theme.dim, name_of(one.basis));
  gap((columns.stacked ? ui.fonts.label.size + 2 : 0) + 6);
  const float height = ImGui::GetCursorScreenPos().y - at.y;
  rule(ui, width);
  const ImVec2 end = ImGui::GetCursorScreenPos();

  const Component* const component = component_of(shown, one);
  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton(one.id.c_str(), {width, height}, ImGuiButtonFlags_EnableNav) && component) ui.view.selected = component->id;
  note_item(ui, one.id.starts_with("uncertainty.") ? one.id : "uncertainty." + one.id);
  if (ImGui::IsItemHovered() && component) {
    ui.view.hovering = component->id;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  if (wants_hint(ui)) hint(ui, one, component != nullptr, {at.x, at.y}, {at.x + width, at.y + height});
  ImGui::SetCursorScreenPos(end);
  ImGui::Dummy({0, 0});
}

} // namespace

void uncertainties_panel(Ui& ui, const Shown& shown, float width) {
  const std::vector<Uncertainty>& list = shown.answer.footprint->uncertainties;
  if (list.empty()) return;
  heading(ui, "Why the process may take less or more");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Columns columns = columns_for(ui, list, at.x, width);
  ImGui::PushID("uncertainties");
  for (const Uncertainty& one : list) uncertainty_row(ui, shown, one, columns, width);
  ImGui::PopID();
  note_rect(ui, "uncertainties", at, {at.x + width, ImGui::GetCursorScreenPos().y});
}

} // namespace plimsoll::app
