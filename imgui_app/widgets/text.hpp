#pragma once
// Text on the draw list: measured, aligned, cut, and flowing in paragraphs with links.

#include "ui.hpp"

#include <span>
#include <string>
#include <string_view>

namespace plimsoll::app {

ImVec2 measure(Type type, std::string_view text);

void draw_text(Type type, ImVec2 top_left, ImU32 colour, std::string_view text);
void draw_text_right(Type type, ImVec2 top_right, ImU32 colour, std::string_view text);
void draw_text_centred(Type type, ImVec2 top_centre, ImU32 colour, std::string_view text);

/// `text`, or its beginning with an ellipsis, not wider than `width`.
std::string elided(Type type, std::string_view text, float width);

/// A piece of a paragraph.
struct Run {
  std::string_view text;
  Type type;
  ImU32 colour = 0;
  bool link = false; ///< can be pressed
};

/// Draws runs at the cursor as one paragraph wrapped at `width` and moves the cursor below it. Gives the index of the link
/// that was pressed, or -1. Links are remembered as "link.<id>".
int paragraph(Ui& ui, std::string_view id, std::span<const Run> runs, float width);

/// Of a paragraph of that text.
int line_count(Type type, std::string_view text, float width);

/// How tall a paragraph of so many lines is.
float paragraph_height(Type type, int lines);

/// One run that is no link.
void paragraph(Ui& ui, Type type, ImU32 colour, std::string_view text, float width);

} // namespace plimsoll::app
