#include "plimsoll/catalog/shown_value.hpp"

#include "plimsoll/catalog/search.hpp"
#include "plimsoll/method/format.hpp"
#include "text/plain_values.hpp"

#include <cstdint>

namespace plimsoll::io {

namespace {

/// " but for 7 tensors" of a mixture of one file; "" of other formats.
std::string stated_tensors(std::string_view id) {
  std::size_t tensors = 0;
  std::string_view last;
  while (id.find('/') != id.npos) {
    id.remove_prefix(id.find('/') + 1);
    const std::string_view tensor = id.substr(0, id.find(':'));
    if (tensor != last) ++tensors; // its layers stand one after the other
    last = tensor;
  }
  return tensors == 0 ? std::string{} : " but for " + std::to_string(tensors) + (tensors == 1 ? " tensor" : " tensors");
}

/// Rows that are found by hashing or are few; the others would be copied for every word of a frame.
std::string name_of_id(const Catalog& catalog, const Field& field, std::string_view id) {
  if (field.name == "device") {
    const DeviceRow* const row = catalog.find_device(id);
    return row != nullptr ? row->hardware.name : std::string{id};
  }
  if (field.name == "model") {
    const ModelRow* const row = catalog.find_model(id);
    return row != nullptr ? row->name : std::string{id};
  }
  const std::vector<SearchRow> rows = rows_of(catalog, field.name);
  const bool is_weights = field.name == "weight_dtype";
  const std::string_view listed = is_weights ? id.substr(0, id.find('/')) : id;
  const SearchRow* const row = find_row(rows, listed);
  return std::string{row != nullptr ? row->name : listed} + (is_weights ? stated_tensors(id) : std::string{});
}

/// "recomputed layers: 1" needs no second word for what is counted.
std::string number_with_unit(const Field& field, std::string_view text) {
  const std::string_view unit = has_text(label_of(field), field.unit) ? std::string_view{} : field.unit;
  if (field.decimals > 0) return std::string{text} + (unit.empty() ? "" : " " + std::string{unit});
  const std::optional<std::int64_t> number = whole_number(text);
  return number ? format_quantity(*number, unit) : std::string{text};
}

} // namespace

std::string shown_weights(std::string_view id) { return std::string{id.substr(0, id.find('/'))} + stated_tensors(id); }

std::string shown_value(const Catalog& catalog, const Field& field, std::string_view text) {
  switch (field.kind) {
    case FieldKind::id: return name_of_id(catalog, field, text);
    case FieldKind::integer: return number_with_unit(field, text);
    case FieldKind::flag: return text == "true" ? "on" : text == "false" ? "off" : std::string{text};
    case FieldKind::choice:
      if (const Choice* const choice = find_choice(field, text)) return std::string{label_of(*choice)};
      break;
    case FieldKind::text: break;
  }
  return std::string{text};
}

std::string shown_entry(const Catalog& catalog, std::string_view field, std::string_view text) {
  const Field* const row = find_field(field);
  return row != nullptr ? std::string{label_of(*row)} + ": " + shown_value(catalog, *row, text) : std::string{field} + ": " + std::string{text};
}

} // namespace plimsoll::io
