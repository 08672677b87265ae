#include "widgets/axis.hpp"

#include "plimsoll/method/format.hpp"
#include "reach/describe.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace plimsoll::app {
namespace {

constexpr double kAir = 1.14; ///< room above the largest amount, for its label

/// The smallest of 1, 2, 5, 10, 20, 50 ... GiB whose gridlines are not closer than `least_distance`.
std::int64_t step_gib(const Axis& axis, float least_distance) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max() / 100;
  for (std::int64_t decade = 1; decade < kLargest; decade *= 10)
    for (const std::int64_t digit : {1, 2, 5})
      if (axis.bottom - axis.y(gigabytes(digit * decade).value) >= least_distance) return digit * decade;
  return kLargest;
}

} // namespace

Axis axis_for(Bytes largest, ImVec2 min, ImVec2 max) {
  const double top = std::fmin(static_cast<double>(largest.value) * kAir, 9.2e18);
  return {min.x, max.x, min.y, max.y, top < 1 ? 1 : static_cast<std::int64_t>(top)};
}

void draw_gridlines(const Ui& ui, const Axis& axis, float least_distance) {
  const Bytes step = gigabytes(step_gib(axis, least_distance));
  if (step.value <= 0 || step.saturated()) return;
  float y = axis.bottom;
  for (Bytes at; at.value <= axis.top_bytes && !at.saturated(); at += step) {
    y = std::floor(axis.y(at.value));
    ImGui::GetWindowDrawList()->AddRectFilled({axis.left, y}, {axis.right, y + 1}, ui.theme.line);
    draw_text_right(ui.fonts.label, {axis.left - 8, y - ui.fonts.label.size / 2}, ui.theme.dim, format_gigabytes(at, 0));
  }
  draw_text_right(ui.fonts.label, {axis.left - 8, y - ui.fonts.label.size * 1.6f}, faded(ui.theme.dim, 0.7f), gigabyte_name());
}

void draw_load_line(const Ui& ui, const Axis& axis, Bytes usable, bool with_ring) {
  const float y = axis.y(usable.value), half = with_ring ? 1.25f : 1.0f;
  ImGui::GetWindowDrawList()->AddRectFilled({axis.left, y - half}, {axis.right, y + half}, ui.theme.load_line);
  if (with_ring) draw_ring({axis.left + 18, y}, 10, 16, 2.5f, ui.theme.load_line);
}

CapacityLabel capacity_label(const Ui& ui, const Axis& axis, float left, const Hardware& device) {
  const Bytes usable{device.usable_bytes};
  std::string text = "usable " + format_bytes(usable);
  const std::string box = " (labelled " + format_count(Count{device.label_gb}) + " GB)";
  const Type type = ui.fonts.label_strong;
  if (device.label_gb > 0 && measure(type, text + box).x < axis.right - left - 10) text += box;
  const ImVec2 size = measure(type, text), at{axis.right - 2 - size.x, axis.y(usable.value) - size.y - 4};
  return {std::move(text), at, at + size};
}

void draw_capacity_label(Ui& ui, const CapacityLabel& label, const Hardware& device) {
  draw_text(ui.fonts.label_strong, label.min, ui.theme.load_line, label.text);
  ImGui::SetCursorScreenPos(label.min);
  ImGui::InvisibleButton("load_line", label.max - label.min + ImVec2{0, 6}, ImGuiButtonFlags_EnableNav);
  note_item(ui, "load_line");
  if (is_described()) describe({.role = Role::img, .name = "Load line: " + label.text, .about = device.usable_basis});
  if (wants_hint(ui) && !device.usable_basis.empty()) {
    begin_hint(ui, label.min, label.max, 260);
    paragraph(ui, ui.fonts.label, ui.theme.ink, device.usable_basis, 260);
    end_hint(ui);
  }
}

} // namespace plimsoll::app
