#pragma once

#include "plimsoll/questions/changes.hpp"

#include <vector>

namespace plimsoll::io {

/// Of a scenario that fits: how far each of the inputs that people raise may rise, and GPUs fall. The nearest first.
std::vector<InputLimit> limits_of(const Catalog& catalog, const Answer& answer);

} // namespace plimsoll::io
