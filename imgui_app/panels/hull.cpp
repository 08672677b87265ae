#include "panels/hull.hpp"

#include "reach/describe.hpp"
#include "widgets/amount_row.hpp"
#include "widgets/axis.hpp"
#include "widgets/bar.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr float kAxisWidth = 44, kCaption = 30, kSegmentGap = 1.5f, kNarrow = 480;

/// One category of the bar, in pixels; `top` < `bottom`.
struct Segment {
  const Component* component = nullptr;
  ImU32 colour = 0;
  float top = 0, bottom = 0;
};

using Segments = std::vector<Segment>;

Segments segments_of(const Ui& ui, const Component& memory, const Axis& axis) {
  Segments segments;
  std::int64_t below = 0;
  for (const Component& part : memory.parts) {
    const std::int64_t above = (Bytes{below} + Bytes{part.amount}).value;
    segments.push_back({&part, colour_of(part.id, ui.theme.dim), axis.y(above), axis.y(below)});
    below = above;
  }
  return segments;
}

const PartText* text_of_id(std::string_view id) {
  for (std::size_t i = 0; i < kParts; ++i)
    if (text_of(static_cast<Part>(i)).id == id) return &text_of(static_cast<Part>(i));
  return nullptr;
}

void segment_hint(Ui& ui, const Component& component, ImVec2 min, ImVec2 max) {
  constexpr float kWidth = 230;
  begin_hint(ui, min, {max.x + 8, max.y}, kWidth);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_text(ui.fonts.body_strong, at, ui.theme.ink, component.label);
  draw_text_right(ui.fonts.body_strong, {at.x + kWidth, at.y}, ui.theme.ink, format_bytes(Bytes{component.amount}));
  gap(ui.fonts.body_strong.size + 4);
  if (const PartText* const text = text_of_id(component.id)) paragraph(ui, ui.fonts.label, ui.theme.dim, text->about, kWidth);
  gap(2);
  paragraph(ui, ui.fonts.label, ui.theme.dim, format_exact(component.amount, component.unit), kWidth);
  end_hint(ui);
}

void press_segment(Ui& ui, const Bar& bar, const Segment& segment) {
  const std::string& id = segment.component->id;
  const ImVec2 min{bar.left, segment.top}, max{bar.right, std::max(segment.bottom, segment.top + 3)};
  ImGui::SetCursorScreenPos(min);
  if (ImGui::InvisibleButton(("segment." + id).c_str(), max - min, ImGuiButtonFlags_EnableNav)) ui.view.selected = id;
  note_rect(ui, "segment." + id, min, max);
  if (is_described()) describe({.name = in_words(*segment.component), .group = "The bar"});
  if (ImGui::IsItemHovered()) {
    ui.view.hovering = id;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  if (wants_hint(ui)) segment_hint(ui, *segment.component, min, max);
}

void draw_segment(Ui& ui, const Bar& bar, const Segment& segment) {
  const bool hot = ui.view.hovered == segment.component->id;
  const float seam = segment.bottom < bar.bottom ? std::min(kSegmentGap, (segment.bottom - segment.top) * 0.35f) : 0;
  const float bottom = segment.bottom - seam;
  if (bottom - segment.top < 0.5f) return;
  const ImU32 colour = hot ? mixed(segment.colour, text_on(segment.colour), 0.14f) : segment.colour;
  fill_segment(bar, segment.top, bottom, colour);
}

/// The amount inside the segment, where it has room and the hatching leaves it readable.
bool has_inner_label(const Ui& ui, const Bar& bar, const Segment& segment) {
  return segment.bottom - segment.top >= ui.fonts.label_strong.size + 4 && segment.top >= bar.load_line - 0.5f;
}

/// Names beside the bar, tied to their segments by a thin line; they give way to each other and to the load line.
void draw_callouts(const Ui& ui, const Bar& bar, const Segments& segments, const Axis& axis, float x, float capacity_left) {
  const Type type = ui.fonts.label;
  const float distance = type.size + 3;
  float next = axis.bottom - type.size / 2 + 2; // lowest centre that is still free
  for (const Segment& segment : segments) {
    const float anchor = (segment.top + segment.bottom) / 2;
    float y = std::min(anchor, next);
    const std::string_view name = segment.component->label;
    const std::string amount = has_inner_label(ui, bar, segment) ? "" : format_bytes(Bytes{segment.component->amount});
    const float amount_x = x + measure(type, name).x + 8, end = amount_x + measure(ui.fonts.label_strong, amount).x;
    const float above = end > capacity_left - 8 ? distance * 1.5f + 6 : distance / 2 + 3;
    if (y > bar.load_line - above && y < bar.load_line + distance / 2 + 3) y = bar.load_line - above;
    next = y - distance;
    const bool hot = ui.view.hovered == segment.component->id || ui.view.selected == segment.component->id;
    ImDrawList* const draw = ImGui::GetWindowDrawList();
    const ImU32 thread = faded(ui.theme.dim, hot ? 0.9f : 0.45f);
    const ImVec2 points[3] = {{bar.right + 4, anchor}, {x - 14, y}, {x - 4, y}};
    draw->AddPolyline(points, 3, thread, ImDrawFlags_None, 1);
    clear_ground(ui, {x - 3, y - type.size / 2}, {x + measure(type, name).x + 3, y + type.size / 2});
    draw_text(type, {x, y - type.size / 2}, hot ? ui.theme.ink : ui.theme.dim, name);
    if (amount.empty() || end > axis.right + 2) continue;
    clear_ground(ui, {amount_x - 8, y - type.size / 2}, {end + 3, y + type.size / 2});
    draw_text(ui.fonts.label_strong, {amount_x, y - type.size / 2}, ui.theme.ink, amount);
  }
}

std::string caption(const Estimate& estimate) {
  return estimate.gpus == Count{1} ? "1 GPU" : "each of " + format_count(estimate.gpus) + " GPUs";
}

} // namespace

void hull_panel(Ui& ui, const Shown& shown, float width, float height) {
  const io::Answer& answer = shown.answer;
  const MomentUse& peak = answer.estimate.at_peak();
  const MemoryRange& process = answer.footprint->process;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Axis axis = axis_for(max(max(peak.total, process.high), answer.estimate.usable), {at.x + kAxisWidth, at.y + 16},
                             {at.x + width - 2, at.y + height - kCaption});
  const float bar_width = std::clamp(width * 0.29f - (width < kNarrow ? 20.0f : 0.0f), 84.0f, 210.0f);
  const float bar_left = axis.left + std::max(48.0f, (width - kAxisWidth) * 0.34f - bar_width / 2);
  const Bar bar = bar_between(bar_left, bar_left + bar_width, peak.total, answer.estimate.usable, axis);
  const Segments segments = segments_of(ui, shown.explanation.memory, axis);

  draw_gridlines(ui, axis, 56);
  for (const Segment& segment : segments) draw_segment(ui, bar, segment);
  draw_allowance(ui, bar, axis, peak.total, process);
  hatch_overload(ui, bar, axis.y(max(peak.total, process.expected).value));
  draw_load_line(ui, axis, answer.estimate.usable, true);
  for (const Segment& segment : segments) {
    press_segment(ui, bar, segment);
    if (!has_inner_label(ui, bar, segment)) continue;
    draw_text_centred(ui.fonts.label_strong, {bar.centre(), (segment.top + segment.bottom - ui.fonts.label_strong.size) / 2},
                      text_on(segment.colour), format_bytes(Bytes{segment.component->amount}));
  }
  const CapacityLabel capacity = capacity_label(ui, axis, bar.right, answer.scenario.hardware);
  draw_callouts(ui, bar, segments, axis, bar.right + (width < kNarrow ? 24.0f : 36.0f), capacity.min.x);
  draw_process(ui, axis, process_above(ui, bar, axis, peak.total, process), process);
  draw_capacity_label(ui, capacity, answer.scenario.hardware);
  draw_text_centred(ui.fonts.label, {bar.centre(), axis.bottom + 9}, ui.theme.dim, caption(answer.estimate));

  note_rect(ui, "hull", at, {at.x + width, at.y + height});
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height});
}

} // namespace plimsoll::app
