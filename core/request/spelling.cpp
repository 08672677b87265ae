#include "request/spelling.hpp"

#include "plimsoll/method/fields.hpp"
#include "request/meaning.hpp"
#include "text/json.hpp"
#include "text/plain_values.hpp"
#include "text/value.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

std::string own_id(const Catalog& catalog, const Field& field, const std::string& text) {
  const std::string word = lower_case(text);
  if (field.name == "device") {
    const DeviceRow* const row = catalog.find_device(word);
    return row != nullptr ? row->hardware.id : text;
  }
  if (field.name == "profile") return catalog.find_profile(word) ? word : text;
  if (field.name == "weight_dtype") {
    const std::optional<WeightScheme> scheme = catalog.weights().find(word);
    return scheme ? scheme->id : text;
  }
  if (field.name == "model" && word == kCustomModel) return word;
  const ModelRow* const row = catalog.find_model(word); // the scenario's model, or that of a role
  return row != nullptr ? row->id : text;
}

} // namespace

Request in_own_spelling(const Catalog& catalog, const Request& request, Issues& notes) {
  Request own;
  Issues ignored;
  const Request meant = as_meant(catalog, request, notes);
  for (const Entry& entry : meant.entries()) {
    const Field* const field = find_field(entry.name);
    if (field == nullptr || field->kind == FieldKind::text) {
      own.set(entry.name, entry.text);
    } else if (field->kind == FieldKind::id) {
      own.set(entry.name, own_id(catalog, *field, entry.text));
    } else {
      const std::optional<std::int64_t> value = parse_value(*field, entry.text, ignored);
      own.set(entry.name, value ? text_of(*field, *value) : entry.text);
    }
  }
  return own;
}

bool serves(const Request& request) {
  const std::string* const task = request.find("task");
  return task == nullptr || *task == choice_name(*find_field("task"), static_cast<std::int64_t>(Task::inference));
}

PriceKind read_price_kind(const Request& request, Issues& issues) {
  const std::string* const text = request.find("kind");
  const std::string word = text != nullptr ? lower_case(trimmed(*text)) : std::string{};
  if (word.empty()) return PriceKind::on_demand;
  for (std::size_t i = 0; i < kPriceKinds; ++i)
    if (word == name_of(static_cast<PriceKind>(i))) return static_cast<PriceKind>(i);
  issues.push_back({Severity::error, "kind", "kind is " + quoted(std::string_view{*text}) + ", which is not one of its choices.", "Write on_demand, spot, committed or historical."});
  return PriceKind::on_demand;
}

} // namespace plimsoll::io
