#include "evidence/megatron/section.hpp"

#include "plimsoll/method/quantity.hpp"

#include <cmath>

namespace plimsoll::io::accuracy {

namespace {

const Json& member_or_empty(const Json& row, const char* name) {
  static const Json kEmpty = Json::object();
  if (!row.is_object()) return kEmpty;
  const auto at = row.find(name);
  return at != row.end() && at->is_object() ? *at : kEmpty;
}

std::optional<std::int64_t> whole(const Json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(Count::kMax)) return std::nullopt;
  return value.get<std::int64_t>();
}

} // namespace

Section::Section(const Json& row, const char* name, Reading& reading) : Section(row, name, reading, std::string{name} + ".") {}

Section::Section(const Json& row, const char* name, Reading& reading, std::string path)
    : object_(&member_or_empty(row, name)), reading_(&reading), path_(std::move(path)) {}

const Json* Section::find(const char* key) const {
  const auto at = object_->find(key);
  return at != object_->end() && !at->is_null() ? &*at : nullptr;
}

std::int64_t Section::integer(const char* key, std::int64_t least, std::optional<std::int64_t> standard, std::int64_t most) const {
  if (const std::optional<std::int64_t> value = optional_integer(key, least, most)) return *value;
  if (!standard && !has(key)) reading_->refuse("The row does not say " + path_of(key) + ".");
  return standard.value_or(least);
}

std::optional<std::int64_t> Section::optional_integer(const char* key, std::int64_t least, std::int64_t most) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  const std::optional<std::int64_t> number = whole(*value);
  if (number && *number >= least && *number <= most) return number;
  reading_->refuse(path_of(key) + " is " + quoted(*value) + ", where a whole number from " + std::to_string(least) + " to " + std::to_string(most) + " is needed.");
  return std::nullopt;
}

std::optional<double> Section::real(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (value->is_number() && std::isfinite(value->get<double>())) return value->get<double>();
  reading_->refuse(path_of(key) + " is " + quoted(*value) + ", where a number is needed.");
  return std::nullopt;
}

bool Section::flag(const char* key, bool standard) const {
  const Json* value = find(key);
  if (value == nullptr) return standard;
  if (value->is_boolean()) return value->get<bool>();
  for (const bool meant : {false, true})
    if (*value == Json(meant ? 1 : 0) || *value == Json(meant ? "true" : "false")) return meant;
  reading_->refuse(path_of(key) + " is " + quoted(*value) + ", where true or false is needed.");
  return standard;
}

std::string Section::text(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr) return "";
  if (value->is_string()) return value->get<std::string>();
  reading_->refuse(path_of(key) + " is " + quoted(*value) + ", where text is needed.");
  return "";
}

void Section::refuse_value(const char* key, const std::string& given) const {
  reading_->refuse(path_of(key) + " is " + quoted(std::string_view{given}) + ", which is not known here.");
}

} // namespace plimsoll::io::accuracy
