#pragma once

#include "plimsoll/files/model_file.hpp"
#include "ui.hpp"

namespace plimsoll::app {

/// What a model file says: totals, number formats, groups of layers with their parts, in a box at most `height` tall that scrolls.
void file_contents(Ui& ui, const io::ModelFile& file, float width, float height);

} // namespace plimsoll::app
