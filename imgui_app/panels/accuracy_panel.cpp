#include "panels/accuracy_panel.hpp"

#include "panels/scatter.hpp"
#include "widgets/controls.hpp"
#include "widgets/inputs.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr float kRow = 46, kGap = 8, kWide = 600, kAmount = 108, kError = 92;
constexpr std::string_view kAll = "all", kMissing = "none";

std::vector<Option> options_of(const std::vector<std::string>& names, std::string_view all) {
  std::vector<Option> options;
  if (!all.empty()) options.push_back({kAll, all, "", {}});
  for (const std::string& name : names) options.push_back({name, name, "", {}});
  return options;
}

/// An empty text is "all".
void choose(Ui& ui, std::string_view name, std::string_view label, const std::vector<Option>& options, std::string& chosen, float width) {
  if (const auto id = choice_box(ui, name, label, options, chosen.empty() ? kAll : std::string_view{chosen}, width)) chosen = *id == kAll ? "" : *id;
}

void choices(Ui& ui, const EvidenceShown& evidence, float width) {
  io::EvidenceChoice& choice = ui.view.evidence;
  const bool in_row = width >= kWide;
  const float each = in_row ? (width - 2 * kGap) / 3 : width;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const auto place = [&](int index) {
    if (in_row) ImGui::SetCursorScreenPos({at.x + (each + kGap) * static_cast<float>(index), at.y});
    else if (index > 0) gap(4);
  };
  place(0);
  std::vector<Option> units = options_of(evidence.units, "");
  units.push_back({kMissing, "not covered", "", {}});
  const std::string unit = choice.missing ? std::string{kMissing} : !choice.unit.empty() || evidence.units.empty() ? choice.unit : evidence.units.front();
  if (const auto id = choice_box(ui, "accuracy.unit", "rows in", units, unit, each)) {
    choice.missing = *id == kMissing;
    choice.unit = choice.missing || *id == evidence.units.front() ? "" : *id;
  }
  place(1);
  const std::string before = choice.corpus;
  choose(ui, "accuracy.source", "source", options_of(evidence.corpora, "all"), choice.corpus, each);
  if (choice.corpus != before) choice.group.clear();
  place(2);
  choose(ui, "accuracy.group", "group", options_of(evidence.groups, "all"), choice.group, each);
  gap(6);
  text_box(ui, "accuracy.find", choice.text, "Find rows by name, group, metric or reason", width);
}

/// What rows are sorted by, and the way back.
void order_links(Ui& ui, float width) {
  constexpr std::array<std::string_view, io::kEvidenceOrders> kLabels{"error", "name", "predicted", "measured"};
  io::EvidenceChoice& choice = ui.view.evidence;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_text(ui.fonts.label, {at.x, at.y + 4}, ui.theme.dim, "Sorted by");
  float x = at.x + measure(ui.fonts.label, "Sorted by").x + 10;
  for (std::size_t i = 0; i < io::kEvidenceOrders; ++i) {
    const auto order = static_cast<io::EvidenceOrder>(i);
    const bool on = choice.order == order;
    const Type type = on ? ui.fonts.label_strong : ui.fonts.label;
    ImGui::SetCursorScreenPos({x, at.y});
    if (link(ui, "accuracy.order." + std::string(io::name_of(order)), kLabels[i], type)) choice.turned = on && !choice.turned, choice.order = order;
    x += measure(type, kLabels[i]).x;
    if (on) draw_chevron({x + 8, at.y + 4 + ui.fonts.label.size / 2}, 7, choice.turned ? ImGuiDir_Up : ImGuiDir_Down, ui.theme.accent);
    x += 24;
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, ui.fonts.label.size + 12});
}

void row_hint(Ui& ui, const io::EvidenceRow& row, ImVec2 min, ImVec2 max) {
  constexpr float kWidth = 320;
  begin_hint(ui, min, max, kWidth);
  paragraph(ui, ui.fonts.label_strong, ui.theme.ink, row.id, kWidth);
  if (row.low != row.high) paragraph(ui, ui.fonts.label, ui.theme.dim, "Likely " + io::amount_text(row.low, row.unit) + " to " + io::amount_text(row.high, row.unit) + ".", kWidth);
  if (!row.note.empty()) paragraph(ui, ui.fonts.label, ui.theme.dim, row.note, kWidth);
  if (!row.reason.empty()) paragraph(ui, ui.fonts.label, ui.theme.ink, row.reason, kWidth);
  paragraph(ui, ui.fonts.label, ui.theme.dim, row.scenario.empty() ? "It is no scenario that could be opened here." : "Press to open its scenario.", kWidth);
  end_hint(ui);
}

/// Names of one source begin alike: their ends say which they are.
std::string end_of(Type type, std::string_view name, float width) {
  if (measure(type, name).x <= width) return std::string(name);
  while (!name.empty() && measure(type, "\u2026" + std::string(name)).x > width) name.remove_prefix(1);
  while (!name.empty() && (static_cast<unsigned char>(name.front()) & 0xC0) == 0x80) name.remove_prefix(1); // inside a letter
  return "\u2026" + std::string(name);
}

std::string about(const io::EvidenceRow& row) {
  std::string text;
  for (const std::string* const part : {&row.group, &row.metric, &row.memory, &row.corpus})
    if (!part->empty()) text += (text.empty() ? "" : " \u00b7 ") + *part;
  return text;
}

/// Name and error, below them what it is of; on wide screens the two amounts in columns of their own.
void evidence_row(Ui& ui, const io::EvidenceRow& row, std::size_t index, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), end = at + ImVec2{width, kRow};
  const std::string name = "accuracy.row." + std::to_string(index);
  if (ImGui::InvisibleButton(name.c_str(), end - at, ImGuiButtonFlags_EnableNav) && !row.scenario.empty()) ui.actions.ask = row.scenario;
  note_item(ui, name);
  const bool hot = ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible);
  if (hot) ImGui::GetWindowDrawList()->AddRectFilled(at, end, ui.theme.hover, space::row_rounding);
  if (hot && !row.scenario.empty()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (wants_hint(ui)) row_hint(ui, row, at, end);
  const float first = at.y + 5, second = at.y + 25, right = end.x - 8;
  const std::string error = io::error_text(row.error), predicted = io::amount_text(row.predicted, row.unit), measured = io::amount_text(row.measured, row.unit);
  draw_text_right(ui.fonts.body_strong, {right, first}, ui.theme.ink, error);
  float room = right - kError - at.x - 16;
  float second_room = width - 16;
  if (width >= kWide) {
    draw_text_right(ui.fonts.body, {right - kError, first}, ui.theme.ink, measured);
    draw_text_right(ui.fonts.body, {right - kError - kAmount, first}, ui.theme.ink, predicted);
    room -= 2 * kAmount;
  } else {
    const std::string both = predicted.empty() ? measured : predicted + " / " + measured;
    draw_text_right(ui.fonts.label, {right, second}, ui.theme.dim, both);
    second_room -= measure(ui.fonts.label, both).x + 12;
  }
  draw_text(ui.fonts.body, {at.x + 8, first}, row.scenario.empty() ? ui.theme.ink : ui.theme.accent, end_of(ui.fonts.body, row.id, room));
  draw_text(ui.fonts.label, {at.x + 8, second}, ui.theme.dim, elided(ui.fonts.label, row.reason.empty() ? about(row) : row.reason, second_room));
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, end.y - 1}, end, ui.theme.line);
  ImGui::SetCursorScreenPos({at.x, end.y});
}

void heads(Ui& ui, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = at.x + width - 8;
  draw_text(ui.fonts.label, {at.x + 8, at.y}, ui.theme.dim, width >= kWide ? "row" : "row, predicted / measured");
  draw_text_right(ui.fonts.label, {right, at.y}, ui.theme.dim, "error");
  if (width >= kWide) {
    draw_text_right(ui.fonts.label, {right - kError, at.y}, ui.theme.dim, "measured");
    draw_text_right(ui.fonts.label, {right - kError - kAmount, at.y}, ui.theme.dim, "predicted");
  }
  gap(ui.fonts.label.size + 6);
  rule(ui, width);
}

void table(Ui& ui, const EvidenceShown& evidence, float width) {
  heads(ui, width);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGuiListClipper clipper; // there are thousands
  clipper.Begin(static_cast<int>(evidence.rows.size()), kRow);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const auto place = static_cast<std::size_t>(i);
      ImGui::SetCursorScreenPos({at.x, at.y + kRow * static_cast<float>(i)});
      evidence_row(ui, evidence.all.rows[evidence.rows[place]], place, width);
    }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, kRow * static_cast<float>(evidence.rows.size())});
  if (evidence.rows.empty()) paragraph(ui, ui.fonts.body, ui.theme.dim, "No row has that.", width);
}

/// While there are no rows.
void in_place_of_rows(Ui& ui, const App& app, float width) {
  if (app.evidence.state != Arrival::missing) return paragraph(ui, ui.fonts.body, ui.theme.dim, "Reading what was measured.", width);
  paragraph(ui, ui.fonts.body_strong, ui.theme.load_line, "The rows of what was measured could not be read.", width);
  paragraph(ui, ui.fonts.body, ui.theme.dim, "They stand in accuracy.json beside the program, and plimsoll accuracy prints them.", width);
  if (link(ui, "accuracy.again", "Try again", ui.fonts.body)) ui.actions.read_evidence = true;
}

} // namespace

void accuracy_panel(Ui& ui, const App& app, float width, float height) {
  const EvidenceShown& evidence = app.evidence;
  if (evidence.state != Arrival::there) return in_place_of_rows(ui, app, width);
  paragraph(ui, ui.fonts.body, ui.theme.dim, "Each row is a measurement or a published number, with what Plimsoll predicts from the facts of that row alone.", width);
  gap(8);
  choices(ui, evidence, width);
  gap(10);
  paragraph(ui, ui.fonts.body_strong, ui.theme.ink, evidence.sentence, width);
  gap(8);
  if (!ui.view.evidence.missing) {
    if (const auto pressed = scatter(ui, evidence, {width, std::max(height, 260.0f)}); pressed && !evidence.all.rows[*pressed].scenario.empty())
      ui.actions.ask = evidence.all.rows[*pressed].scenario;
    paragraph(ui, ui.fonts.label, ui.theme.dim, "On the line the prediction is what was measured; in the band it is at most a tenth off. Arrows at the edge are further off than twice or half.", width);
    gap(10);
  }
  order_links(ui, width);
  table(ui, evidence, width);
}

} // namespace plimsoll::app
