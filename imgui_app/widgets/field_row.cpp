#include "widgets/field_row.hpp"

#include "plimsoll/method/format.hpp"
#include "plimsoll/request/steps.hpp"
#include "reach/describe.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <string>

namespace plimsoll::app {
namespace {

constexpr float kChevron = 9, kToggle = 28, kUnitGap = 6, kHintWidth = 270, kStep = 26;

/// The box of a row and what is inside it.
struct Box {
  ImVec2 min, max;
  float middle(Type type) const { return (min.y + max.y - type.size) / 2; }
};

bool is_bad(const FieldRow& row) {
  return std::any_of(row.issues.begin(), row.issues.end(), [](const Issue* i) { return i->severity == Severity::error; });
}

bool is_on(const FieldRow& row) { return row.shown == "true"; }

/// Between the label and its value, where the mark of a change stands.
float room_between(const FieldRow& row) { return row.state.changed ? 30.0f : 14.0f; }

/// "GPU" beside 1. Nothing beside a number that is so long that the label would give way to its unit, which the hint says too.
std::string unit_of(const Ui& ui, const FieldRow& row, const Box& box) {
  const Field& field = *row.state.field;
  const bool says_unit = field.unit == "bytes" && row.shown != "0";
  if (!row.options.empty() || field.unit.empty() || says_unit) return {};
  std::string unit = row.shown == "1" ? unit_for(1, field.unit) : std::string(field.unit);
  const float needed = measure(ui.fonts.body, label_of(field)).x + room_between(row) + measure(ui.fonts.body_strong, row.shown).x + kUnitGap + measure(ui.fonts.label, unit).x;
  return needed <= box.max.x - box.min.x - 2 * space::row_padding ? unit : std::string{};
}

/// Numbers have signs for the next value in place of their unit while they are edited.
bool has_steps(const Ui& ui, const FieldRow& row) { return row.state.field->kind == FieldKind::integer && ui.view.editing == row.state.field->name; }

/// Where the value ends: before the unit, the signs or the chevron.
float value_end(const Ui& ui, const FieldRow& row, const Box& box) {
  const float end = box.max.x - space::row_padding;
  if (has_steps(ui, row)) return box.max.x - 2 * kStep - 2;
  if (!row.options.empty()) return end - kChevron - kUnitGap;
  const std::string unit = unit_of(ui, row, box);
  return unit.empty() ? end : end - measure(ui.fonts.label, unit).x - kUnitGap;
}

/// The arrow that leads back to the preset; a dot while nobody looks at it.
void reset_button(Ui& ui, const FieldRow& row, const Box& box, float x, bool looked_at) {
  const std::string name(row.state.field->name);
  const ImVec2 centre{x + 9, (box.min.y + box.max.y) / 2};
  ImGui::SetCursorScreenPos({x - 2, box.min.y});
  ImGui::PushID(name.c_str());
  if (ImGui::InvisibleButton("reset", {22, box.max.y - box.min.y}, ImGuiButtonFlags_EnableNav)) ui.actions.reset.push_back(name);
  ImGui::PopID();
  note_item(ui, "reset." + name);
  if (is_described()) describe({.name = "Reset " + std::string(label_of(*row.state.field))});
  const bool hot = ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible);
  if (hot) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    begin_hint(ui, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), 200);
    paragraph(ui, ui.fonts.label, ui.theme.ink, "Back to " + (row.state.default_text.empty() ? "the default" : row.state.default_text), 200);
    end_hint(ui);
  }
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  if (!hot && !looked_at) return draw->AddCircleFilled({x + 4, centre.y}, 2.5f, ui.theme.accent, 16);
  const ImU32 colour = hot ? ui.theme.ink : ui.theme.accent;
  draw->PathArcTo(centre, 4.5f, -2.4f, 2.6f, 20);
  draw->PathStroke(colour, ImDrawFlags_None, 1.5f);
  draw->AddTriangleFilled(centre + ImVec2{-6.5f, -5.5f}, centre + ImVec2{-6, 0.5f}, centre + ImVec2{-0.5f, -2.5f}, colour);
}

void toggle(const Ui& ui, const Box& box, bool on) {
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  const ImVec2 max{box.max.x - space::row_padding, (box.min.y + box.max.y) / 2 + 8}, min{max.x - kToggle, max.y - 16};
  draw->AddRectFilled(min, max, on ? ui.theme.accent : mixed(ui.theme.line, ui.theme.dim, 0.35f), 8);
  draw->AddCircleFilled({on ? max.x - 8 : min.x + 8, (min.y + max.y) / 2}, 6, on ? text_on(ui.theme.accent) : ui.theme.panel, 24);
}

/// Gives the next item the keyboard, if it was asked for.
void take_focus(Ui& ui, std::string_view name) {
  if (ui.view.focus_field != name) return;
  ui.view.focus_field.clear();
  ImGui::SetWindowFocus(); // or ImGui would go on minding the item in another column that led here
  ImGui::SetKeyboardFocusHere();
}

/// Whether the row is a text box; the others are pressed.
bool is_typed(const Field& field) { return field.kind == FieldKind::integer || field.kind == FieldKind::text; }

/// What a screen reader says of the row.
void describe_row(const FieldRow& row, bool open) {
  if (!is_described()) return;
  const Field& field = *row.state.field;
  Words words{.name = std::string(label_of(field)), .invalid = is_bad(row)};
  for (const std::string_view part : {field.unit, help_of(field)})
    if (!part.empty()) words.about += (words.about.empty() ? "" : ". ") + std::string(part);
  for (const Issue* const issue : row.issues) words.about += " " + issue->message + " " + issue->remedy;
  if (field.kind == FieldKind::flag) {
    words.role = Role::checkbox;
    words.checked = state_of(is_on(row));
  } else if (is_typed(field)) {
    words.role = Role::textbox;
    words.value = row.state.text;
    words.number = field.kind == FieldKind::integer;
  } else {
    words.role = Role::combobox;
    words.value = std::string(row.shown);
    words.expanded = state_of(open);
  }
  describe(std::move(words));
}

/// The arrow keys, while a number is typed, go to the values that come next.
int turn(ImGuiInputTextCallbackData* data) {
  const Field& field = **static_cast<const Field* const*>(data->UserData);
  const io::Step step = data->EventKey == ImGuiKey_UpArrow ? io::Step::up : io::Step::down;
  if (const auto next = io::next_value(field, {data->Buf, static_cast<std::size_t>(data->BufTextLen)}, step)) {
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, next->c_str());
  }
  return 0;
}

/// A sign that is pressed for the next value, after which the row is edited further; keyboards have the arrow keys. The press counts as it
/// begins: by its end the row is no longer edited.
void step_button(Ui& ui, const FieldRow& row, ImVec2 min, float height, io::Step step) {
  const std::string name = (step == io::Step::up ? "more." : "less.") + std::string(row.state.field->name);
  const auto next = io::next_value(*row.state.field, row.state.text, step);
  ImGui::SetCursorScreenPos(min);
  ImGui::InvisibleButton(name.c_str(), {kStep, height});
  if (ImGui::IsItemClicked()) {
    if (next) ui.actions.set.emplace_back(row.state.field->name, *next);
    ui.view.focus_field = row.state.field->name;
  }
  note_rect(ui, name, min, min + ImVec2{kStep, height});
  const bool hot = ImGui::IsItemHovered() && next;
  if (hot) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const ImVec2 centre{min.x + kStep / 2, min.y + height / 2};
  const ImU32 colour = hot ? ui.theme.ink : next ? ui.theme.accent : faded(ui.theme.dim, 0.5f);
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(centre - ImVec2{4.5f, 0.75f}, centre + ImVec2{4.5f, 0.75f}, colour);
  if (step == io::Step::up) draw->AddRectFilled(centre - ImVec2{0.75f, 4.5f}, centre + ImVec2{0.75f, 4.5f}, colour);
}

/// A text box that takes anything. It covers the row while it is idle, so that a press anywhere edits; while it is edited it
/// hugs the text, so that the text stays right-aligned.
bool input_box(Ui& ui, const FieldRow& row, const Box& box, float end) {
  const std::string name(row.state.field->name);
  const bool was_editing = ui.view.editing == name;
  std::string text = row.state.text;
  const Type type = ui.fonts.body_strong;
  const float width = was_editing ? std::min(measure(type, text).x + 10, end - box.min.x - 8) : box.max.x - box.min.x - 30;
  ImGui::SetCursorScreenPos({was_editing ? end - width + 4 : box.min.x, box.min.y});
  ImGui::SetNextItemWidth(was_editing ? width : box.max.x - box.min.x);
  take_focus(ui, name);
  ImGui::PushFont(type.font, type.size);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2{4, (box.max.y - box.min.y - type.size) / 2});
  ImGui::PushStyleColor(ImGuiCol_Text, was_editing ? ui.theme.ink : faded(ui.theme.ink, 0));
  const bool is_number = row.state.field->kind == FieldKind::integer;
  const auto flags = ImGuiInputTextFlags_AutoSelectAll | (is_number ? ImGuiInputTextFlags_NoHorizontalScroll | ImGuiInputTextFlags_CallbackHistory : ImGuiInputTextFlags_None);
  const Field* field = row.state.field;
  if (ImGui::InputText(("##" + name).c_str(), &text, flags, is_number ? turn : nullptr, &field)) ui.actions.set.emplace_back(name, text);
  describe_row(row, false);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ImGui::PopFont();
  const bool active = ImGui::IsItemActive();
  if (active) {
    ui.view.editing = name;
    ui.view.editing_number = is_number;
  } else if (was_editing) {
    ui.view.editing.clear();
  }
  // an empty box says nothing, so leaving it empty means: as the preset has it
  if (ImGui::IsItemDeactivated() && text.empty()) ui.actions.reset.push_back(name);
  return active;
}

/// The row as a button: opens its list, or switches.
void pressable_row(Ui& ui, const FieldRow& row, const Box& box) {
  const std::string name(row.state.field->name), list = "list." + name;
  ImGui::SetCursorScreenPos(box.min);
  take_focus(ui, name);
  ImGui::SetNextItemAllowOverlap();
  const bool pressed = ImGui::InvisibleButton(("##" + name).c_str(), box.max - box.min, ImGuiButtonFlags_EnableNav);
  describe_row(row, ImGui::IsPopupOpen(list.c_str()));
  if (!pressed) return;
  if (row.state.field->kind == FieldKind::flag)
    ui.actions.set.emplace_back(name, is_on(row) ? "false" : "true");
  else
    open_picker(ui, list, row.options, row.state.text);
}

void hint(Ui& ui, const FieldRow& row, const Box& box) {
  const Field& field = *row.state.field;
  begin_hint(ui, box.min, box.max, kHintWidth);
  paragraph(ui, ui.fonts.body_strong, ui.theme.ink, label_of(field), kHintWidth);
  gap(2);
  paragraph(ui, ui.fonts.label, ui.theme.ink, help_of(field), kHintWidth);
  if (field.kind == FieldKind::integer) {
    gap(4);
    const std::string range = field.decimals > 0 ? text_of(field, field.min) + " to " + text_of(field, field.max) : format_count(Count{field.min}) + " to " + format_exact(field.max, field.unit);
    paragraph(ui, ui.fonts.label, ui.theme.dim, range + ". While typing, the arrow keys go to the next value.", kHintWidth);
  }
  if (const Choice* const choice = find_choice(field, row.state.text); choice && !help_of(*choice).empty()) {
    gap(4);
    const std::array<Run, 2> runs{{{label_of(*choice), ui.fonts.label_strong, ui.theme.dim}, {"  ", ui.fonts.label, ui.theme.dim}}};
    paragraph(ui, "", runs, kHintWidth);
    paragraph(ui, ui.fonts.label, ui.theme.dim, help_of(*choice), kHintWidth);
  }
  end_hint(ui);
}

void outline(const Ui& ui, const FieldRow& row, const Box& box, bool active) {
  const bool traced = ui.view.highlighted_field == row.state.field->name;
  const ImU32 colour = is_bad(row) ? ui.theme.load_line : ui.theme.accent;
  if (active || traced || is_bad(row))
    ImGui::GetWindowDrawList()->AddRect(box.min, box.max, colour, space::row_rounding, ImDrawFlags_None, 1.5f);
}

/// Label, mark, value and unit.
void contents(Ui& ui, const FieldRow& row, const Box& box, float end, bool stepping, bool editing, bool looked_at) {
  const Field& field = *row.state.field;
  const float label_x = box.min.x + space::row_padding, between = room_between(row);
  // a value may take half the row before it is cut, a number more: its end says how large it is; then the label is cut, which the hint says in full
  const float most = (end - label_x) * (field.kind == FieldKind::integer ? 0.7f : 0.5f);
  const float value = field.kind == FieldKind::flag ? kToggle : std::min(measure(ui.fonts.body_strong, row.shown).x, most);
  const std::string label = elided(ui.fonts.body, label_of(field), end - value - between - label_x);
  const float label_end = label_x + measure(ui.fonts.body, label).x;
  draw_text(ui.fonts.body, {label_x, box.middle(ui.fonts.body)}, ui.theme.dim, label);
  if (field.kind == FieldKind::flag) {
    toggle(ui, box, is_on(row));
  } else if (!editing) {
    const float room = end - label_end - between;
    const Type type = measure(ui.fonts.body_strong, row.shown).x <= room ? ui.fonts.body_strong : ui.fonts.label_strong; // smaller before it is cut
    const bool is_unset = field.kind == FieldKind::integer && row.shown == "0" && !row.state.changed; // nothing was asked of it
    draw_text_right(type, {end, box.middle(type)}, is_bad(row) ? ui.theme.load_line : is_unset ? ui.theme.dim : ui.theme.ink, elided(type, row.shown, room));
  }
  if (!row.options.empty())
    draw_chevron({box.max.x - space::row_padding - kChevron / 2, (box.min.y + box.max.y) / 2}, kChevron, ImGuiDir_Down, ui.theme.dim);
  else if (field.kind != FieldKind::flag && !stepping)
    draw_text_right(ui.fonts.label, {box.max.x - space::row_padding, box.middle(ui.fonts.label) + 0.5f}, ui.theme.dim, unit_of(ui, row, box));
  if (row.state.changed) reset_button(ui, row, box, label_end + 6, looked_at);
}

} // namespace

void issue_text(Ui& ui, const Issue& issue, float width) {
  const ImU32 colour = issue.severity == Severity::error     ? ui.theme.load_line
                       : issue.severity == Severity::warning ? ui.theme.warning
                                                             : ui.theme.dim;
  const std::array<Run, 3> runs{{{issue.message, ui.fonts.label, colour},
                                 {" ", ui.fonts.label, colour},
                                 {issue.remedy, ui.fonts.label, ui.theme.dim}}};
  paragraph(ui, "", runs, width);
}

void field_row(Ui& ui, const FieldRow& row, float width) {
  const std::string name(row.state.field->name);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Box box{at, at + ImVec2{width, space::row}};
  const bool looked_at = ImGui::IsMouseHoveringRect(box.min, box.max) && ImGui::IsWindowHovered();
  ImGui::GetWindowDrawList()->AddRectFilled(box.min, box.max, looked_at ? ui.theme.hover : ui.theme.field, space::row_rounding);
  if (ui.view.focus_field == name) ImGui::SetScrollFromPosY(box.min.y - ImGui::GetWindowPos().y);

  bool editing = false;
  const bool stepping = has_steps(ui, row); // before this frame's press may end it
  const float end = value_end(ui, row, box);
  const bool typed = is_typed(*row.state.field);
  if (typed) {
    ImGui::SetNextItemAllowOverlap();
    editing = input_box(ui, row, box, end);
  } else {
    pressable_row(ui, row, box);
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  if (wants_hint(ui) && !editing) hint(ui, row, box);
  note_rect(ui, "field." + name, box.min, box.max);
  contents(ui, row, box, end, stepping, editing, looked_at);
  if (stepping) {
    step_button(ui, row, {end, box.min.y}, space::row, io::Step::down);
    step_button(ui, row, {end + kStep, box.min.y}, space::row, io::Step::up);
  }
  outline(ui, row, box, editing);
  if (!typed && !row.options.empty())
    if (const auto chosen = picker(ui, "list." + name, row.options, row.state.text, box.min, box.max))
      ui.actions.set.emplace_back(name, *chosen);

  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, space::row});
  for (const Issue* issue : row.issues) {
    gap(4);
    ImGui::Indent(2);
    issue_text(ui, *issue, width - 4);
    ImGui::Unindent(2);
  }
  std::size_t index = 0;
  for (const io::InputChange* remedy : row.remedies) {
    ImGui::Indent(2);
    if (link(ui, "remedy." + name + "." + std::to_string(index++), "Use " + remedy->text, ui.fonts.label_strong))
      for (const io::Entry& entry : remedy->entries) ui.actions.set.emplace_back(entry.name, entry.text);
    ImGui::Unindent(2);
  }
  gap(row.issues.empty() ? space::row_gap : space::row_gap + 4);
}

} // namespace plimsoll::app
