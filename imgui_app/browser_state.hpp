#pragma once
// The one window of the page. A page calls functions of the module, not methods of an object, so there must be one place
// where they find it.

#include "window.hpp"

namespace plimsoll::app {

Window& page_window();

/// How much larger than usual everything is drawn: 1, or what two fingers made of it.
float page_zoom();

/// A frame soon: somebody may have changed something.
void request_frame();

/// From now on there is no frame, and then there is one.
void hold_frames(bool holds);

/// A frame now, if there is anything new to show.
void draw_if_needed();

} // namespace plimsoll::app
