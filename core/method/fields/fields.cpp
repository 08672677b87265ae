#include "plimsoll/method/fields.hpp"

#include "method/fields/tables.hpp"

#include <cstddef>
#include <functional>
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

/// In the order in which people should meet them.
struct Table {
  std::span<const Field> (*rows)() noexcept;
  std::span<const tables::Texts> (*texts)() noexcept;
};
constexpr Table kTables[] = {
    {tables::question, tables::question_texts}, {tables::workload, tables::workload_texts}, {tables::job, tables::job_texts},
    {tables::tuning, tables::tuning_texts}, {tables::preference, tables::preference_texts}, {tables::precision, tables::precision_texts},
    {tables::serving, tables::serving_texts}, {tables::optimizer, tables::optimizer_texts}, {tables::recompute, tables::recompute_texts},
    {tables::parallel, tables::parallel_texts}, {tables::pipeline, tables::pipeline_texts}, {tables::sharding, tables::sharding_texts},
    {tables::implementation, tables::implementation_texts}, {tables::hardware, tables::hardware_texts}, {tables::cost, tables::cost_texts},
    {tables::model, tables::model_texts},
};

/// What is told of each row, and of the choices and parts of all rows, one after the other.
struct AllTexts {
  std::vector<tables::Texts> rows, choices;
};

const AllTexts& all_texts() {
  static const AllTexts kAll = [] {
    AllTexts all;
    for (const Table& table : kTables) {
      const std::span<const tables::Texts> texts = table.texts();
      const auto choices = texts.begin() + static_cast<std::ptrdiff_t>(table.rows().size());
      all.rows.insert(all.rows.end(), texts.begin(), choices);
      all.choices.insert(all.choices.end(), choices, texts.end());
    }
    return all;
  }();
  return kAll;
}

/// What the row of that name says; nothing of a field of one's own.
tables::Texts texts_of(const Field& field) {
  const Field* const row = find_field(field.name);
  return row == nullptr ? tables::Texts{} : all_texts().rows[static_cast<std::size_t>(row - fields().data())];
}

tables::Texts texts_of(const Choice& choice) {
  std::size_t before = 0;
  for (const Field& field : fields())
    for (const std::span<const Choice> some : {field.choices, field.parts}) {
      const bool is_here = !std::less{}(&choice, some.data()) && std::less{}(&choice, some.data() + some.size());
      if (is_here) return all_texts().choices[before + static_cast<std::size_t>(&choice - some.data())];
      before += some.size();
    }
  return {};
}

} // namespace

std::span<const Field> fields() noexcept {
  static const std::vector<Field> kAll = [] {
    std::vector<Field> all;
    for (const Table& table : kTables) all.insert(all.end(), table.rows().begin(), table.rows().end());
    return all;
  }();
  return kAll;
}

std::string_view label_of(const Field& field) noexcept { return field.label.empty() ? texts_of(field).label : field.label; }
std::string_view label_of(const Choice& choice) noexcept { return choice.label.empty() ? texts_of(choice).label : choice.label; }
std::string_view help_of(const Field& field) noexcept { return field.help.empty() ? texts_of(field).help : field.help; }
std::string_view help_of(const Choice& choice) noexcept { return choice.help.empty() ? texts_of(choice).help : choice.help; }
std::string_view remedy_of(const Field& field) noexcept { return field.needs.remedy.empty() ? texts_of(field).remedy : field.needs.remedy; }

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
