#pragma once

#include "app.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// The tab that is open, when it is not the breakdown; pictures in it are `height` tall. Needs App::other_tabs to be there.
void other_tab(Ui& ui, const App& app, float width, float height);

} // namespace plimsoll::app
