#include "embedded/data.hpp"
#include "io/json.hpp"
#include "io/solve/candidates.hpp"

#include <algorithm>
#include <stdexcept>

namespace plimsoll::io {

namespace {

struct Engine {
  std::vector<std::string> profiles, formats, of;
};

/// core/data/engines.json, once.
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

std::vector<Candidate> weights_by_size(const Catalog& catalog, const Answer& answer) {
  const Model& model = answer.inputs.model;
  const WeightCatalog& weights = catalog.weights();
  const std::optional<WeightScheme> own = weights.find(answer.weights_default);
  const Bytes most = stored_bytes(model, own ? store(model, *own) : answer.inputs.weights);
  std::vector<Candidate> candidates;
  for (const WeightSchemeRow& row : weights.schemes()) {
    if (!loads_weights(answer.profile_id, row)) continue;
    const std::optional<WeightScheme> scheme = weights.find(row.id);
    if (!scheme) continue;
    const Bytes bytes = stored_bytes(model, store(model, *scheme));
    if (bytes <= most || row.id == answer.weights_default) candidates.push_back({row.id, bytes.value});
  }
  std::ranges::stable_sort(candidates, {}, &Candidate::size);
  const auto own_row = std::ranges::find(candidates, answer.weights_default, &Candidate::id); // before others that are as large
  if (own_row != candidates.end()) std::rotate(own_row, own_row + 1, std::ranges::upper_bound(candidates, own_row->size, {}, &Candidate::size));
  return candidates;
}

} // namespace plimsoll::io
