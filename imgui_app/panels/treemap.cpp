// A squarified treemap, after Bruls, Huizing and van Wijk, "Squarified Treemaps" (2000): rows are laid along the shorter side and take the
// next part for as long as that makes their rectangles less elongated.
#include "panels/treemap.hpp"

#include "reach/describe.hpp"
#include "widgets/amount_row.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr float kGap = 2, kLeastSide = 1.5f, kHintWidth = 250;

struct Tile {
  const Component* component = nullptr;
  float area = 0;
};

/// The worst ratio of long side to short side in a row of that length.
float worst(std::span<const Tile> row, float sum, float length) {
  float result = 0;
  for (const Tile& tile : row) {
    const float depth = sum / length, side = tile.area / depth;
    result = std::max(result, std::max(side / depth, depth / side));
  }
  return result;
}

using Place = std::function<void(const Component&, ImVec2 min, ImVec2 max)>;

void lay_out(std::span<const Tile> tiles, ImVec2 min, ImVec2 max, const Place& place) {
  while (!tiles.empty()) {
    const ImVec2 size = max - min;
    const bool upright = size.x >= size.y; // the row stands on the left and fills the height
    const float length = std::max(1.0f, upright ? size.y : size.x);
    std::size_t count = 1;
    float sum = tiles[0].area;
    while (count < tiles.size() && worst(tiles.first(count + 1), sum + tiles[count].area, length) <= worst(tiles.first(count), sum, length)) sum += tiles[count++].area;
    const float depth = sum / length;
    float at = upright ? min.y : min.x;
    for (const Tile& tile : tiles.first(count)) {
      const float side = tile.area / std::max(depth, 1e-3f);
      if (upright) place(*tile.component, {min.x, at}, {min.x + depth, at + side});
      else place(*tile.component, {at, min.y}, {at + side, min.y + depth});
      at += side;
    }
    (upright ? min.x : min.y) += depth;
    tiles = tiles.subspan(count);
  }
}

std::vector<Tile> tiles_of(const Component& parent, float area) {
  std::vector<Tile> tiles;
  double sum = 0;
  for (const Component& part : parent.parts) sum += static_cast<double>(std::max<std::int64_t>(part.amount, 0));
  for (const Component& part : parent.parts)
    if (part.amount > 0) tiles.push_back({&part, area * static_cast<float>(static_cast<double>(part.amount) / std::max(sum, 1.0))});
  std::ranges::stable_sort(tiles, std::ranges::greater{}, &Tile::area);
  return tiles;
}

void hint(Ui& ui, const Component& component, ImVec2 min, ImVec2 max) {
  begin_hint(ui, min, max, kHintWidth);
  paragraph(ui, ui.fonts.body_strong, ui.theme.ink, component.label, kHintWidth);
  paragraph(ui, ui.fonts.label, ui.theme.ink, format_exact(component.amount, component.unit), kHintWidth);
  paragraph(ui, ui.fonts.label, ui.theme.accent, "Press to see its formula.", kHintWidth);
  end_hint(ui);
}

void draw_leaf(Ui& ui, const Component& component, ImVec2 min, ImVec2 max) {
  max = max - ImVec2{kGap, kGap};
  if (max.x - min.x < kLeastSide || max.y - min.y < kLeastSide) return;
  ImGui::SetCursorScreenPos(min);
  const std::string name = "tile." + component.id;
  if (ImGui::InvisibleButton(name.c_str(), max - min, ImGuiButtonFlags_EnableNav)) ui.view.selected = component.id;
  note_item(ui, name);
  if (is_described()) describe({.name = in_words(component), .group = "Treemap"});
  if (ImGui::IsItemHovered()) ui.view.hovering = component.id, ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const ImU32 colour = colour_of(component.id, ui.theme.dim);
  const bool looked_at = ui.view.selected == component.id, hot = ui.view.hovered == component.id;
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(min, max, hot ? mixed(colour, ui.theme.ink, 0.15f) : colour, 3);
  if (looked_at) draw->AddRect(min, max, ui.theme.ink, 3, 0, 2);
  if (wants_hint(ui)) hint(ui, component, min, max);
  const Type label = ui.fonts.label, strong = ui.fonts.label_strong;
  const float room = max.x - min.x - 14;
  if (room < 34 || max.y - min.y < strong.size + 8) return;
  const ImU32 ink = text_on(colour);
  const std::string amount = format_bytes(Bytes{component.amount});
  float y = min.y + 5;
  if (max.y - min.y > strong.size * 2 + 12) {
    draw_text(label, {min.x + 7, y}, ink, elided(label, component.label, room));
    y += label.size + 1;
  }
  if (measure(strong, amount).x <= room) draw_text(strong, {min.x + 7, y}, ink, amount);
}

/// Two levels: categories, and what they are made of.
void draw_tiles(Ui& ui, const Component& memory, ImVec2 min, ImVec2 max) {
  const ImVec2 size = max - min;
  const std::vector<Tile> categories = tiles_of(memory, size.x * size.y);
  lay_out(categories, min, max, [&](const Component& category, ImVec2 from, ImVec2 to) {
    const ImVec2 own = to - from;
    if (category.parts.size() < 2 || own.x * own.y < 2500) return draw_leaf(ui, category, from, to);
    const std::vector<Tile> parts = tiles_of(category, own.x * own.y);
    lay_out(parts, from, to, [&](const Component& part, ImVec2 a, ImVec2 b) { draw_leaf(ui, part, a, b); });
  });
}

} // namespace

void treemap_panel(Ui& ui, const Shown& shown, float width, float height) {
  const Component& memory = shown.moment ? *shown.moment : shown.explanation.memory;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_tiles(ui, memory, at, at + ImVec2{width + kGap, height + kGap});
  note_rect(ui, "treemap", at, {at.x + width, at.y + height});
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height});
}

} // namespace plimsoll::app
