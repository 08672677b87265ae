#include "catalog/defaults.hpp"

#include "catalog/profile_data.hpp"

#include <algorithm>
#include <utility>

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

std::optional<ProfileDefault> default_in(const Json& row, std::string_view field, std::string_view model, std::int64_t usable_bytes) {
  const auto holds = [&](const Tier& tier) {
    return (tier.below == 0 || usable_bytes < tier.below) && (tier.models.empty() || std::ranges::find(tier.models, model) != tier.models.end());
  };
  for (const Json& json : row.at("values"))
    if (const Tier tier = tier_in(json); holds(tier)) return ProfileDefault{std::string{field}, tier.value, row.at("citation").text()};
  return std::nullopt;
}

} // namespace

std::optional<ProfileDefault> default_of(std::string_view profile, std::string_view field, std::string_view model, std::int64_t usable_bytes) {
  const Json* const all = profile_part(profile, "defaults");
  const Json* const row = all != nullptr ? all->look(field) : nullptr;
  return row != nullptr ? default_in(*row, field, model, usable_bytes) : std::nullopt;
}

std::vector<ProfileDefault> defaults_of(std::string_view profile, std::string_view model, std::int64_t usable_bytes) {
  std::vector<ProfileDefault> defaults;
  if (const Json* const all = profile_part(profile, "defaults"))
    for (const auto& [field, row] : all->items())
      if (std::optional<ProfileDefault> one = default_in(row, field, model, usable_bytes)) defaults.push_back(std::move(*one));
  return defaults;
}

} // namespace plimsoll::io
