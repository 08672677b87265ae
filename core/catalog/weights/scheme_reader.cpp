#include "catalog/weights/scheme_reader.hpp"

#include "catalog/weights/kind_names.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace plimsoll::io {

namespace {

template <class Value> struct Named {
  std::string_view name;
  Value value;
};

template <class Value, std::size_t n> Value value_named(const std::array<Named<Value>, n>& all, std::string_view name) {
  const auto at = std::ranges::find(all, name, &Named<Value>::name);
  if (at == all.end()) fail_weights("there is no " + std::string{name});
  return at->value;
}

constexpr std::array<Named<LayerSet>, 5> kLayerSets{{{"ends", LayerSet::ends},
                                                     {"first_sixteenth", LayerSet::first_sixteenth},
                                                     {"first_eighth", LayerSet::first_eighth},
                                                     {"middle", LayerSet::middle},
                                                     {"more_bits", LayerSet::more_bits}}};
constexpr std::array<Named<LatentMap>, 3> kLatentMaps{
    {{"joined", LatentMap::joined}, {"split", LatentMap::split}, {"both", LatentMap::both}}};

Count count_at(const Json& row, const char* key) { return Count{row.value(key, std::int64_t{0})}; }

Presence presence_at(const Json& row, const char* key) {
  const auto at = row.find(key);
  if (at == row.end()) return Presence::any;
  return at->get<bool>() ? Presence::yes : Presence::no;
}

WeightFormat format_of(const Json& row, const Arguments& arguments) {
  WeightFormat format;
  format.id = row.value("id", std::string{});
  format.name = row.value("name", std::string{});
  format.citation = row.value("citation", std::string{});
  const auto number = [&](const Json& part, const char* key) {
    const auto at = part.find(key);
    return at == part.end() ? std::int64_t{1} : number_of(*at, arguments);
  };
  for (const Json& part : row.at("parts"))
    format.parts.push_back({.rows = Count{number(part, "rows")},
                            .columns = Count{number(part, "columns")},
                            .bytes = Bytes{number(part, "bytes")},
                            .flat = part.value("flat", false)});
  format.pad_columns = Count{row.value("pad_columns", std::int64_t{1})};
  format.column_multiple = Count{row.value("column_multiple", std::int64_t{1})};
  format.fallback = row.value("fallback", std::string{});
  return format;
}

/// Collects the formats that a scheme needs.
class Formats {
public:
  Formats(const FormatsById& known, std::vector<WeightFormat>& used) : known_(known), used_(used) {}

  std::size_t index(const std::string& id) {
    const auto at = std::ranges::find(used_, id, &WeightFormat::id);
    if (at != used_.end()) return static_cast<std::size_t>(at - used_.begin());
    const auto known = known_.find(id);
    if (known == known_.end()) fail_weights("there is no format " + id);
    used_.push_back(known->second);
    return used_.size() - 1;
  }

  void add_fallbacks() {
    for (std::size_t i = 0; i < used_.size(); ++i)
      if (const std::string fallback = used_[i].fallback; !fallback.empty()) index(fallback);
  }

private:
  const FormatsById& known_;
  std::vector<WeightFormat>& used_;
};

WeightRule rule_of(const Json& row, Formats& formats) {
  WeightRule rule;
  for (const std::string& name : row.value("kinds", std::vector<std::string>{})) {
    const auto kind = kind_named(name);
    if (!kind) fail_weights("there is no kind of tensor " + name);
    rule.kinds |= bit_of(*kind);
  }
  rule.names = row.value("names", std::vector<std::string>{});
  rule.matrix = presence_at(row, "matrix");
  if (const auto layers = row.find("layers"); layers != row.end()) {
    if (layers->is_string()) {
      rule.layers = value_named(kLayerSets, layers->get<std::string>());
    } else {
      rule.layers = LayerSet::first;
      rule.first_layers = Count{layers->at("first").get<std::int64_t>()};
    }
  }
  rule.among_alike = row.value("among_alike", false);
  rule.layer_count = count_at(row, "layer_count");
  rule.gqa_at_least = count_at(row, "gqa_at_least");
  rule.experts = count_at(row, "experts");
  rule.experts_at_least = count_at(row, "experts_at_least");
  rule.tied = presence_at(row, "tied");
  rule.fused = presence_at(row, "fused");
  rule.columns_not_multiple_of = count_at(row, "columns_not_multiple_of");
  rule.format = formats.index(row.at("format").text());
  return rule;
}

} // namespace

void add_formats(const Json& file, FormatsById& formats) {
  if (const auto rows = file.find("formats"); rows != file.end())
    for (const Json& row : *rows) {
      WeightFormat format = format_of(row, {});
      if (!formats.emplace(format.id, format).second) fail_weights("the format " + format.id + " stands twice");
    }
}

WeightScheme scheme_of(const Json& file, const Json& row, const Arguments& arguments, const FormatsById& known) {
  WeightScheme scheme;
  scheme.id = filled(row.at("id").get<std::string>(), arguments);
  scheme.name = filled(row.at("name").get<std::string>(), arguments);
  scheme.citation = row.at("citation").text();
  Formats formats{known, scheme.formats};
  if (const auto own = row.find("format"); own != row.end()) {
    WeightFormat format = format_of(*own, arguments);
    format.id = scheme.id;
    format.name = scheme.name;
    format.citation = scheme.citation;
    scheme.formats.push_back(std::move(format));
  } else {
    formats.index(row.at("default").text());
  }
  const auto rules = row.find("rules");
  for (const Json& rule : rules == row.end() ? Json::array() : *rules) {
    if (const auto set = rule.find("use"); set != rule.end()) {
      for (const Json& shared : file.at("rule_sets").at(set->get<std::string>())) scheme.rules.push_back(rule_of(shared, formats));
    } else {
      scheme.rules.push_back(rule_of(rule, formats));
    }
  }
  formats.add_fallbacks();
  scheme.latent_map = value_named(kLatentMaps, row.value("latent_map", std::string{"joined"}));
  scheme.rotary_factor_bytes = Bytes{row.value("rotary_factor_bytes", std::int64_t{0})};
  scheme.compute_bytes = Bytes{row.value("compute_bytes", std::int64_t{2})};
  return scheme;
}

} // namespace plimsoll::io
