#include "catalog/defaults.hpp"

#include "catalog/profile_data.hpp"

#include <algorithm>
#include <vector>

namespace plimsoll::io {

namespace {

/// A value for devices with less memory than so much, 0 = of any size, and for some models, or all where none is named.
struct Tier {
  std::int64_t below = 0;
  std::string value;
  std::vector<std::string> models;
};

Tier tier_in(const Json& json) {
  return {json.value("below_bytes", std::int64_t{0}), json.at("value").text(), json.value("models", std::vector<std::string>{})};
}

} // namespace

const Json* defaults_of(std::string_view profile) { return profile_part(profile, "defaults"); }

std::optional<ProfileDefault> default_of(const Json* defaults, std::string_view field, std::string_view model, std::int64_t usable_bytes) {
  const auto holds = [&](const Tier& tier) {
    return (tier.below == 0 || usable_bytes < tier.below) && (tier.models.empty() || std::ranges::find(tier.models, model) != tier.models.end());
  };
  const Json* const row = defaults != nullptr ? defaults->look(field) : nullptr;
  if (row == nullptr) return std::nullopt;
  for (const Json& json : row->at("values"))
    if (const Tier tier = tier_in(json); holds(tier)) return ProfileDefault{tier.value, row->at("citation").text()};
  return std::nullopt;
}

} // namespace plimsoll::io
