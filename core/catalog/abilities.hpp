#pragma once
// core/catalog/data/abilities.json: what frameworks can do.

#include "plimsoll/method/plan.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::io {

struct AbilityRow {
  PlanAbilities abilities;
  std::string regime; ///< in which people run it, by the name of the field's choice; "" = any
};

/// Of a profile of training; nothing where the file has no row for it.
std::optional<AbilityRow> abilities_of(std::string_view profile);

} // namespace plimsoll::io
