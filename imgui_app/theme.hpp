#pragma once
// Colours, type sizes and spacing. One accent for what can be pressed; red only for the load line and for overload; green
// only for "fits". The colours of components belong to their ids and are the same in both themes.

#include "plimsoll/method/estimate.hpp"

#include <imgui.h>

#include <string_view>

namespace plimsoll::app {

struct Theme {
  ImU32 ground;    ///< behind everything
  ImU32 panel;     ///< side columns, header, popups
  ImU32 sheet;     ///< behind everything where inputs, answer and cards share a column
  ImU32 field;     ///< an input row, a card
  ImU32 hover;     ///< the same under the pointer
  ImU32 line;      ///< rules and gridlines
  ImU32 ink;       ///< text
  ImU32 dim;       ///< secondary text
  ImU32 accent;    ///< what can be pressed
  ImU32 load_line; ///< the load line, overload, errors
  ImU32 ok;        ///< "Fits."
  ImU32 warning;   ///< warnings beside an input
};

const Theme& theme(bool dark) noexcept;

/// The colour of a category of memory.
ImU32 colour_of(Part part) noexcept;
/// The colour of the category that a component belongs to, e.g. of "memory.activations.mlp"; `other` when it is in none.
ImU32 colour_of(std::string_view component_id, ImU32 other) noexcept;

/// Contrast ratio of two opaque colours, 1 to 21, as WCAG 2 defines it.
float contrast(ImU32 a, ImU32 b) noexcept;
/// Dark or white, whichever reads better on `background`.
ImU32 text_on(ImU32 background) noexcept;

/// The same colour with its opacity scaled by `alpha`.
ImU32 faded(ImU32 colour, float alpha) noexcept;
/// `share` of `b` over `a`, both opaque.
ImU32 mixed(ImU32 a, ImU32 b, float share) noexcept;

/// Pixels of a line, as ImGui counts type; an em of these families is 0.85 of it. Whole numbers, because ImGui rasterizes
/// whole sizes and would stretch the glyphs to any other.
namespace type_size {
inline constexpr float label = 14, code = 14, total = 15, body = 16, name = 21, headline_narrow = 25, headline = 31;
}

namespace space { // pixels
inline constexpr float header = 56, row = 32, row_gap = 4, row_padding = 10, row_rounding = 7, section = 14;
inline constexpr float card = 14, card_rounding = 10, keel = 14, chip = 11;
inline constexpr float inputs_column = 300, detail_column = 400;
inline constexpr float wide = 1100, narrow = 700; ///< from these widths on: three columns, two columns
}

/// ImGui's own style, for the few of its widgets that draw themselves: text boxes, scrollbars, popups.
void apply_style(const Theme& theme);

} // namespace plimsoll::app
