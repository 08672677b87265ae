#include "catalog/engines.hpp"

#include "embedded/data.hpp"
#include "text/json.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace plimsoll::io {

namespace {

struct Engine {
  std::vector<std::string> profiles, formats, of;
};

/// core/catalog/data/engines.json, once.
const std::vector<Engine>& engines() {
  static const std::vector<Engine> kEngines = [] {
    std::vector<Engine> all;
    for (const data::File& file : data::files()) {
      if (file.name != "engines.json") continue;
      const ParsedJson parsed = parse_json(file.bytes);
      if (!parsed.ok) throw std::runtime_error("engines: " + parsed.error);
      for (const Json& row : parsed.value.at("rows"))
        all.push_back({row.at("profiles").get<std::vector<std::string>>(), row.at("formats").get<std::vector<std::string>>(),
                       row.at("of").get<std::vector<std::string>>()});
    }
    return all;
  }();
  return kEngines;
}

/// "gptq_*" takes every id that begins so.
bool matches(std::string_view pattern, std::string_view id) {
  return pattern.ends_with('*') ? id.starts_with(pattern.substr(0, pattern.size() - 1)) : id == pattern;
}

} // namespace

bool loads_weights(std::string_view profile, const WeightSchemeRow& row) {
  const auto engine = std::ranges::find_if(engines(), [&](const Engine& one) { return std::ranges::find(one.profiles, profile) != one.profiles.end(); });
  if (engine == engines().end()) return true;
  return std::ranges::find(engine->of, row.engine) != engine->of.end() ||
         std::ranges::any_of(engine->formats, [&](const std::string& pattern) { return matches(pattern, row.id); });
}

} // namespace plimsoll::io
