#include "panels/scatter.hpp"

#include "plimsoll/format.hpp"
#include "reach/describe.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plimsoll::app {
namespace {

constexpr float kAxis = 74, kFoot = 26, kDot = 2.6f, kReach = 10, kHint = 300;

bool has_place(const io::EvidenceRow& row) { return row.predicted && row.measured && *row.predicted > 0 && *row.measured > 0; }

/// From amounts to pixels; the same powers on both axes, so that the diagonal is one.
struct Scale {
  double low = 0, high = 1; ///< logarithms of base 10
  ImVec2 min, max;

  float along(double amount) const { return static_cast<float>((std::log10(amount) - low) / (high - low)); }
  ImVec2 at(double measured, double predicted) const {
    return {min.x + along(measured) * (max.x - min.x), max.y - along(predicted) * (max.y - min.y)};
  }
};

Scale scale_of(const EvidenceShown& evidence, ImVec2 min, ImVec2 max) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const std::size_t index : evidence.rows) {
    const io::EvidenceRow& row = evidence.all.rows[index];
    if (!has_place(row)) continue;
    least = std::min({least, *row.predicted, *row.measured});
    most = std::max({most, *row.predicted, *row.measured});
  }
  if (!(least <= most)) least = 1, most = 10;
  return {std::log10(least) - 0.15, std::log10(most) + 0.15, min, max};
}

/// Every power of 1,024 of bytes, of 1,000 of others; where the axis is short, every one of 16, or of 10.
void gridlines(const Ui& ui, const Scale& scale, std::string_view unit) {
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  const double third_of_gib = std::log10(static_cast<double>(gibibytes(1).value)) / 3; // of its power
  const double range = scale.high - scale.low;
  const double step = unit == "bytes" ? third_of_gib * (range < 4 ? 0.4 : 1.0) : range < 7 ? 1 : 3;
  for (double power = std::ceil(scale.low / step) * step; power < scale.high; power += step) {
    const double amount = std::pow(10.0, power);
    const ImVec2 at = scale.at(amount, amount);
    draw->AddLine({scale.min.x, at.y}, {scale.max.x, at.y}, ui.theme.line);
    draw->AddLine({at.x, scale.min.y}, {at.x, scale.max.y}, ui.theme.line);
    const std::string text = io::amount_text(amount, unit == "bytes" ? unit : ""); // what others are of is said above
    draw_text_right(ui.fonts.label, {scale.min.x - 8, at.y - ui.fonts.label.size / 2}, ui.theme.dim, elided(ui.fonts.label, text, kAxis - 8));
    const float half = measure(ui.fonts.label, text).x / 2;
    if (at.x + half < scale.max.x && at.x - half > scale.min.x) draw_text_centred(ui.fonts.label, {at.x, scale.max.y + 6}, ui.theme.dim, text);
  }
}

/// Predicted is measured, and a tenth more and less of it.
void diagonal(const Ui& ui, const Scale& scale) {
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  const double low = std::pow(10.0, scale.low), high = std::pow(10.0, scale.high);
  draw->PushClipRect(scale.min, scale.max, true);
  draw->AddQuadFilled(scale.at(low, low * 1.1), scale.at(high, high * 1.1), scale.at(high, high * 0.9), scale.at(low, low * 0.9), faded(ui.theme.ok, 0.22f));
  draw->AddLine(scale.at(low, low), scale.at(high, high), ui.theme.dim, 1.2f);
  draw->PopClipRect();
}

std::optional<std::size_t> nearest(const EvidenceShown& evidence, const Scale& scale, ImVec2 pointer) {
  std::optional<std::size_t> found;
  float least = kReach * kReach;
  for (const std::size_t index : evidence.rows) {
    const io::EvidenceRow& row = evidence.all.rows[index];
    if (!has_place(row)) continue;
    const ImVec2 away = scale.at(*row.measured, *row.predicted) - pointer;
    if (const float distance = away.x * away.x + away.y * away.y; distance < least) least = distance, found = index;
  }
  return found;
}

void hint(Ui& ui, const io::EvidenceRow& row, ImVec2 dot) {
  begin_hint(ui, dot - ImVec2{kDot, kDot}, dot + ImVec2{kDot, kDot}, kHint);
  paragraph(ui, ui.fonts.label_strong, ui.theme.ink, row.id, kHint);
  paragraph(ui, ui.fonts.label, ui.theme.ink, "measured " + io::amount_text(row.measured, row.unit) + ", predicted " + io::amount_text(row.predicted, row.unit) + ": " + io::error_text(row.error), kHint);
  paragraph(ui, ui.fonts.label, ui.theme.dim, row.group + " \u00b7 " + row.metric + (row.scenario.empty() ? "" : " \u00b7 press to open"), kHint);
  end_hint(ui);
}

} // namespace

std::optional<std::size_t> scatter(Ui& ui, const EvidenceShown& evidence, ImVec2 size) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Scale scale = scale_of(evidence, {at.x + kAxis, at.y + 4}, {at.x + size.x - 4, at.y + size.y - kFoot});
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  const bool pressed = ImGui::InvisibleButton("accuracy.scatter", size);
  note_item(ui, "accuracy.scatter");
  leave_out(); // its dots are the rows below
  const bool hovered = ImGui::IsItemHovered();
  std::string_view unit;
  for (const std::size_t index : evidence.rows)
    if (has_place(evidence.all.rows[index])) unit = evidence.all.rows[index].unit;
  draw->AddRectFilled(scale.min, scale.max, ui.theme.field, 4);
  gridlines(ui, scale, unit);
  diagonal(ui, scale);
  const std::optional<std::size_t> under = hovered ? nearest(evidence, scale, ImGui::GetMousePos()) : std::nullopt;
  const ImU32 colour = faded(ui.theme.accent, 0.55f);
  for (const std::size_t index : evidence.rows) {
    const io::EvidenceRow& row = evidence.all.rows[index];
    if (has_place(row)) draw->AddCircleFilled(scale.at(*row.measured, *row.predicted), kDot, colour, 8);
  }
  draw_text(ui.fonts.label, {scale.min.x + 8, scale.min.y + 6}, ui.theme.dim, "predicted");
  draw_text_right(ui.fonts.label, {scale.max.x - 8, scale.max.y - ui.fonts.label.size - 6}, ui.theme.dim, "measured");
  if (!under) return {};
  const io::EvidenceRow& row = evidence.all.rows[*under];
  const ImVec2 dot = scale.at(*row.measured, *row.predicted);
  draw->AddCircleFilled(dot, kDot + 2, ui.theme.ink, 16);
  hint(ui, row, dot);
  if (!row.scenario.empty()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  return pressed ? under : std::nullopt;
}

} // namespace plimsoll::app
