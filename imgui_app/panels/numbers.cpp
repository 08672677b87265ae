#include "panels/numbers.hpp"

#include "reach/describe.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <string>

namespace plimsoll::app {
namespace {

constexpr float kGap = 20, kNarrowCell = 140, kTrack = 5, kHintWidth = 270;
constexpr float kLeastRange = 3; ///< what is shorter would look like dirt; the words beside it say it

/// From bytes to pixels, along a track.
struct Scale {
  float left = 0, right = 0;
  Bytes end; ///< at `right`
  float x(Bytes amount) const {
    const double share = static_cast<double>(amount.value) / static_cast<double>(std::max<std::int64_t>(end.value, 1));
    return left + static_cast<float>(std::min(share, 1.0)) * (right - left);
  }
};

/// Filled up to what is expected, with a shade over the range and a mark where the device ends.
void draw_track(const Ui& ui, const Scale& scale, float y, const MemoryRange& range, Bytes usable, bool over) {
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled({scale.left, y}, {scale.right, y + kTrack}, ui.theme.line, 2.5f);
  draw->AddRectFilled({scale.left, y}, {scale.x(range.expected), y + kTrack}, over ? ui.theme.load_line : mixed(ui.theme.line, ui.theme.dim, 0.75f), 2.5f);
  const float low = scale.x(range.low), high = scale.x(range.high);
  if (high - low >= kLeastRange) draw->AddRectFilled({low, y + kTrack + 2}, {high, y + kTrack + 4}, ui.theme.dim);
  const float end = scale.x(usable);
  draw->AddRectFilled({end - 1, y - 3}, {end + 1, y + kTrack + 3}, ui.theme.load_line);
}

void hint(Ui& ui, const MemoryNumber& number, const Footprint& footprint, ImVec2 min, ImVec2 max) {
  const MemoryRange& range = footprint.*number.range;
  begin_hint(ui, min, max, kHintWidth);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_text(ui.fonts.body_strong, at, ui.theme.ink, number.label);
  draw_text_right(ui.fonts.body_strong, {at.x + kHintWidth, at.y}, ui.theme.ink, format_bytes(range.expected));
  gap(ui.fonts.body_strong.size + 4);
  paragraph(ui, ui.fonts.label, ui.theme.ink, number.about, kHintWidth);
  gap(4);
  paragraph(ui, ui.fonts.label, ui.theme.dim, format_exact(range.expected.value, "bytes") + ", likely " + format_range(range.low, range.high) + ".",
            kHintWidth);
  paragraph(ui, ui.fonts.label, ui.theme.dim, "The device has " + format_bytes(footprint.usable) + " for a process.", kHintWidth);
  end_hint(ui);
}

float cell_height(const Ui& ui) { return ui.fonts.label.size * 2 + ui.fonts.body_strong.size + 8 + kTrack + 12; }

void cell(Ui& ui, const MemoryNumber& number, const Footprint& footprint, Bytes end, ImVec2 at, float width) {
  const MemoryRange& range = footprint.*number.range;
  const float height = cell_height(ui);
  const std::string name = "number." + std::string(number.id);
  ImGui::SetCursorScreenPos({at.x - 6, at.y - 4});
  ImGui::InvisibleButton(name.c_str(), {width + 12, height}, ImGuiButtonFlags_EnableNav);
  note_item(ui, name);
  if (is_described()) {
    describe({.role = Role::img, .name = std::string(number.label) + ": " + format_bytes(range.expected) + ", likely " + format_range(range.low, range.high),
              .about = std::string(number.about)});
  }
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  if (ImGui::IsItemHovered()) ImGui::GetWindowDrawList()->AddRectFilled(min, max, faded(ui.theme.hover, 0.5f), space::row_rounding);
  if (wants_hint(ui)) hint(ui, number, footprint, min, max);
  const bool judged = number.range == &Footprint::process, over = judged && !footprint.fits;
  draw_text(ui.fonts.label, at, ui.theme.dim, elided(ui.fonts.label, number.label, width));
  float y = at.y + ui.fonts.label.size + 2;
  draw_text(ui.fonts.body_strong, {at.x, y}, over ? ui.theme.load_line : ui.theme.ink, format_bytes(range.expected));
  y += ui.fonts.body_strong.size + 2;
  draw_text(ui.fonts.label, {at.x, y}, ui.theme.dim, elided(ui.fonts.label, "likely " + format_range(range.low, range.high), width));
  draw_track(ui, {at.x, at.x + width, end}, y + ui.fonts.label.size + 6, range, footprint.usable, over);
}

} // namespace

void numbers_panel(Ui& ui, const Shown& shown, float width) {
  const Footprint& footprint = *shown.answer.footprint;
  const auto numbers = memory_numbers();
  const std::string rank = shown.answer.estimate.ranks.size() > 1 ? ", " + format_rank(shown.answer.estimate, footprint.rank) : "";
  heading(ui, "Memory of one process" + rank);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const auto in_row = [&](std::size_t count) { return (width - kGap * static_cast<float>(count - 1)) / static_cast<float>(count); };
  const std::size_t per_row = in_row(numbers.size()) >= kNarrowCell ? numbers.size() : numbers.size() / 2;
  const float cell_width = in_row(per_row), row_height = cell_height(ui) + 8;
  const Bytes end = max(footprint.usable, footprint.process.high);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const float column = static_cast<float>(i % per_row), row = static_cast<float>(i / per_row);
    cell(ui, numbers[i], footprint, end, {at.x + column * (cell_width + kGap), at.y + row * row_height}, cell_width);
  }
  const ImVec2 size{width, static_cast<float>(numbers.size() / per_row) * row_height};
  note_rect(ui, "numbers", at, at + size);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(size);
}

} // namespace plimsoll::app
