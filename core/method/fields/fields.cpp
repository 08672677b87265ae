#include "plimsoll/method/fields.hpp"

#include "method/fields/tables.hpp"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace plimsoll {

namespace {

std::string names_of_parts(const Field& field, std::int64_t value) {
  std::string names;
  for (const Choice& part : field.parts)
    if ((value & part.value) != 0) names += (names.empty() ? "" : ",") + std::string{part.name};
  return names;
}

} // namespace

std::span<const Field> fields() noexcept {
  static const std::vector<Field> kAll = [] {
    std::vector<Field> all;
    for (auto table : {tables::question(), tables::workload(), tables::job(), tables::tuning(), tables::preference(), tables::precision(), tables::serving(), tables::optimizer(),
                       tables::recompute(), tables::parallel(), tables::pipeline(), tables::sharding(), tables::implementation(),
                       tables::hardware(), tables::cost(), tables::model()})
      all.insert(all.end(), table.begin(), table.end());
    return all;
  }();
  return kAll;
}

std::span<const Field> model_facts() noexcept { return fields().last(tables::model().size()); }

std::size_t fact_index(const Field& field) noexcept {
  const std::size_t before = fields().size() - model_facts().size();
  const auto at = static_cast<std::size_t>(&field - fields().data());
  return at < before ? kMostFacts : at - before;
}

const Field* find_field(std::string_view name) noexcept {
  static const std::unordered_map<std::string_view, std::size_t> kPlaces = [] { // an answer asks hundreds of times
    std::unordered_map<std::string_view, std::size_t> all;
    for (std::size_t i = 0; i < fields().size(); ++i) all.emplace(fields()[i].name, i);
    for (std::size_t i = 0; i < fields().size(); ++i)
      if (!fields()[i].former.empty()) all.emplace(fields()[i].former, i);
    return all;
  }();
  const auto at = kPlaces.find(name);
  return at == kPlaces.end() ? nullptr : &fields()[at->second];
}

const Choice* find_choice(const Field& field, std::string_view name) noexcept {
  for (const Choice& choice : field.choices)
    if (choice.name == name) return &choice;
  return nullptr;
}

std::string_view choice_name(const Field& field, std::int64_t value) noexcept {
  for (const Choice& choice : field.choices)
    if (choice.value == value) return choice.name;
  return {};
}

std::string text_of(std::span<const std::int64_t> list) {
  std::string text;
  for (const std::int64_t number : list) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

std::string text_of(const Field& field, std::int64_t value) {
  if (field.kind == FieldKind::choice) {
    const std::string_view name = choice_name(field, value);
    return name.empty() ? names_of_parts(field, value) : std::string{name};
  }
  if (field.kind == FieldKind::flag) return value != 0 ? "true" : "false";
  if (field.decimals == 0) return std::to_string(value);
  const auto places = static_cast<std::size_t>(field.decimals);
  std::string digits = std::to_string(value < 0 ? -value : value); // ranges begin at 0; what is below is only told
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  digits.insert(digits.size() - places, ".");
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return (value < 0 ? "-" : "") + digits;
}

} // namespace plimsoll
