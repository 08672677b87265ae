#pragma once

#include "plimsoll/io/changes.hpp"

#include <vector>

namespace plimsoll::io {

/// What people try to save memory in such a scenario.
std::vector<InputChange> changes_of(const Catalog& catalog, const Answer& answer);

} // namespace plimsoll::io
