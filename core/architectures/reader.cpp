#include "architectures/reader.hpp"

#include "plimsoll/method/validate.hpp"

#include <cmath>

namespace plimsoll::io {

namespace {

constexpr std::size_t kMostEntries = 20'000; // of a list: twice the layers a model may have

std::string text_of(Range range) { return std::to_string(range.min) + " to " + std::to_string(range.max); }

const Json* member(const Json& object, std::string_view name) {
  if (!object.is_object()) return nullptr;
  const auto at = object.find(std::string{name});
  return at == object.end() || at->is_null() ? nullptr : &*at;
}

} // namespace

const Json* ConfigReader::find(std::string_view name) const {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return member(object_, name);
  const Json* outer = member(object_, name.substr(0, dot));
  return outer == nullptr ? nullptr : member(*outer, name.substr(dot + 1));
}

bool ConfigReader::says_null(const char* name) const {
  const auto at = object_.find(name);
  return at != object_.end() && at->is_null();
}

const Json* ConfigReader::find_any(Names names, std::string_view& found) const {
  for (const char* name : names)
    if (const Json* value = find(name)) return found = name, value;
  return nullptr;
}

std::string ConfigReader::path_of(std::string_view name) const {
  return path_.empty() ? std::string{name} : path_ + "." + std::string{name};
}

void ConfigReader::report_at(std::string path, std::string message, std::string remedy) {
  imported_.issues.push_back({Severity::error, std::move(path), std::move(message), std::move(remedy)});
}

void ConfigReader::report(Severity severity, std::string_view name, std::string message, std::string remedy) {
  imported_.issues.push_back({severity, path_of(name), std::move(message), std::move(remedy)});
}

std::string ConfigReader::where(std::string_view field) const {
  if (overridden(field)) return std::string{field};
  const auto at = sources_.find(field);
  return at == sources_.end() ? std::string{field} : at->second;
}

/// Python writes some whole numbers as 2.0: these count as whole.
std::optional<std::int64_t> ConfigReader::whole(std::string_view name, const Json& value, Range range, const std::string& range_text) {
  constexpr double kExact = 9007199254740992.0; // 2^53
  std::optional<std::int64_t> number;
  if (value.is_number_unsigned()) {
    if (value.get<std::uint64_t>() <= static_cast<std::uint64_t>(range.max)) number = value.get<std::int64_t>();
  } else if (value.is_number_integer()) {
    number = value.get<std::int64_t>();
  } else if (value.is_number_float()) {
    const double real = value.get<double>();
    if (real > -kExact && real < kExact && real == std::trunc(real)) number = static_cast<std::int64_t>(real);
  }
  if (number && *number >= range.min && *number <= range.max) return number;
  report(Severity::error, name, path_of(name) + " is " + quoted(value) + ", where a whole number from " + range_text + " is needed.",
         "Correct the value in the file.");
  return std::nullopt;
}

std::int64_t ConfigReader::use(std::string_view field, std::int64_t value) {
  const std::size_t index = fact_index(*find_field(field));
  imported_.facts.values[index] = value;
  imported_.facts.known.set(index);
  return value;
}

std::int64_t ConfigReader::fact(std::string_view field, std::int64_t standard) {
  const auto at = overrides_.facts.find(field);
  return use(field, at != overrides_.facts.end() ? at->second : standard);
}

std::int64_t ConfigReader::integer(std::string_view field, Names names, std::optional<std::int64_t> standard) {
  const Field& row = *find_field(field);
  if (overridden(field)) return fact(field, 0);
  std::string_view name;
  if (const Json* value = find_any(names, name)) {
    sources_[std::string{field}] = path_of(name);
    return use(field, whole(name, *value, {row.min, row.max}, range_text(row)).value_or(row.min));
  }
  if (!names.empty()) sources_[std::string{field}] = path_of(names.front());
  if (standard) return use(field, *standard);
  report(Severity::error, names.front(), path_of(names.front()) + " is missing: without it the " + std::string{label_of(row)} + " is unknown.",
         "Add it to the file, or paste the whole config.json of the model; or state " + std::string{field} + " yourself.");
  return use(field, row.min);
}

bool ConfigReader::flag(std::string_view field, Names names, bool standard) {
  if (overridden(field)) return fact(field, 0) != 0;
  std::string_view name;
  if (find_any(names, name) != nullptr) sources_[std::string{field}] = path_of(name);
  return use(field, says(names, standard) ? 1 : 0) != 0;
}

std::int64_t ConfigReader::number(NameList names, Range range, std::optional<std::int64_t> standard) {
  std::string_view name;
  if (const Json* value = find_any(Names{names.begin(), names.size()}, name)) return whole(name, *value, range, text_of(range)).value_or(range.min);
  if (standard) return *standard;
  const char* best = *names.begin();
  report(Severity::error, best, path_of(best) + " is missing: without it the model's shape is unknown.",
         "Add it to the file, or paste the whole config.json of the model.");
  return range.min;
}

double ConfigReader::real(NameList names, Range range, double standard) {
  std::string_view name;
  const Json* value = find_any(Names{names.begin(), names.size()}, name);
  if (value == nullptr) return standard;
  if (value->is_number()) {
    const double number = value->get<double>();
    if (number >= static_cast<double>(range.min) && number <= static_cast<double>(range.max)) return number;
  }
  report(Severity::error, name, path_of(name) + " is " + quoted(*value) + ", where a number from " + text_of(range) + " is needed.",
         "Correct the value in the file.");
  return standard;
}

bool ConfigReader::says(Names names, bool standard) {
  std::string_view name;
  const Json* value = find_any(names, name);
  if (value == nullptr) return standard;
  if (value->is_boolean()) return value->get<bool>();
  if (value->is_number_integer() && (*value == 0 || *value == 1)) return *value == 1;
  report(Severity::error, name, path_of(name) + " is " + quoted(*value) + ", where true or false is needed.", "Correct the value in the file.");
  return standard;
}

std::string ConfigReader::text(NameList names, std::string_view standard) {
  std::string_view name;
  const Json* value = find_any(Names{names.begin(), names.size()}, name);
  if (value == nullptr) return std::string{standard};
  if (value->is_string()) return value->get<std::string>();
  report(Severity::error, name, path_of(name) + " is " + quoted(*value) + ", where a name is needed.", "Correct the value in the file.");
  return std::string{standard};
}

std::optional<std::vector<std::int64_t>> ConfigReader::numbers(NameList names, Range range) {
  std::string_view name;
  const Json* value = find_any(Names{names.begin(), names.size()}, name);
  if (value == nullptr) return std::nullopt;
  std::vector<std::int64_t> list;
  if (!value->is_array() || value->size() > kMostEntries) {
    report(Severity::error, name, path_of(name) + " is " + quoted(*value) + ", where a list of at most " + std::to_string(kMostEntries) + " whole numbers is needed.",
           "Correct the value in the file.");
    return list;
  }
  for (const Json& entry : *value) {
    if (entry.is_boolean()) {
      list.push_back(entry.get<bool>() ? 1 : 0);
    } else if (const auto number = whole(name, entry, range, text_of(range))) {
      list.push_back(*number);
    } else {
      return list; // one issue is enough
    }
  }
  return list;
}

std::optional<std::vector<std::string>> ConfigReader::words(NameList names) {
  std::string_view name;
  const Json* value = find_any(Names{names.begin(), names.size()}, name);
  if (value == nullptr) return std::nullopt;
  std::vector<std::string> list;
  const bool good = value->is_array() && value->size() <= kMostEntries &&
                    std::ranges::all_of(*value, [](const Json& entry) { return entry.is_string(); });
  if (good)
    for (const Json& entry : *value) list.push_back(entry.get<std::string>());
  else
    report(Severity::error, name, path_of(name) + " is " + quoted(*value) + ", where a list of at most " + std::to_string(kMostEntries) + " names is needed.",
           "Correct the value in the file.");
  return list;
}

std::optional<ConfigReader> ConfigReader::inside(const char* name) const {
  const Json* value = find(name);
  if (value == nullptr || !value->is_object()) return std::nullopt;
  return ConfigReader{*value, path_of(name), overrides_, imported_};
}

} // namespace plimsoll::io
