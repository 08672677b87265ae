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

struct DefaultRow {
  std::string profile, field, citation;
  std::vector<Tier> tiers;
};

DefaultRow default_row(const std::string& profile, std::string_view field, const Json& json) {
  DefaultRow row{profile, std::string{field}, json.at("citation").text(), {}};
  for (const Json& tier : json.at("values")) row.tiers.push_back({tier.value("below_bytes", std::int64_t{0}), tier.at("value").text(), tier.contains("models") ? tier.at("models").get<std::vector<std::string>>() : std::vector<std::string>{}});
  return row;
}

const std::vector<DefaultRow>& default_rows() {
  static const std::vector<DefaultRow> kRows = [] {
    std::vector<DefaultRow> rows;
    for (const ProfilePart& part : profile_parts("defaults"))
      for (const auto& [field, json] : part.json->items()) rows.push_back(default_row(part.profile, field, json));
    return rows;
  }();
  return kRows;
}

} // namespace

std::optional<ProfileDefault> default_of(std::string_view profile, std::string_view field, std::string_view model, std::int64_t usable_bytes) {
  const auto holds = [&](const Tier& tier) {
    return (tier.below == 0 || usable_bytes < tier.below) && (tier.models.empty() || std::ranges::find(tier.models, model) != tier.models.end());
  };
  for (const DefaultRow& row : default_rows()) {
    if (row.field != field || row.profile != profile) continue;
    for (const Tier& tier : row.tiers)
      if (holds(tier)) return ProfileDefault{tier.value, row.citation};
  }
  return std::nullopt;
}

} // namespace plimsoll::io
