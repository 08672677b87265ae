#pragma once
// core/catalog/data/abilities.json: what frameworks can do.

#include "plimsoll/method/plan.hpp"

#include <optional>
#include <string_view>

namespace plimsoll::io {

/// Of a profile of training; nothing where the file has no row for it.
std::optional<PlanAbilities> abilities_of(std::string_view profile);

} // namespace plimsoll::io
