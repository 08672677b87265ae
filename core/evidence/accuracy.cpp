#include "plimsoll/evidence/accuracy_summary.hpp"

#include "evidence/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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

Comparison not_covered(std::string reason) {
  Comparison comparison;
  comparison.reason = std::move(reason);
  return comparison;
}

const auto& schemas() {
  static const std::array kSchemas{accuracy::questions(), accuracy::models(), accuracy::kernels(), accuracy::megatron(), accuracy::peft(), accuracy::published_tables(),
                                   accuracy::measured_training_runs(), accuracy::training_steps_rows(), accuracy::training_runs_rows(), accuracy::measured_inference()};
  return kSchemas;
}

void read_row(const Json& rows, std::size_t index, std::vector<Comparison>& into) {
  const Json& row = rows.at(index);
  for (const accuracy::Schema& schema : schemas())
    if (schema.matches(row)) return schema.compare_among != nullptr ? schema.compare_among(rows, index, into) : schema.compare(row, into);
  const std::string kind = accuracy::text_of(row, "kind");
  into.push_back(not_covered(kind.empty() ? "Rows of this kind are not covered yet." : "Rows of the kind " + io::quoted(std::string_view{kind}) + " are not covered yet."));
}

void fill(std::string& empty, const std::string& text) {
  if (empty.empty()) empty = text;
}

/// What rows of every schema say under the same keys.
void describe(Comparison& comparison, const Json& row) {
  using accuracy::text_of;
  fill(comparison.id, text_of(row, "id"));
  fill(comparison.group, text_of(accuracy::object_at(row, "framework"), "name"));
  fill(comparison.config, text_of(row, "config_id"));
  fill(comparison.twin, text_of(row, "dup_of"));
  if (const std::string run = text_of(row, "run"); run != "first run") fill(comparison.set, run);
  const auto features = row.find("features");
  if (!comparison.features.empty() || features == row.end() || !features->is_array()) return;
  for (const Json& feature : *features)
    if (feature.is_string()) comparison.features.push_back(feature.get<std::string>());
}

void compare_row(const Json& rows, std::size_t index, std::vector<Comparison>& into) {
  const Json& row = rows.at(index);
  if (!row.is_object()) return into.push_back(not_covered("A row is an object, not " + quoted(row) + "."));
  const std::size_t first = into.size();
  read_row(rows, index, into);
  std::for_each(into.begin() + static_cast<std::ptrdiff_t>(first), into.end(), [&](Comparison& comparison) { describe(comparison, row); });
}

/// JSON Lines: a row a line, and more than one.
bool is_lines(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n"), end = text.find('\n', first);
  return first != std::string_view::npos && text[first] == '{' && end != std::string_view::npos && parse_python_json(text.substr(first, end - first), kLimits).ok;
}

Accuracy compare_lines(std::string_view text, const std::string& remedy) {
  Accuracy result;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (row.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    ParsedJson parsed = parse_python_json(row, kLimits);
    if (parsed.ok) compare_row(Json::array({std::move(parsed.value)}), 0, result.rows);
    else result.issues.push_back({Severity::error, "line " + std::to_string(line), parsed.error, remedy});
  }
  return result;
}

double power_of_ten(int decimals) {
  double power = 1;
  for (int i = 0; i < std::clamp(decimals, 0, 9); ++i) power *= 10;
  return power;
}

/// Whole numbers stay whole; a decimal is the nearest double, which prints as the decimal again.
Json number(std::int64_t value, int decimals) {
  if (decimals <= 0) return value;
  return static_cast<double>(value) / power_of_ten(decimals);
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

namespace accuracy {

std::string text_of(const Json& row, const char* key) {
  if (!row.is_object()) return "";
  const auto at = row.find(key);
  return at != row.end() && at->is_string() ? at->get<std::string>() : "";
}

std::optional<std::int64_t> decimal_of(const Json& row, const char* key, int decimals) {
  const auto at = row.find(key);
  if (at == row.end() || !at->is_number()) return std::nullopt;
  if (decimals == 0 && at->is_number_integer()) return number_of(row, key);
  const double scaled = at->get<double>() * power_of_ten(decimals);
  constexpr double kTooLarge = 9'223'372'036'854'775'808.0; // 2^63
  if (!(std::abs(scaled) < kTooLarge)) return std::nullopt;
  return static_cast<std::int64_t>(std::llround(scaled));
}

std::optional<std::int64_t> number_of(const Json& row, const char* key) {
  const auto at = row.find(key);
  if (at == row.end() || !at->is_number()) return std::nullopt;
  if (at->is_number_float()) return std::trunc(at->get<double>()) == at->get<double>() ? decimal_of(row, key, 0) : std::nullopt;
  if (at->is_number_unsigned() && at->get<std::uint64_t>() > static_cast<std::uint64_t>(Count::kMax)) return std::nullopt;
  return at->get<std::int64_t>();
}

const Json& object_at(const Json& row, const char* key) {
  static const Json kNone;
  if (!row.is_object()) return kNone;
  const auto at = row.find(key);
  return at != row.end() && at->is_object() ? *at : kNone;
}

} // namespace accuracy

Accuracy compare(std::string_view text) {
  Accuracy result;
  const std::string remedy = "Give a file of rows, such as models with \"config\" and \"params_total_published\".";
  const ParsedJson parsed = parse_python_json(text, kLimits);
  if (!parsed.ok && is_lines(text)) return compare_lines(text, remedy);
  if (!parsed.ok) {
    result.issues.push_back({Severity::error, "", parsed.error, remedy});
    return result;
  }
  const Json* rows = rows_of(parsed.value);
  if (rows == nullptr) {
    result.issues.push_back({Severity::error, "", "The file holds no array of rows.", remedy});
    return result;
  }
  for (std::size_t i = 0; i < rows->size(); ++i) compare_row(*rows, i, result.rows);
  return result;
}

MeasuredRow read_measured_row(std::string_view row) {
  const ParsedJson parsed = parse_python_json(row, kLimits);
  MeasuredRow none;
  if (!parsed.ok) return none.decline(parsed.error), none;
  if (parsed.value.is_object())
    for (const accuracy::Schema& schema : schemas())
      if (schema.inputs != nullptr && schema.matches(parsed.value)) return schema.inputs(parsed.value);
  return none.decline("Rows of this kind are not covered yet."), none;
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
        if (!is_empty(value)) lean[key] = value;
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
