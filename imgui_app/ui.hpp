#pragma once
// What every widget needs to draw itself.

#include "fonts.hpp"
#include "theme.hpp"
#include "view.hpp"

#include <imgui.h>

#include <string>
#include <string_view>

namespace plimsoll::app {

struct Ui {
  const Theme& theme;
  const Fonts& fonts;
  View& view;
  Actions& actions;
};

/// Remembers where something was drawn.
inline void note_rect(Ui& ui, std::string name, ImVec2 min, ImVec2 max) {
  ui.view.rects[std::move(name)] = {min.x, min.y, max.x - min.x, max.y - min.y};
}

/// The same for the item just made.
inline void note_item(Ui& ui, std::string name) {
  note_rect(ui, std::move(name), ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

} // namespace plimsoll::app
