#include "plimsoll/io/accuracy.hpp"

#include "io/accuracy/rows.hpp"

#include <array>

namespace plimsoll::io {

namespace {

constexpr JsonLimits kLimits{.bytes = std::size_t{64} << 20, .keys = 2'000'000};

/// The rows of a file: the whole array, or the array under "rows".
const Json* rows_of(const Json& file) {
  if (file.is_array()) return &file;
  if (!file.is_object()) return nullptr;
  const auto rows = file.find("rows");
  return rows != file.end() && rows->is_array() ? &*rows : nullptr;
}

Comparison not_covered(const Json& row, std::string reason) {
  Comparison comparison;
  comparison.id = accuracy::text_of(row, "id");
  comparison.reason = std::move(reason);
  return comparison;
}

void compare_row(const Json& row, std::vector<Comparison>& into) {
  static const std::array kSchemas{accuracy::kernels(), accuracy::models()};
  if (!row.is_object()) return into.push_back(not_covered(row, "A row is an object, not " + quoted(row) + "."));
  for (const accuracy::Schema& schema : kSchemas)
    if (schema.matches(row)) return schema.compare(row, into);
  into.push_back(not_covered(row, "Rows of this kind are not covered yet."));
}

Json optional_number(std::optional<std::int64_t> value) { return value ? Json(*value) : Json(nullptr); }

Json object_of(const Comparison& row) {
  const auto predicted = [&](std::int64_t value) { return row.modelled ? Json(value) : Json(nullptr); };
  const std::optional<double> error = error_of(row);
  return {{"id", row.id},
          {"group", row.group},
          {"status", row.modelled ? "modelled" : "not_covered"},
          {"reason", row.reason},
          {"metric", row.metric},
          {"unit", row.unit},
          {"predicted", predicted(row.predicted)},
          {"low", predicted(row.low)},
          {"high", predicted(row.high)},
          {"measured", optional_number(row.measured)},
          {"measured_is_rounded", row.measured_is_rounded},
          {"error", error ? Json(*error) : Json(nullptr)},
          {"difference", optional_number(difference_of(row))},
          {"explained", row.explained},
          {"assumed", row.assumed},
          {"scenario", row.scenario}};
}

} // namespace

namespace accuracy {

std::string text_of(const Json& row, const char* key) {
  if (!row.is_object()) return "";
  const auto at = row.find(key);
  return at != row.end() && at->is_string() ? at->get<std::string>() : "";
}

std::optional<std::int64_t> number_of(const Json& row, const char* key) {
  const auto at = row.find(key);
  if (at == row.end() || !at->is_number_integer()) return std::nullopt;
  if (at->is_number_unsigned() && at->get<std::uint64_t>() > static_cast<std::uint64_t>(Count::kMax)) return std::nullopt;
  return at->get<std::int64_t>();
}

} // namespace accuracy

Accuracy compare(std::string_view text) {
  Accuracy result;
  const std::string remedy = "Give a file of rows, such as models with \"config\" and \"params_total_published\".";
  const ParsedJson parsed = parse_python_json(text, kLimits);
  if (!parsed.ok) {
    result.issues.push_back({Severity::error, "", parsed.error, remedy});
    return result;
  }
  const Json* rows = rows_of(parsed.value);
  if (rows == nullptr) {
    result.issues.push_back({Severity::error, "", "The file holds no array of rows.", remedy});
    return result;
  }
  for (const Json& row : *rows) compare_row(row, result.rows);
  return result;
}

std::optional<std::int64_t> difference_of(const Comparison& comparison) noexcept {
  if (!comparison.modelled || !comparison.measured) return std::nullopt;
  return (Count{*comparison.measured} - Count{comparison.predicted}).value;
}

std::optional<double> error_of(const Comparison& comparison) noexcept {
  if (!comparison.modelled || !comparison.measured || *comparison.measured == 0) return std::nullopt;
  return static_cast<double>(comparison.predicted) / static_cast<double>(*comparison.measured) - 1.0;
}

std::string accuracy_json(const Accuracy& accuracy) {
  std::string text = "[";
  for (const Comparison& row : accuracy.rows) {
    text += text.size() > 1 ? ",\n" : "\n";
    text += dump(object_of(row));
  }
  return text + "\n]";
}

} // namespace plimsoll::io
