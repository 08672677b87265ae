#include "plimsoll/method/fields.hpp"

#include "method/fields/tables.hpp"

#include <vector>

namespace plimsoll {

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

std::span<const Field> model_facts() noexcept { return tables::model(); }

std::size_t fact_index(const Field& field) noexcept {
  for (std::size_t i = 0; i < model_facts().size(); ++i)
    if (model_facts()[i].name == field.name) return i;
  return kMostFacts;
}

const Field* find_field(std::string_view name) noexcept {
  for (const Field& field : fields())
    if (field.name == name) return &field;
  return nullptr;
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

std::string text_of(const Field& field, std::int64_t value) {
  if (field.kind == FieldKind::choice) return std::string{choice_name(field, value)};
  if (field.kind == FieldKind::flag) return value != 0 ? "true" : "false";
  return std::to_string(value);
}

} // namespace plimsoll
