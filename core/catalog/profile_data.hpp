#pragma once
// The files that profiles are made of.

#include "text/json.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// core/catalog/data/NAME for profiles/*.json, operations.json, losses.json, sharding.json and efficiency/*.json. They are compiled in, so each is parsed once,
/// when it is first asked for; from any thread. Throws std::out_of_range for another name.
const Json& profile_data(std::string_view name);

/// In alphabetical order.
std::vector<std::string_view> profile_ids();
bool is_profile(std::string_view id);

/// A part of a profile: "defaults", "plans", "loads"; null where it lacks that, or where there is no such profile.
const Json* profile_part(std::string_view profile, const char* name);

/// A part of all profiles, each with whose it is. Those that lack it are not in the list; in the order of their ids.
struct ProfilePart {
  std::string profile;
  const Json* json;
};
std::vector<ProfilePart> profile_parts(const char* name);

} // namespace plimsoll::io
