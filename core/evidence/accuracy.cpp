#include "plimsoll/evidence/accuracy_summary.hpp"

#include "evidence/row.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace plimsoll::io {

namespace {

constexpr const char* kRemedy = "Give a file of rows: questions with what was measured, as docs/evidence.md has them.";
constexpr JsonLimits kLimits{.bytes = std::size_t{64} << 20, .keys = 2'000'000};

/// The rows of a file: the whole array, or the array under "rows".
const Json* rows_of(const Json& file) {
  if (file.is_array()) return &file;
  if (!file.is_object()) return nullptr;
  const auto rows = file.find("rows");
  return rows != file.end() && rows->is_array() ? &*rows : nullptr;
}

/// JSON Lines: a row a line, and more than one.
bool is_lines(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n"), end = text.find('\n', first);
  return first != std::string_view::npos && text[first] == '{' && end != std::string_view::npos && parse_python_json(text.substr(first, end - first), kLimits).ok;
}

Accuracy compare_lines(const Catalog& catalog, std::string_view text, const RowFiles& files) {
  Accuracy result;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (row.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    ParsedJson parsed = parse_python_json(row, kLimits);
    if (parsed.ok) accuracy::compare_row(catalog, parsed.value, files, result.rows);
    else result.issues.push_back({Severity::error, "line " + std::to_string(line), parsed.error, kRemedy});
  }
  return result;
}

/// Whole numbers stay whole; a decimal is the nearest double, which prints as the decimal again.
Json number(std::int64_t value, int decimals) {
  if (decimals <= 0) return value;
  return static_cast<double>(value) / accuracy::power_of_ten(decimals);
}

Json optional_number(std::optional<std::int64_t> value, int decimals) { return value ? number(*value, decimals) : Json(nullptr); }

Json object_of(const Comparison& row) {
  const auto predicted = [&](std::int64_t value) { return row.modelled ? number(value, row.decimals) : Json(nullptr); };
  const std::optional<double> error = error_of(row), unexplained = unexplained_error_of(row);
  return {{"id", row.id},
          {"group", row.group},
          {"status", row.modelled ? "modelled" : "not_covered"},
          {"reason", row.reason},
          {"metric", row.metric},
          {"memory", row.memory},
          {"unit", row.unit},
          {"predicted", predicted(row.predicted)},
          {"low", predicted(row.low)},
          {"high", predicted(row.high)},
          {"measured", optional_number(row.measured, row.decimals)},
          {"measured_is_rounded", row.measured_is_rounded},
          {"digit", number(row.digit, row.decimals)},
          {"error", error ? Json(*error) : Json(nullptr)},
          {"unexplained_error", unexplained ? Json(*unexplained) : Json(nullptr)},
          {"difference", optional_number(difference_of(row), row.decimals)},
          {"explained", number(row.explained, row.decimals)},
          {"config", row.config},
          {"twin", row.twin},
          {"set", row.set},
          {"profile", row.profile},
          {"features", row.features},
          {"assumed", row.assumed},
          {"scenario", row.scenario}};
}

} // namespace

Accuracy compare(const Catalog& catalog, std::string_view text, const RowFiles& files) {
  Accuracy result;
  const ParsedJson parsed = parse_python_json(text, kLimits);
  if (!parsed.ok && is_lines(text)) return compare_lines(catalog, text, files);
  if (!parsed.ok) {
    result.issues.push_back({Severity::error, "", parsed.error, kRemedy});
    return result;
  }
  if (parsed.value.is_object() && parsed.value.find("measured") != parsed.value.end()) { // JSON Lines of one line
    accuracy::compare_row(catalog, parsed.value, files, result.rows);
    return result;
  }
  const Json* rows = rows_of(parsed.value);
  if (rows == nullptr) {
    result.issues.push_back({Severity::error, "", "The file holds no array of rows.", kRemedy});
    return result;
  }
  for (const Json& row : *rows) accuracy::compare_row(catalog, row, files, result.rows);
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

std::optional<double> unexplained_error_of(const Comparison& comparison) noexcept {
  if (!comparison.modelled || !comparison.measured) return std::nullopt;
  const std::int64_t excess = (Count{comparison.predicted} + Count{comparison.explained} - Count{*comparison.measured}).value;
  if (excess == 0) return 0.0;
  if (*comparison.measured == 0) return excess > 0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  return static_cast<double>(excess) / static_cast<double>(*comparison.measured);
}

bool is_summed(const Comparison& comparison) noexcept { return comparison.twin.empty() && comparison.set.empty(); }

std::string corpora_json(const std::vector<Corpus>& corpora) {
  const auto is_empty = [](const Json& value) { return value == Json("") || value == Json(false) || (value.is_array() && value.empty()); };
  std::string text = "{\"corpora\": [";
  Accuracy all;
  for (const Corpus& corpus : corpora) {
    text += (text.back() == '[' ? "\n{\"name\": " : ",\n{\"name\": ") + dump(corpus.name) + ", \"rows\": [";
    for (const Comparison& row : corpus.accuracy.rows) {
      const Json whole = object_of(row);
      Json lean = Json::object();
      for (const auto& [key, value] : whole.items())
        if (!is_empty(value) && (key != "digit" || row.digit != 0)) lean[key] = value;
      text += (text.back() == '[' ? "\n" : ",\n") + dump(lean);
    }
    text += "\n]}";
    std::ranges::copy(corpus.accuracy.rows, std::back_inserter(all.rows));
  }
  return text + "\n], \"summaries\": " + summaries_json(summaries_of(all)) + "}";
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
