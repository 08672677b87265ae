#include "io/huggingface/reader.hpp"

#include "plimsoll/fields.hpp"
#include "plimsoll/validate.hpp"

namespace plimsoll::io {

const Json* ConfigReader::find(const char* name) const {
  const auto at = object_.find(name);
  return at == object_.end() || at->is_null() ? nullptr : &*at;
}

std::string ConfigReader::path_of(std::string_view name) const {
  return path_.empty() ? std::string{name} : path_ + "." + std::string{name};
}

void ConfigReader::report(Severity severity, std::string_view name, std::string message, std::string remedy) {
  issues_.push_back({severity, path_of(name), std::move(message), std::move(remedy)});
}

std::int64_t ConfigReader::integer(std::string_view field, std::initializer_list<const char*> names,
                                   std::optional<std::int64_t> standard) {
  const Field& row = *find_field(field);
  const std::string range = range_text(row);
  for (const char* name : names) {
    const Json* value = find(name);
    if (value == nullptr) continue;
    const bool too_large = value->is_number_unsigned() && value->get<std::uint64_t>() > static_cast<std::uint64_t>(row.max);
    if (value->is_number_integer() && !too_large) {
      const auto number = value->get<std::int64_t>();
      if (number >= row.min && number <= row.max) return number;
    }
    report(Severity::error, name, path_of(name) + " is " + quoted(*value) + ", where a whole number from " + range + " is needed.",
           "Correct the value in the file.");
    return row.min;
  }
  if (standard) return *standard;
  const char* name = *names.begin();
  report(Severity::error, name, path_of(name) + " is missing: without it the " + std::string{row.label} + " is unknown.",
         "Add it to the file, or paste the whole config.json of the model.");
  return row.min;
}

bool ConfigReader::flag(const char* name, bool standard) {
  const Json* value = find(name);
  if (value == nullptr) return standard;
  if (value->is_boolean()) return value->get<bool>();
  report(Severity::error, name, path_of(name) + " is " + quoted(*value) + ", where true or false is needed.", "Correct the value in the file.");
  return standard;
}

} // namespace plimsoll::io
