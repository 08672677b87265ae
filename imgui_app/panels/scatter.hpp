#pragma once
// What is predicted of what was measured, as shares over amounts: on the line both are equal, inside the band they differ by a tenth at most.

#include "evidence_shown.hpp"
#include "ui.hpp"

#include <optional>

namespace plimsoll::app {

/// Gives the row (of EvidenceShown::all) whose dot was pressed. Remembered as "accuracy.scatter".
std::optional<std::size_t> scatter(Ui& ui, const EvidenceShown& evidence, ImVec2 size);

} // namespace plimsoll::app
