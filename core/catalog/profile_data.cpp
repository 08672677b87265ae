#include "catalog/profile_data.hpp"

#include "embedded/data.hpp"

#include <map>
#include <stdexcept>
#include <string>

namespace plimsoll::io {

namespace {

bool is_of_profiles(std::string_view name) {
  return name.starts_with("profiles/") || name.starts_with("efficiency/") || name == "operations.json" || name == "losses.json" || name == "recompute.json" || name == "sharding.json";
}

std::map<std::string_view, Json> parse_all() {
  std::map<std::string_view, Json> files;
  for (const data::File& file : data::files()) {
    if (!is_of_profiles(file.name)) continue;
    ParsedJson parsed = parse_json(file.bytes);
    if (!parsed.ok) throw std::runtime_error("profiles: " + std::string{file.name} + ": " + parsed.error);
    files.emplace(file.name, std::move(parsed.value));
  }
  return files;
}

} // namespace

const Json& profile_data(std::string_view name) {
  static const std::map<std::string_view, Json> kFiles = parse_all();
  return kFiles.at(name);
}

} // namespace plimsoll::io
