#include "catalog/defaults.hpp"

#include "embedded/data.hpp"
#include "text/json.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace plimsoll::io {

namespace {

/// A value for devices with less memory than so much; 0 = of any size.
struct Tier {
  std::int64_t below = 0;
  std::string value;
};

struct DefaultRow {
  std::vector<std::string> profiles;
  std::string field, citation;
  std::vector<Tier> tiers;
};

DefaultRow default_row(const Json& json) {
  DefaultRow row{json.at("profiles").get<std::vector<std::string>>(), json.at("field").text(), json.at("citation").text(), {}};
  for (const Json& tier : json.at("values")) row.tiers.push_back({tier.value("below_bytes", std::int64_t{0}), tier.at("value").text()});
  return row;
}

const std::vector<DefaultRow>& default_rows() {
  static const std::vector<DefaultRow> kRows = [] {
    const ParsedJson parsed = parse_json(data::file("defaults.json"));
    if (!parsed.ok) throw std::runtime_error("defaults: " + parsed.error);
    std::vector<DefaultRow> rows;
    for (const Json& row : parsed.value.at("rows")) rows.push_back(default_row(row));
    return rows;
  }();
  return kRows;
}

} // namespace

std::optional<ProfileDefault> default_of(std::string_view profile, std::string_view field, std::int64_t usable_bytes) {
  for (const DefaultRow& row : default_rows()) {
    if (row.field != field || std::ranges::find(row.profiles, profile) == row.profiles.end()) continue;
    for (const Tier& tier : row.tiers)
      if (tier.below == 0 || usable_bytes < tier.below) return ProfileDefault{tier.value, row.citation};
  }
  return std::nullopt;
}

} // namespace plimsoll::io
