#pragma once
// The one window of the page. A page calls functions of the module, not methods of an object, so there must be one place
// where they find it.

#include "window.hpp"

namespace plimsoll::app {

Window& page_window();

/// A frame now, if there is anything new to show.
void draw_if_needed();

} // namespace plimsoll::app
