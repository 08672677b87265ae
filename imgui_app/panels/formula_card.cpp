#include "panels/formula_card.hpp"

#include "widgets/amount_row.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::app {
namespace {

const Component* find_selected(const Shown& shown, std::string_view id) {
  const Component& memory = shown.moment ? *shown.moment : shown.explanation.memory;
  if (const Component* const found = find_component(memory, id)) return found;
  if (const Component* const found = find_component(shown.explanation.parameters, id)) return found;
  for (const std::vector<Component>* list : {&shown.explanation.facts, &shown.money})
    for (const Component& one : *list)
      if (const Component* const found = find_component(one, id)) return found;
  return nullptr;
}

/// Formulas are stored in plain characters; people read mathematical ones.
std::string typeset(std::string_view formula) {
  std::string text;
  for (const char c : formula) {
    if (c == '*')
      text += "\u00d7";
    else if (c == '-')
      text += "\u2212";
    else
      text += c;
  }
  return text;
}

void title(Ui& ui, const Component& component, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Type type = ui.fonts.body_strong;
  const ImU32 chip = colour_of(component.id, ui.theme.dim);
  const float middle = at.y + type.size / 2;
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, middle - 5.5f}, {at.x + space::chip, middle + 5.5f}, chip, 3);
  const std::string amount = amount_text(component);
  const float x = at.x + space::chip + 9, room = at.x + width - x - measure(type, amount).x - 12;
  draw_text(type, {x, at.y}, ui.theme.ink, elided(type, component.label, room));
  draw_text_right(type, {at.x + width, at.y}, ui.theme.ink, amount);
  gap(type.size + 8);
}

/// "likely 1.9 to 2.4 GiB · 2,147,483,648 bytes"
void range_and_exact(Ui& ui, const Component& component, float width) {
  std::string text;
  if (component.low != component.high) text = "likely " + format_amounts(component.low, component.high, component.unit) + " \u00b7 ";
  text += format_exact(component.amount, component.unit);
  paragraph(ui, ui.fonts.label, ui.theme.dim, text, width);
}

void symbol_row(Ui& ui, const Symbol& symbol, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float top = at.y + 5;
  const bool leads_somewhere = !symbol.field.empty();
  const std::string value = format_count(Count{symbol.value});
  const std::string unit = unit_for(symbol.value, symbol.unit);
  const float unit_width = unit.empty() ? 0 : measure(ui.fonts.label, unit).x + 6;
  const float name_width = measure(ui.fonts.code, symbol.name).x;
  draw_text(ui.fonts.code, {at.x, top}, leads_somewhere ? ui.theme.accent : ui.theme.ink, symbol.name);
  draw_text_right(ui.fonts.body_strong, {at.x + width - unit_width, top - 1}, ui.theme.ink, value);
  draw_text_right(ui.fonts.label, {at.x + width, top + 1}, ui.theme.dim, unit);
  ImGui::SetCursorScreenPos({at.x, top + ui.fonts.code.size + 1});
  paragraph(ui, ui.fonts.label, ui.theme.dim, symbol.meaning, width);
  gap(4);
  const ImVec2 end = ImGui::GetCursorScreenPos();
  rule(ui, width);
  if (!leads_somewhere) return;
  // hovering shows the input that the symbol comes from, pressing goes there
  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton(std::string(symbol.name).c_str(), {width, end.y - at.y}, ImGuiButtonFlags_EnableNav))
    ui.view.focus_field = symbol.field;
  note_item(ui, "symbol." + std::string(symbol.name));
  if (ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible)) {
    ui.view.highlighting_field = symbol.field;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const float y = top + ui.fonts.code.size;
    ImGui::GetWindowDrawList()->AddLine({at.x, y}, {at.x + name_width, y}, ui.theme.accent);
  }
  ImGui::SetCursorScreenPos({end.x, end.y + 1});
}

/// A sum has no formula of its own: it is its parts.
void parts_list(Ui& ui, const Component& component, float width) {
  paragraph(ui, ui.fonts.label, ui.theme.dim, "The sum of its parts:", width);
  gap(2);
  for (const Component& part : component.parts) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ui.fonts.label.size + 11, y = at.y + 5;
    if (ImGui::InvisibleButton(("part." + part.id).c_str(), {width, height}, ImGuiButtonFlags_EnableNav)) ui.view.selected = part.id;
    note_item(ui, "part." + part.id);
    const bool hot = ImGui::IsItemHovered();
    if (hot) ui.view.hovering = part.id, ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const std::string amount = amount_text(part);
    draw_text(ui.fonts.label, {at.x, y}, hot ? ui.theme.ink : ui.theme.accent,
              elided(ui.fonts.label, part.label, width - measure(ui.fonts.label, amount).x - 12));
    draw_text_right(ui.fonts.label, {at.x + width, y}, ui.theme.ink, amount);
    rule(ui, width);
  }
}

void source(Ui& ui, const App& app, const Component& component, float width) {
  const std::string basis = name_of(component.basis);
  const io::CitationRow* const citation = app.catalog.find_citation(component.citation);
  const std::string text = citation ? citation->text + " \u00b7 " : component.citation.empty() ? "" : component.citation + " \u00b7 ";
  std::vector<Run> runs{{text, ui.fonts.label, ui.theme.dim}, {basis, ui.fonts.label_strong, ui.theme.ink}};
  const bool has_link = citation && !citation->url.empty();
  if (has_link) {
    runs.push_back({" \u00b7 ", ui.fonts.label, ui.theme.dim});
    runs.push_back({"open source", ui.fonts.label, ui.theme.accent, true});
  }
  if (paragraph(ui, "citation", runs, width) >= 0 && has_link) ui.actions.open_url = citation->url;
}

/// What the number would be in other frameworks: those that differ, a press away, then those that do not.
void under_profiles(Ui& ui, const App& app, const Component& component, float width) {
  const OtherProfiles& others = app.other_profiles;
  if (others.component != component.id || others.rows.size() < 2) return;
  // While amounts are sought for another question, rows stay where they are: they are told apart by what they were.
  const bool is_old = others.query != app.query;
  const auto own = std::ranges::find(others.rows, true, &io::ProfileAmount::is_asked);
  if (is_old && own == others.rows.end()) return;
  const std::string asked = is_old ? format_quantity(own->amount, own->unit) : amount_text(component);
  gap(12);
  heading(ui, "Under other frameworks");
  std::string same;
  for (const io::ProfileAmount& row : others.rows) {
    if (row.is_asked) continue;
    if (row.exists && format_quantity(row.amount, row.unit) == asked) { // what reads the same
      same += (same.empty() ? "" : ", ") + row.name;
      continue;
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ui.fonts.label.size + 11, y = at.y + 5;
    const std::string name = "profile." + row.profile;
    if (ImGui::InvisibleButton(name.c_str(), {width, height}, ImGuiButtonFlags_EnableNav)) ui.actions.set.emplace_back("profile", row.profile);
    note_item(ui, name);
    const bool hot = ImGui::IsItemHovered();
    if (hot) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const std::string amount = is_old ? "…" : row.exists ? format_amount(row.amount, row.unit) : row.reason.empty() ? "no such part" : "not possible";
    if (wants_hint(ui) && !row.reason.empty()) {
      begin_hint(ui, at, {at.x + width, at.y + height}, 260);
      paragraph(ui, ui.fonts.label, ui.theme.ink, row.reason, 260);
      end_hint(ui);
    }
    draw_text(ui.fonts.label, {at.x, y}, hot ? ui.theme.ink : ui.theme.accent, elided(ui.fonts.label, row.name, width - measure(ui.fonts.label, amount).x - 12));
    draw_text_right(ui.fonts.label, {at.x + width, y}, row.exists ? ui.theme.ink : ui.theme.dim, amount);
    rule(ui, width);
  }
  if (!same.empty()) gap(4), paragraph(ui, ui.fonts.label, ui.theme.dim, "The same under " + same + ".", width);
}

void contents(Ui& ui, const App& app, const Component& component, float width) {
  title(ui, component, width);
  if (!component.formula.empty()) {
    paragraph(ui, ui.fonts.code, ui.theme.accent, typeset(component.formula), width);
    gap(4);
    for (const Symbol& symbol : component.symbols) symbol_row(ui, symbol, width);
  } else if (!component.parts.empty()) {
    parts_list(ui, component, width);
  }
  gap(8);
  range_and_exact(ui, component, width);
  gap(2);
  source(ui, app, component, width);
  under_profiles(ui, app, component, width);
}

} // namespace

void formula_card(Ui& ui, const App& app, float width) {
  const Component* const component = find_selected(*app.shown, ui.view.selected);
  if (!component) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  draw->ChannelsSplit(2); // the card's ground is as tall as what stands on it
  draw->ChannelsSetCurrent(1);
  ImGui::SetCursorScreenPos({at.x + space::card, at.y + space::card});
  ImGui::PushID("card");
  ImGui::BeginGroup();
  contents(ui, app, *component, width - space::card * 2);
  ImGui::EndGroup();
  ImGui::PopID();
  const ImVec2 max{at.x + width, ImGui::GetItemRectMax().y + space::card};
  draw->ChannelsSetCurrent(0);
  draw->AddRectFilled(at, max, ui.theme.field, space::card_rounding);
  draw->ChannelsMerge();
  note_rect(ui, "card", at, max);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(max - at);
}

} // namespace plimsoll::app
