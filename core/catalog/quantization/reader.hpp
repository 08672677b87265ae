#pragma once
// Reads members of a JSON object that nobody has checked: a missing one takes its default, a malformed one gets an issue.

#include "plimsoll/method/issue.hpp"
#include "text/json.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

class ObjectReader {
public:
  /// Neither the object nor the list is copied.
  ObjectReader(const Json& object, std::string path, Issues& issues) : object_(&object), path_(std::move(path)), issues_(&issues) {}

  bool has(const char* key) const; ///< and it is not null
  const Json* member(const char* key) const; ///< null when it is missing or null

  /// A whole number within the range, or nothing and an issue; the default when it is missing.
  std::optional<std::int64_t> integer(const char* key, std::optional<std::int64_t> otherwise, std::int64_t from, std::int64_t to) const;
  /// A positive number in hundredths: 4.25 -> 425.
  std::optional<std::int64_t> hundredths(const char* key, std::optional<std::int64_t> otherwise, std::int64_t from, std::int64_t to) const;
  bool flag(const char* key, bool otherwise) const;
  /// A text in lower case; the default when it is missing or malformed.
  std::string text(const char* key, std::string_view otherwise = "") const;
  /// Texts; an empty list when it is missing or malformed.
  std::vector<std::string> texts(const char* key) const;
  /// The reader of an object inside; nothing and, unless it is missing, an issue.
  std::optional<ObjectReader> object(const char* key) const;

  std::string field(std::string_view key) const;
  [[gnu::cold]] void error(std::string_view key, std::string message, std::string remedy) const;
  [[gnu::cold]] void note(std::string_view key, std::string message, std::string remedy) const;

  const Json& json() const noexcept { return *object_; }
  Issues& issues() const noexcept { return *issues_; }

private:
  const Json* object_;
  std::string path_;
  Issues* issues_;
};

} // namespace plimsoll::io
