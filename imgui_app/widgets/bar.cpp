#include "widgets/bar.hpp"

#include "plimsoll/method/format.hpp"
#include "reach/describe.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr float kHatch = 8, kLeastAllowance = 3, kLeastRange = 5, kHintWidth = 250;
constexpr float kLabelEdge = 3, kBracketRoom = 7;
constexpr float kRing = 13, kRingEnd = 36; ///< how far the ring of the load line reaches from it, and from the axis

/// How far the keel's curve leaves the side of the bar at height `y`.
float keel_inset(const Bar& bar, float y) {
  const float r = bar.keel, depth = y - (bar.bottom - r);
  return depth <= 0 ? 0 : r - std::sqrt(std::max(0.0f, r * r - depth * depth));
}

void allowance_hint(Ui& ui, const MemoryRange& process, ImVec2 min, ImVec2 max) {
  begin_hint(ui, min, {max.x + 8, max.y}, kHintWidth);
  paragraph(ui, ui.fonts.body_strong, ui.theme.ink, "The process takes " + format_bytes(process.expected), kHintWidth);
  paragraph(ui, ui.fonts.label, ui.theme.dim,
            "More than what is in use at the peak: blocks are rounded up, and the allocator keeps free ones for later.", kHintWidth);
  end_hint(ui);
}

void draw_range(const Ui& ui, const Axis& axis, float x, const MemoryRange& range) {
  const float top = axis.y(range.high.value), bottom = axis.y(range.low.value);
  if (bottom - top < kLeastRange) return; // it would be a blot; the headline says it in words
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  draw->AddLine({x, top}, {x, bottom}, ui.theme.dim, 1.5f);
  for (const float y : {top, bottom}) draw->AddLine({x - 4, y}, {x + 4, y}, ui.theme.dim, 1.5f);
}

ProcessLabel process_label(const Ui& ui, const MemoryRange& process) {
  ProcessLabel label{.text = "process " + format_bytes(process.expected)};
  label.max = measure(ui.fonts.total, label.text) + ImVec2{2 * kLabelEdge, 0};
  return label;
}

void place(ProcessLabel& label, float x, float y) {
  const ImVec2 size = label.max - label.min;
  label.min = {x, y};
  label.max = label.min + size;
}

/// The top of a label that stands on what the process takes, and not in the load line: below it where the bar leaves room, else above
/// it, where the line's own words may stand.
float beside_load_line(const Ui& ui, const Bar& bar, const Axis& axis, Bytes held, const MemoryRange& process) {
  const float size = ui.fonts.total.size, top = axis.y(max(held, process.expected).value), y = top - size - 5;
  if (y - 3 >= bar.load_line || bar.load_line >= y + size + 3) return y;
  const float below = bar.load_line + 5;
  return below + size + 3 <= top ? below : bar.load_line - size - 5;
}

} // namespace

Bar bar_between(float left, float right, Bytes held, Bytes usable, const Axis& axis) {
  const float keel = std::min({space::keel, (axis.bottom - axis.y(held.value)) / 2, (right - left) / 2});
  return {.left = left, .right = right, .bottom = axis.bottom, .keel = keel, .load_line = axis.y(usable.value)};
}

void fill_segment(const Bar& bar, float top, float bottom, ImU32 colour) {
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  const float curve = bar.bottom - bar.keel;
  if (bottom <= curve) return draw->AddRectFilled({bar.left, top}, {bar.right, bottom}, colour);
  constexpr int kSteps = 12;
  std::vector<float> heights; // from top to bottom, no two alike: a polygon needs that
  if (top < curve) heights.push_back(top);
  const float begin = std::max(top, curve);
  for (int i = 0; i <= kSteps; ++i) heights.push_back(begin + (bottom - begin) * static_cast<float>(i) / kSteps);
  draw->PathClear();
  for (auto y = heights.begin(); y != heights.end(); ++y) draw->PathLineTo({bar.right - keel_inset(bar, *y), *y});
  for (auto y = heights.rbegin(); y != heights.rend(); ++y) draw->PathLineTo({bar.left + keel_inset(bar, *y), *y});
  draw->PathFillConvex(colour);
}

void fill_moment(const Ui& ui, const Bar& bar, const Axis& axis, const MomentUse& use, float strength) {
  Bytes below;
  for (std::size_t i = 0; i < kParts; ++i) {
    const Bytes above = below + use.parts[i];
    const float top = axis.y(above.value), bottom = axis.y(below.value) - (below.value > 0 ? 1.0f : 0.0f);
    const PartText& part = text_of(static_cast<Part>(i));
    const ImU32 colour = colour_of(static_cast<Part>(i));
    const ImU32 lit = ui.view.hovered == part.id ? mixed(colour, text_on(colour), 0.14f) : colour;
    if (bottom - top >= 0.5f) fill_segment(bar, top, bottom, mixed(ui.theme.ground, lit, strength));
    below = above;
  }
}

void draw_allowance(Ui& ui, const Bar& bar, const Axis& axis, Bytes held, const MemoryRange& process) {
  const ImVec2 min{bar.left, axis.y(process.expected.value)}, max{bar.right, axis.y(held.value)};
  if (max.y - min.y < kLeastAllowance) return;
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(min, max, faded(ui.theme.dim, 0.12f));
  draw->AddRect(min, max, faded(ui.theme.dim, 0.6f));
  ImGui::SetCursorScreenPos(min);
  ImGui::InvisibleButton("allowance", max - min, ImGuiButtonFlags_EnableNav);
  note_item(ui, "allowance");
  if (is_described()) describe({.role = Role::img, .name = "The process takes " + format_bytes(process.expected) + ", " + format_exact(process.expected.value, "bytes")});
  if (wants_hint(ui)) allowance_hint(ui, process, min, max);
}

void hatch_overload(const Ui& ui, const Bar& bar, float top) {
  if (top >= bar.load_line) return;
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  const ImVec2 min{bar.left, top}, max{bar.right, bar.load_line};
  draw->PushClipRect(min, max, true);
  draw->AddRectFilled(min, max, faded(ui.theme.ground, 0.55f));
  const float height = max.y - min.y;
  for (float x = min.x - height; x < max.x; x += kHatch) draw->AddLine({x, max.y}, {x + height, min.y}, ui.theme.load_line, 1.6f);
  draw->PopClipRect();
  draw->AddRect(min, max, ui.theme.load_line, 0, ImDrawFlags_None, 1.5f);
}

void clear_ground(const Ui& ui, ImVec2 min, ImVec2 max) { ImGui::GetWindowDrawList()->AddRectFilled(min, max, ui.theme.ground); }

ProcessLabel process_above(const Ui& ui, const Bar& bar, const Axis& axis, Bytes held, const MemoryRange& process) {
  ProcessLabel label = process_label(ui, process);
  const float half = (label.max.x - label.min.x) / 2, x = std::clamp(bar.centre(), axis.left + half, std::max(axis.left + half, axis.right - half));
  const float y = beside_load_line(ui, bar, axis, held, process);
  // nor over the ring at the left end of the load line
  const bool is_at_line = y - kRing < bar.load_line && bar.load_line < y + ui.fonts.total.size + kRing;
  place(label, (is_at_line ? std::max(x, axis.left + kRingEnd + half) : x) - half, y);
  label.bracket = std::min(bar.left - 12, label.min.x - kBracketRoom);
  return label;
}

ProcessLabel process_beside(const Ui& ui, const Bar& bar, const Axis& axis, Bytes held, const MemoryRange& process) {
  ProcessLabel label = process_label(ui, process);
  const float width = label.max.x - label.min.x, y = beside_load_line(ui, bar, axis, held, process);
  const bool to_the_right = bar.right + 2 * kBracketRoom + width <= axis.right;
  label.bracket = to_the_right ? bar.right + kBracketRoom : bar.left - kBracketRoom;
  place(label, to_the_right ? label.bracket + kBracketRoom : label.bracket - kBracketRoom - width, y);
  return label;
}

void draw_process(const Ui& ui, const Axis& axis, const ProcessLabel& label, const MemoryRange& process) {
  clear_ground(ui, label.min, label.max);
  draw_text(ui.fonts.total, {label.min.x + kLabelEdge, label.min.y}, ui.theme.ink, label.text);
  draw_range(ui, axis, label.bracket, process);
}

} // namespace plimsoll::app
