#include "panels/scatter.hpp"

#include "plimsoll/method/format.hpp"
#include "reach/describe.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

namespace plimsoll::app {
namespace {

constexpr float kAxis = 52, kFoot = 26, kDot = 2.6f, kEdge = 8, kReach = 10, kHint = 300;
constexpr double kMostShare = 2; ///< what is further off stands at the edge

bool has_place(const io::EvidenceRow& row) { return row.predicted && row.measured && *row.predicted > 0 && *row.measured > 0; }

/// From amounts to pixels: to the right what was measured, upward which share of it is predicted. Both are logarithms of base 10. A
/// plain diagonal over as many powers would leave a tenth less than a pixel.
struct Scale {
  double low = 0, high = 1; ///< of what was measured
  ImVec2 min, max;

  float x(double measured) const { return min.x + static_cast<float>((std::log10(measured) - low) / (high - low)) * (max.x - min.x); }
  float y(double share) const {
    const double most = std::log10(kMostShare), up = std::clamp(std::log10(share), -most, most) / most; // -1 to 1
    return (min.y + max.y) / 2 - static_cast<float>(up) * ((max.y - min.y) / 2 - kEdge);
  }
  ImVec2 at(const io::EvidenceRow& row) const { return {x(*row.measured), y(*row.predicted / *row.measured)}; }
};

Scale scale_of(const EvidenceShown& evidence, ImVec2 min, ImVec2 max) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const std::size_t index : evidence.rows) {
    const io::EvidenceRow& row = evidence.all.rows[index];
    if (!has_place(row)) continue;
    least = std::min(least, *row.measured);
    most = std::max(most, *row.measured);
  }
  if (!(least <= most)) least = 1, most = 10;
  return {std::log10(least) - 0.15, std::log10(most) + 0.15, min, max};
}

/// "1 GiB", where a number with digits behind its point is none.
std::string round_text(double amount, std::string_view unit) {
  std::string text = io::amount_text(amount, unit == "bytes" ? unit : ""); // what others are of is said above
  if (const std::size_t at = text.find(".00 "); at != std::string::npos) text.erase(at, 3);
  return text;
}

/// Every power of 1,024 of bytes, of 1,000 of others; where the axis is short, every one of 16, or of 10.
void gridlines(const Ui& ui, const Scale& scale, std::string_view unit) {
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  const double third_of_gib = std::log10(static_cast<double>(gigabytes(1).value)) / 3; // of its power
  const double range = scale.high - scale.low;
  const double step = unit == "bytes" ? third_of_gib * (range < 4 ? 0.4 : 1.0) : range < 7 ? 1 : 3;
  for (double power = std::ceil(scale.low / step) * step; power < scale.high; power += step) {
    const double amount = std::pow(10.0, power);
    const float x = scale.x(amount);
    draw->AddLine({x, scale.min.y}, {x, scale.max.y}, ui.theme.line);
    const std::string text = round_text(amount, unit);
    const float half = measure(ui.fonts.label, text).x / 2;
    if (x + half < scale.max.x && x - half > scale.min.x) draw_text_centred(ui.fonts.label, {x, scale.max.y + 6}, ui.theme.dim, text);
  }
  struct Mark {
    double share;
    std::string_view text;
  };
  for (const Mark& mark : {Mark{kMostShare, "twice"}, Mark{kMostShare * 0.75, "+50 %"}, Mark{1.1, "+10 %"}, Mark{1, "exact"}, Mark{0.9, "-10 %"}, Mark{1 / (kMostShare * 0.75), "-33 %"}, Mark{1 / kMostShare, "half"}}) {
    const float y = scale.y(mark.share);
    draw->AddLine({scale.min.x, y}, {scale.max.x, y}, ui.theme.line);
    draw_text_right(ui.fonts.label, {scale.min.x - 8, y - ui.fonts.label.size / 2}, ui.theme.dim, mark.text);
  }
}

/// Predicted is measured, and a tenth more and less of it.
void band(const Ui& ui, const Scale& scale) {
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled({scale.min.x, scale.y(1.1)}, {scale.max.x, scale.y(0.9)}, faded(ui.theme.dim, 0.2f));
  draw->AddLine({scale.min.x, scale.y(1)}, {scale.max.x, scale.y(1)}, ui.theme.dim, 1.2f);
}

/// A dot; at the edge an arrow, for what is further off.
void draw_row(const Scale& scale, const io::EvidenceRow& row, float radius, ImU32 colour) {
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  const ImVec2 at = scale.at(row);
  const double share = *row.predicted / *row.measured;
  if (share <= kMostShare && share >= 1 / kMostShare) return draw->AddCircleFilled(at, radius, colour, 8);
  const float up = share > 1 ? -radius - 2 : radius + 2;
  draw->AddTriangleFilled({at.x - radius - 1, at.y}, {at.x, at.y + up}, {at.x + radius + 1, at.y}, colour);
}

std::optional<std::size_t> nearest(const EvidenceShown& evidence, const Scale& scale, ImVec2 pointer) {
  std::optional<std::size_t> found;
  float least = kReach * kReach;
  for (const std::size_t index : evidence.rows) {
    const io::EvidenceRow& row = evidence.all.rows[index];
    if (!has_place(row)) continue;
    const ImVec2 away = scale.at(row) - pointer;
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
  band(ui, scale);
  const std::optional<std::size_t> under = hovered ? nearest(evidence, scale, ImGui::GetMousePos()) : std::nullopt;
  const ImU32 colour = faded(ui.theme.accent, 0.55f);
  for (const std::size_t index : evidence.rows) {
    const io::EvidenceRow& row = evidence.all.rows[index];
    if (has_place(row)) draw_row(scale, row, kDot, colour);
  }
  draw_text(ui.fonts.label, {scale.min.x + 8, scale.min.y + 6}, ui.theme.dim, "predicted, as a share of what was measured");
  draw_text_right(ui.fonts.label, {scale.max.x - 8, scale.max.y - ui.fonts.label.size - 6}, ui.theme.dim, "measured");
  if (!under) return {};
  const io::EvidenceRow& row = evidence.all.rows[*under];
  draw_row(scale, row, kDot + 2, ui.theme.ink);
  hint(ui, row, scale.at(row));
  if (!row.scenario.empty()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  return pressed ? under : std::nullopt;
}

} // namespace plimsoll::app
