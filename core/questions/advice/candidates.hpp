#pragma once

#include "plimsoll/questions/changes.hpp"

#include <vector>

namespace plimsoll::io {

/// What people try to save memory in such a scenario.
std::vector<InputChange> changes_of(const Catalog& catalog, const Answer& answer);

/// That weights in another format than those of `answer` are a checkpoint of its own.
Issue another_checkpoint(const Answer& answer, std::string remedy);
/// Formats that many published checkpoints have, of those that the engine loads and that take less than the scenario's own weights.
std::vector<std::string> usual_weights(const Catalog& catalog, const Answer& answer);

} // namespace plimsoll::io
