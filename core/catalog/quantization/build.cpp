#include "catalog/quantization/build.hpp"

#include "catalog/quantization/modules.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

/// Whether the scheme leaves those tensors alone anyway: such an exception does not make it another one.
bool is_kept(const WeightScheme& scheme, const WeightRule& exception, std::size_t plain) {
  const auto without_conditions = [](const WeightRule& rule) {
    WeightRule plain_rule;
    plain_rule.kinds = rule.kinds;
    plain_rule.format = rule.format;
    return rule == plain_rule;
  };
  const auto covers = [&](const WeightRule& rule) {
    return rule.format == plain && without_conditions(rule) && (exception.kinds & ~rule.kinds) == 0;
  };
  const auto meets = [&](const WeightRule& rule) { return rule.format != plain && (rule.kinds == 0 || (rule.kinds & exception.kinds) != 0); };
  return std::ranges::any_of(scheme.rules, covers) || (plain == 0 && std::ranges::none_of(scheme.rules, meets));
}

} // namespace

bool SchemeBuilder::use(const ObjectReader& reader, std::string_view key, const std::string& id) {
  result_.scheme = catalog_.find(id);
  if (!result_.scheme) {
    std::string near;
    for (const std::string& similar : catalog_.similar(id)) near += (near.empty() ? "" : ", ") + similar;
    reader.error(key, "There is no storage scheme " + quoted(std::string_view{id}) + ".", "Choose the weight format by hand; the nearest are " + near + ".");
    return false;
  }
  result_.id = result_.scheme->id;
  result_.as_listed = true;
  return true;
}

std::size_t SchemeBuilder::index_of(const WeightFormat& format) {
  const auto at = std::ranges::find(scheme().formats, format.id, &WeightFormat::id);
  if (at != scheme().formats.end()) return static_cast<std::size_t>(at - scheme().formats.begin());
  scheme().formats.push_back(format);
  return scheme().formats.size() - 1;
}

std::size_t SchemeBuilder::unquantised() {
  const auto at = std::ranges::find(scheme().formats, "unquantised", &WeightFormat::id);
  if (at != scheme().formats.end()) return static_cast<std::size_t>(at - scheme().formats.begin());
  WeightFormat format;
  format.id = "unquantised";
  format.name = "the model's own format";
  format.parts.push_back({.bytes = Bytes{2}});
  return index_of(format);
}

void SchemeBuilder::put_first(std::vector<WeightRule> rules) {
  if (rules.empty()) return;
  change();
  scheme().rules.insert(scheme().rules.begin(), rules.begin(), rules.end());
}

void SchemeBuilder::tell_unknown(const ObjectReader& reader, std::string_view key, const std::vector<std::string>& unknown) {
  if (unknown.empty()) return;
  std::string shown;
  for (std::size_t i = 0; i < unknown.size() && i < 3; ++i) shown += (i == 0 ? "" : ", ") + quoted(std::string_view{unknown[i]});
  if (unknown.size() > 3) shown += " and " + std::to_string(unknown.size() - 3) + " more";
  reader.note(key, "Not understood as names of modules: " + shown + "; they are counted as the scheme stores the rest.",
              "Name modules by their parts, as in model.layers.0.mlp.gate.");
}

void SchemeBuilder::keep(const ObjectReader& reader, std::string_view key, const std::vector<std::string>& texts) {
  std::vector<std::string> unknown;
  const std::size_t plain = unquantised();
  std::vector<WeightRule> rules = rules_for(texts, plain, unknown);
  std::erase_if(rules, [&](const WeightRule& rule) { return is_kept(scheme(), rule, plain); });
  put_first(std::move(rules));
  tell_unknown(reader, key, unknown);
}

void SchemeBuilder::keep_head() {
  WeightRule rule;
  rule.kinds = bit_of(TensorKind::head);
  rule.format = unquantised();
  put_first({rule});
}

void SchemeBuilder::store_as(const ObjectReader& reader, std::string_view key, const std::vector<std::string>& texts,
                             const WeightFormat& format) {
  std::vector<std::string> unknown;
  std::vector<WeightRule> rules = rules_for(texts, index_of(format), unknown);
  for (WeightRule& rule : rules) rule.matrix = Presence::yes;
  put_first(std::move(rules));
  tell_unknown(reader, key, unknown);
}

} // namespace plimsoll::io
