#include "panels/ranks.hpp"

#include "reach/describe.hpp"
#include "widgets/axis.hpp"
#include "widgets/bar.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr float kAxisWidth = 44, kCaptions = 46, kWidestBar = 96, kHintWidth = 250;

struct Rank {
  std::int64_t index = 0;
  const MomentUse* peak = nullptr;
  float left = 0, right = 0; ///< of the space it may use
  bool fullest = false, looked_at = false;
  float centre() const { return (left + right) / 2; }
};

void hint(Ui& ui, const Estimate& estimate, const Rank& rank, ImVec2 min, ImVec2 max) {
  begin_hint(ui, min, max, kHintWidth);
  const std::string name = "Pipeline " + format_rank(estimate, rank.index) + (rank.fullest ? ", the fullest" : "");
  paragraph(ui, ui.fonts.body_strong, ui.theme.ink, name, kHintWidth);
  const std::string_view phrase = text_of(rank.peak->moment).phrase;
  paragraph(ui, ui.fonts.label, ui.theme.ink, "Peaks at " + format_bytes(rank.peak->total) + " " + std::string(phrase) + ".", kHintWidth);
  paragraph(ui, ui.fonts.label, ui.theme.dim, text_of(rank.peak->moment).about, kHintWidth);
  end_hint(ui);
}

/// The whole height is the button: bars can be low, and on a phone they are thin.
void press(Ui& ui, const Estimate& estimate, const Axis& axis, const Rank& rank) {
  const std::string name = "rank." + std::to_string(rank.index);
  const ImVec2 min{rank.left, axis.top}, max{rank.right, axis.bottom + kCaptions};
  ImGui::SetCursorScreenPos(min);
  ImGui::SetNextItemAllowOverlap();
  if (ImGui::InvisibleButton(name.c_str(), max - min, ImGuiButtonFlags_EnableNav)) ui.actions.look_at_rank = rank.index;
  note_item(ui, name);
  if (is_described()) {
    const std::string amount = format_bytes(rank.peak->total) + ", " + format_exact(rank.peak->total.value, "bytes");
    describe({.role = Role::radio, .name = "Pipeline " + format_rank(estimate, rank.index) + (rank.fullest ? ", the fullest: " : ": ") + amount,
              .about = std::string(text_of(rank.peak->moment).phrase), .group = "Ranks", .checked = state_of(rank.looked_at)});
  }
  if (ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    ImGui::GetWindowDrawList()->AddRectFilled(min, max, faded(ui.theme.hover, 0.5f), space::row_rounding);
  }
  if (wants_hint(ui)) hint(ui, estimate, rank, min, {max.x, min.y + 20});
}

Bar bar_of(const Axis& axis, const Rank& rank, Bytes usable) {
  const float half = std::min(kWidestBar, (rank.right - rank.left) * 0.62f) / 2;
  return bar_between(rank.centre() - half, rank.centre() + half, rank.peak->total, usable, axis);
}

/// What stands under the bars: the longest wording that all of them have room for.
enum class Wording : unsigned char {
  full,  ///< "rank 3", "59.5 GiB"
  brief, ///< "3", "59.5"
  one,   ///< in full, under the bar that is looked at alone
};

std::array<std::string, 2> caption_of(const Rank& rank, Wording wording) {
  const std::string index = std::to_string(rank.index);
  if (wording == Wording::brief) return {index, format_gigabytes(rank.peak->total)};
  return {"rank " + index, format_bytes(rank.peak->total)};
}

Wording wording_for(const Ui& ui, std::span<const Rank> ranks) {
  const auto fits = [&](Wording wording) {
    return std::ranges::all_of(ranks, [&](const Rank& rank) {
      return std::ranges::all_of(caption_of(rank, wording),
                                 [&](const std::string& text) { return measure(ui.fonts.label_strong, text).x + 8 <= rank.right - rank.left; });
    });
  };
  return fits(Wording::full) ? Wording::full : fits(Wording::brief) ? Wording::brief : Wording::one;
}

void draw_caption(const Ui& ui, const Axis& axis, const Rank& rank, Wording wording) {
  if (wording == Wording::one && !rank.looked_at) return;
  const Type type = rank.fullest || rank.looked_at ? ui.fonts.label_strong : ui.fonts.label;
  const ImU32 colour = rank.fullest || rank.looked_at ? ui.theme.ink : ui.theme.dim;
  const std::array<std::string, 2> texts = caption_of(rank, wording);
  float y = axis.bottom + 9;
  for (const std::string& text : texts) {
    const float half = measure(type, text).x / 2;
    const float x = std::clamp(rank.centre(), axis.left + half, std::max(axis.left + half, axis.right - half));
    draw_text_centred(type, {x, y}, colour, text);
    if (rank.fullest && y < axis.bottom + 10)
      ImGui::GetWindowDrawList()->AddCircleFilled({x - half - 8, y + type.size / 2}, 3.5f, ui.theme.ink, 20);
    y += type.size + 2;
  }
}

void draw_rank(Ui& ui, const Axis& axis, const Rank& rank, const io::Answer& answer) {
  const Bar bar = bar_of(axis, rank, answer.estimate.usable);
  fill_moment(ui, bar, axis, *rank.peak, rank.looked_at ? 1.0f : 0.65f);
  const MemoryRange& process = answer.footprint->process;
  if (rank.fullest) draw_allowance(ui, bar, axis, rank.peak->total, process);
  const Bytes top = rank.fullest ? max(rank.peak->total, process.expected) : rank.peak->total;
  hatch_overload(ui, bar, axis.y(top.value));
  if (rank.looked_at)
    ImGui::GetWindowDrawList()->AddRectFilled({bar.left, axis.bottom + 2}, {bar.right, axis.bottom + 4}, ui.theme.accent);
}

/// At the line; or, where a bar stands in its way, at the top of the panel behind a piece of the line.
CapacityLabel capacity_of(const Ui& ui, const Axis& axis, std::span<const Rank> ranks, const ProcessLabel& process, const io::Answer& answer) {
  CapacityLabel label = capacity_label(ui, axis, axis.left, answer.scenario.hardware);
  const auto is_in_its_way = [&](const Rank& rank) {
    const Bytes top = rank.fullest ? max(rank.peak->total, answer.footprint->process.expected) : rank.peak->total;
    return rank.right > label.min.x && axis.y(top.value) < label.max.y;
  };
  const bool meets_process = process.max.x + 8 > label.min.x && process.min.y < label.max.y && label.min.y < process.max.y;
  if (!meets_process && std::ranges::none_of(ranks, is_in_its_way)) return label;
  const ImVec2 lift{0, label.min.y - (axis.top - label.max.y + label.min.y)};
  const ImVec2 min = label.min - lift, max = label.max - lift;
  const float middle = (min.y + max.y) / 2;
  ImGui::GetWindowDrawList()->AddRectFilled({min.x - 24, middle - 1.25f}, {min.x - 8, middle + 1.25f}, ui.theme.load_line);
  return {std::move(label.text), min, max};
}

std::vector<Rank> ranks_of(const Shown& shown, const Axis& axis) {
  const Estimate& estimate = shown.answer.estimate;
  const float step = (axis.right - axis.left - 20) / static_cast<float>(shown.ranks.size());
  std::vector<Rank> ranks;
  float left = axis.left + 20; // beside the ring of the load line
  for (const MomentUse& peak : shown.ranks) {
    const auto index = static_cast<std::int64_t>(ranks.size());
    ranks.push_back({index, &peak, left, left + step, index == estimate.rank, index == shown.looked_at().rank});
    left += step;
  }
  return ranks;
}

} // namespace

void ranks_panel(Ui& ui, const Shown& shown, float width, float height) {
  const io::Answer& answer = shown.answer;
  const Estimate& estimate = answer.estimate;
  const MemoryRange& process = answer.footprint->process;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Axis axis = axis_for(max(max(estimate.at_peak().total, process.high), estimate.usable), {at.x + kAxisWidth, at.y + 16},
                             {at.x + width - 2, at.y + height - kCaptions});
  const std::vector<Rank> ranks = ranks_of(shown, axis);
  draw_gridlines(ui, axis, 56);
  for (const Rank& rank : ranks) press(ui, estimate, axis, rank);
  for (const Rank& rank : ranks) draw_rank(ui, axis, rank, answer);
  draw_load_line(ui, axis, estimate.usable, true);
  const Wording wording = wording_for(ui, ranks);
  for (const Rank& rank : ranks) draw_caption(ui, axis, rank, wording);
  const Rank& fullest = ranks[static_cast<std::size_t>(estimate.rank)];
  const ProcessLabel label = process_beside(ui, bar_of(axis, fullest, estimate.usable), axis, fullest.peak->total, process);
  draw_process(ui, axis, label, process);
  draw_capacity_label(ui, capacity_of(ui, axis, ranks, label, answer), answer.scenario.hardware);

  note_rect(ui, "hull", at, {at.x + width, at.y + height});
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height});
}

} // namespace plimsoll::app
