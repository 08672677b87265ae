#include "catalog/quantization/reader.hpp"

#include "text/value.hpp"

#include <limits>

namespace plimsoll::io {

const Json* ObjectReader::member(const char* key) const {
  if (!object_->is_object()) return nullptr;
  const auto at = object_->find(key);
  return at == object_->end() || at->is_null() ? nullptr : &*at;
}

bool ObjectReader::has(const char* key) const { return member(key) != nullptr; }

std::string ObjectReader::field(std::string_view key) const {
  if (key.empty()) return path_;
  return path_.empty() ? std::string{key} : path_ + "." + std::string{key};
}

void ObjectReader::error(std::string_view key, std::string message, std::string remedy) const {
  issues_->push_back({Severity::error, field(key), std::move(message), std::move(remedy)});
}

void ObjectReader::note(std::string_view key, std::string message, std::string remedy) const {
  issues_->push_back({Severity::note, field(key), std::move(message), std::move(remedy)});
}

namespace {

std::string range_text(std::int64_t from, std::int64_t to) { return std::to_string(from) + " to " + std::to_string(to); }

} // namespace

std::optional<std::int64_t> ObjectReader::integer(const char* key, std::optional<std::int64_t> otherwise, std::int64_t from,
                                                  std::int64_t to) const {
  const Json* value = member(key);
  if (value == nullptr) {
    if (!otherwise) error(key, "'" + std::string{key} + "' is missing.", "State a whole number from " + range_text(from, to) + ".");
    return otherwise;
  }
  if (value->is_number_integer()) {
    // Unsigned numbers beyond the signed range would wrap around.
    const bool fits = !value->is_number_unsigned() ||
                      value->get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (fits)
      if (const auto number = value->get<std::int64_t>(); number >= from && number <= to) return number;
  }
  error(key, "'" + std::string{key} + "' is " + quoted(*value) + ".", "State a whole number from " + range_text(from, to) + ".");
  return std::nullopt;
}

std::optional<std::int64_t> ObjectReader::hundredths(const char* key, std::optional<std::int64_t> otherwise, std::int64_t from,
                                                     std::int64_t to) const {
  const Json* value = member(key);
  if (value == nullptr && otherwise) return otherwise;
  if (value != nullptr && value->is_number()) {
    const double scaled = value->get<double>() * 100 + 0.5;
    if (scaled >= static_cast<double>(from) && scaled < static_cast<double>(to) + 1) return static_cast<std::int64_t>(scaled);
  }
  error(key, "'" + std::string{key} + "' is " + (value == nullptr ? std::string{"missing"} : quoted(*value)) + ".",
        "State a number from " + std::to_string(from / 100) + " to " + std::to_string(to / 100) + ".");
  return std::nullopt;
}

bool ObjectReader::flag(const char* key, bool otherwise) const {
  const Json* value = member(key);
  if (value == nullptr) return otherwise;
  if (value->is_boolean()) return value->get<bool>();
  error(key, "'" + std::string{key} + "' is " + quoted(*value) + ".", "State true or false.");
  return otherwise;
}

std::string ObjectReader::text(const char* key, std::string_view otherwise) const {
  const Json* value = member(key);
  if (value == nullptr) return std::string{otherwise};
  if (value->is_string()) return lower_case(value->text());
  error(key, "'" + std::string{key} + "' is " + quoted(*value) + ".", "State a text in quotation marks.");
  return std::string{otherwise};
}

std::vector<std::string> ObjectReader::texts(const char* key) const {
  std::vector<std::string> all;
  const Json* value = member(key);
  if (value == nullptr) return all;
  if (value->is_array()) {
    for (const Json& entry : *value) {
      if (!entry.is_string()) {
        error(key, "'" + std::string{key} + "' holds " + quoted(entry) + ".", "State a list of names in quotation marks.");
        return {};
      }
      all.push_back(entry.get<std::string>());
    }
    return all;
  }
  error(key, "'" + std::string{key} + "' is " + quoted(*value) + ".", "State a list of names in quotation marks.");
  return all;
}

std::optional<ObjectReader> ObjectReader::object(const char* key) const {
  const Json* value = member(key);
  if (value == nullptr) return std::nullopt;
  if (value->is_object()) return ObjectReader{*value, field(key), *issues_};
  error(key, "'" + std::string{key} + "' is " + quoted(*value) + ".", "State an object in braces.");
  return std::nullopt;
}

} // namespace plimsoll::io
