#pragma once
// The typefaces, compiled in. Their figures all have one width, so right-aligned numbers form columns.

#include <imgui.h>

namespace plimsoll::app {

/// A typeface at a size.
struct Type {
  ImFont* font = nullptr;
  float size = 0; ///< pixels of a line
};

struct Fonts {
  Type label, label_strong, body, body_strong, total, name, headline_narrow, headline, code;
};

/// Adds the typefaces to ImGui's atlas. Needs a context.
Fonts load_fonts();

} // namespace plimsoll::app
