#pragma once
// The files that profiles are made of.

#include "text/json.hpp"

#include <string_view>

namespace plimsoll::io {

/// core/catalog/data/NAME for profiles/*.json, operations.json, losses.json, recompute.json, sharding.json and efficiency/*.json. They are compiled in, so each is parsed once;
/// from any thread. Throws std::out_of_range for another name.
const Json& profile_data(std::string_view name);

} // namespace plimsoll::io
