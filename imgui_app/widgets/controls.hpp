#pragma once
// Small things that can be pressed, and the hint that explains one.

#include "ui.hpp"

#include <span>
#include <string_view>

namespace plimsoll::app {

enum class Emphasis : unsigned char { plain, primary };

/// A text that can be pressed, at the cursor.
bool link(Ui& ui, std::string_view id, std::string_view text, Type type);

/// A filled button with a text.
bool button(Ui& ui, std::string_view id, std::string_view text, Emphasis emphasis);

struct Alternative {
  std::string_view id, label;
  bool on = false;
};

/// A row of alternatives, `width` wide (0: as wide as they need). Gives the index that was pressed, or -1.
int segmented(Ui& ui, std::string_view id, std::span<const Alternative> alternatives, float width);

/// Empty space.
inline void gap(float height) { ImGui::Dummy({0, height}); }

/// A horizontal rule over `width`.
void rule(const Ui& ui, float width);

/// A heading of a section.
void heading(Ui& ui, std::string_view text);

void draw_chevron(ImVec2 centre, float size, ImGuiDir direction, ImU32 colour);

/// The load line with its ring: the logo, and the mark on the capacity line.
void draw_ring(ImVec2 centre, float radius, float half_line, float thickness, ImU32 colour);

/// Whether the last item deserves its hint now: the pointer rests on it, or it has the keyboard.
bool wants_hint(Ui& ui);

/// Begins the window of a hint beside an item; always pair with end_hint(). Remembered as "hint".
void begin_hint(Ui& ui, ImVec2 item_min, ImVec2 item_max, float width);
void end_hint(Ui& ui);

} // namespace plimsoll::app
