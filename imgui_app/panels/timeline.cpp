#include "panels/timeline.hpp"

#include "reach/describe.hpp"
#include "widgets/axis.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr float kAxisWidth = 44, kNameGap = 6, kWidestColumn = 92, kNarrowestName = 72;
constexpr std::size_t kMostLines = 3;

struct Column {
  const MomentUse* use = nullptr;
  float left = 0, right = 0; ///< of the space it may use; the column itself is narrower
  float width = 0;
  float centre() const { return (left + right) / 2; }
};

bool is_looked_at(const Ui& ui, const Estimate& estimate, const MomentUse& use) {
  return use.moment == ui.view.moment.value_or(estimate.at_peak().moment);
}

/// Where columns are too narrow for their names, only the one that is looked at has its name.
void draw_only_name(const Ui& ui, const Axis& axis, const Column& column, std::string_view name) {
  const float half = measure(ui.fonts.label, name).x / 2;
  const float x = std::clamp(column.centre(), axis.left + half, std::max(axis.left + half, axis.right - half));
  draw_text_centred(ui.fonts.label, {x, axis.bottom + 6}, ui.theme.ink, name);
}

/// A name in as few lines as its column allows, three at most; what has no room on the last is cut there.
std::vector<std::string_view> lines_of(Type type, std::string_view name, float room) {
  std::vector<std::string_view> lines;
  while (!name.empty() && lines.size() + 1 < kMostLines) {
    std::size_t cut = name.size();
    while (cut != std::string_view::npos && cut > 0 && measure(type, name.substr(0, cut)).x > room) cut = name.rfind(' ', cut - 1);
    if (cut == std::string_view::npos || cut == 0) cut = std::min(name.find(' '), name.size());
    lines.push_back(name.substr(0, cut));
    name.remove_prefix(std::min(cut + 1, name.size()));
  }
  if (!name.empty()) lines.push_back(name);
  return lines;
}

void draw_name(const Ui& ui, const Column& column, float y, std::string_view name, ImU32 colour) {
  const Type type = ui.fonts.label;
  const float room = column.right - column.left - kNameGap;
  for (const std::string_view line : lines_of(type, name, room)) {
    draw_text_centred(type, {column.centre(), y}, colour, elided(type, line, room));
    y += type.size;
  }
}

/// Room below the axis: for the lines of the longest name, or for one name alone.
float room_for_names(const Ui& ui, const Estimate& estimate, float step) {
  std::size_t most = 1;
  for (std::size_t i = 0; step >= kNarrowestName && i < estimate.moments.size(); ++i)
    most = std::max(most, lines_of(ui.fonts.label, text_of(estimate.moments[i].moment).label, step - kNameGap).size());
  return 10 + ui.fonts.label.size * static_cast<float>(std::max<std::size_t>(most, 2));
}

/// What the categories up to `count` hold together.
Bytes held(const MomentUse& use, std::size_t count) {
  Bytes sum;
  for (std::size_t i = 0; i < count; ++i) sum += use.parts[i];
  return sum;
}

/// From one moment to the next: between them nobody counts, so that straight lines join what is known.
void draw_between(const Ui& ui, const Axis& axis, const MomentUse& from, const MomentUse& to, float left, float right) {
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  const ImDrawListFlags smooth = draw->Flags;
  draw->Flags &= ~ImDrawListFlags_AntiAliasedFill; // its soft edges would leave seams between neighbours
  for (std::size_t i = 0; i < kParts; ++i) {
    if (from.parts[i] == Bytes{0} && to.parts[i] == Bytes{0}) continue;
    const bool hot = ui.view.hovered == text_of(static_cast<Part>(i)).id;
    const ImU32 colour = mixed(ui.theme.ground, colour_of(static_cast<Part>(i)), hot ? 0.95f : 0.72f);
    const float below_left = axis.y(held(from, i).value), above_left = axis.y(held(from, i + 1).value);
    const float below_right = axis.y(held(to, i).value), above_right = axis.y(held(to, i + 1).value);
    draw->AddTriangleFilled({left, below_left}, {left, above_left}, {right, above_right}, colour);
    draw->AddTriangleFilled({left, below_left}, {right, above_right}, {right, below_right}, colour);
  }
  draw->Flags = smooth;
  draw->AddLine({left, axis.y(from.total.value)}, {right, axis.y(to.total.value)}, faded(ui.theme.ink, 0.55f), 1.5f);
}

/// The moment itself: a line over its height, strong where it is looked at.
void draw_moment(const Ui& ui, const Axis& axis, const Column& column, bool looked_at) {
  const float x = column.centre(), top = axis.y(column.use->total.value), half = looked_at ? 1.0f : 0.5f;
  ImGui::GetWindowDrawList()->AddRectFilled({x - half, top}, {x + half, axis.bottom}, looked_at ? ui.theme.accent : faded(ui.theme.ground, 0.6f));
}

void hint(Ui& ui, const MomentUse& use, ImVec2 min, ImVec2 max) {
  constexpr float kWidth = 240;
  const MomentText& text = text_of(use.moment);
  begin_hint(ui, min, max, kWidth);
  paragraph(ui, ui.fonts.body_strong, ui.theme.ink, text.label, kWidth);
  paragraph(ui, ui.fonts.label, ui.theme.dim, text.about, kWidth);
  end_hint(ui);
}

/// The category whose share of the moment is drawn at that height; empty where there is none.
std::string_view category_at(const Axis& axis, const MomentUse& use, float y) {
  for (std::size_t i = 0; i < kParts; ++i)
    if (axis.y(held(use, i + 1).value) <= y && y < axis.y(held(use, i).value)) return text_of(static_cast<Part>(i)).id;
  return {};
}

/// Pressed, the moment is looked at; a pointer also says of which category the formula is wanted.
void press_column(Ui& ui, const Axis& axis, const Column& column, float names, bool looked_at) {
  const std::string name = "moment." + std::string(text_of(column.use->moment).id);
  const ImVec2 min{column.left, axis.top}, max{column.right, axis.bottom + names};
  ImGui::SetCursorScreenPos(min);
  const bool pressed = ImGui::InvisibleButton(name.c_str(), max - min, ImGuiButtonFlags_EnableNav);
  note_item(ui, name);
  const std::string_view category = ImGui::IsItemHovered() ? category_at(axis, *column.use, ImGui::GetMousePos().y) : std::string_view{};
  if (!category.empty()) ui.view.hovering = category;
  if (pressed) ui.actions.look_at = column.use->moment;
  if (pressed && ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !category.empty()) ui.view.selected = category;
  if (is_described()) {
    const MomentText& text = text_of(column.use->moment);
    const std::string amount = format_bytes(column.use->total) + ", " + format_exact(column.use->total.value, "bytes");
    describe({.role = Role::radio, .name = std::string(text.label) + ": " + amount, .about = std::string(text.about), .group = "Moments", .checked = state_of(looked_at)});
  }
  if (ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    ImGui::GetWindowDrawList()->AddRectFilled(min, max, faded(ui.theme.ink, 0.07f), space::row_rounding);
  }
  if (wants_hint(ui)) hint(ui, *column.use, {column.centre() - column.width / 2, axis.top}, {column.centre() + column.width / 2, axis.top + 20});
}

} // namespace

void timeline_panel(Ui& ui, const Shown& shown, float width, float height) {
  const Estimate& estimate = shown.looked_at();
  const bool has_ranks = shown.answer.estimate.ranks.size() > 1;
  heading(ui, "Moments of one step" + (has_ranks ? " on " + format_rank(shown.answer.estimate, estimate.rank) : ""));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float step = (width - 2 - kAxisWidth) / static_cast<float>(estimate.moments.size()), names = room_for_names(ui, estimate, step);
  const Axis axis = axis_for(max(shown.answer.estimate.at_peak().total, estimate.usable), {at.x + kAxisWidth, at.y + 4},
                             {at.x + width - 2, at.y + height - names});
  draw_gridlines(ui, axis, 44);
  for (std::size_t i = 0; i <= estimate.moments.size(); ++i) { // before the first and after the last it is as it is there
    const float middle = axis.left + step * (static_cast<float>(i) - 0.5f);
    const MomentUse& from = estimate.moments[i == 0 ? 0 : i - 1];
    const MomentUse& to = estimate.moments[i == estimate.moments.size() ? i - 1 : i];
    draw_between(ui, axis, from, to, std::max(axis.left, middle), std::min(axis.right, middle + step));
  }
  for (std::size_t i = 0; i < estimate.moments.size(); ++i) {
    const MomentUse& use = estimate.moments[i];
    const float left = axis.left + step * static_cast<float>(i);
    const Column column{&use, left, left + step, std::min(kWidestColumn, step * 0.62f)};
    const bool looked_at = is_looked_at(ui, estimate, use), is_peak = i == estimate.peak;
    press_column(ui, axis, column, names, looked_at);
    draw_moment(ui, axis, column, looked_at);
    const Type type = ui.fonts.label_strong;
    const float above = axis.y(use.total.value) - type.size - 3, load_line = axis.y(estimate.usable.value);
    const bool crossed = above - 2 < load_line && load_line < above + type.size + 2;
    const float y = crossed ? load_line - type.size - 3 : above;
    const float beside = measure(type, format_gigabytes(use.total, 1)).x / 2 + 4;
    ImGui::GetWindowDrawList()->AddRectFilled({column.centre() - beside, y - 1}, {column.centre() + beside, y + type.size}, faded(ui.theme.ground, 0.7f), 3);
    draw_text_centred(type, {column.centre(), y}, looked_at || is_peak ? ui.theme.ink : ui.theme.dim, format_gigabytes(use.total, 1));
    if (is_peak) {
      const float half = measure(type, format_gigabytes(use.total, 1)).x / 2;
      ImGui::GetWindowDrawList()->AddCircleFilled({column.centre() - half - 8, y + type.size / 2}, 3.5f, ui.theme.ink, 20);
    }
    if (step >= kNarrowestName)
      draw_name(ui, column, axis.bottom + 6, text_of(use.moment).label, looked_at ? ui.theme.ink : ui.theme.dim);
    else if (looked_at)
      draw_only_name(ui, axis, column, text_of(use.moment).label);
    if (looked_at)
      ImGui::GetWindowDrawList()->AddRectFilled({column.centre() - column.width / 2, axis.bottom + 1},
                                                {column.centre() + column.width / 2, axis.bottom + 3}, ui.theme.accent);
  }
  draw_load_line(ui, axis, estimate.usable, false);
  note_rect(ui, "timeline", at, {at.x + width, at.y + height});
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height});
}

} // namespace plimsoll::app
