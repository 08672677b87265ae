#pragma once
// The files that profiles are made of.

#include "text/json.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// core/catalog/data/NAME for profiles/*.json, operations.json, losses.json, sharding.json and efficiency/*.json. They are compiled in, so each is parsed once;
/// from any thread. Throws std::out_of_range for another name.
const Json& profile_data(std::string_view name);

/// A part of a profile with whose it is: "defaults", "plans", "loads". Those that lack it are not in the list; in the order of their ids.
struct ProfilePart {
  std::string profile;
  const Json* json;
};
std::vector<ProfilePart> profile_parts(const char* name);

} // namespace plimsoll::io
