#pragma once
// Reads single fields of a config.json, trusting nothing: what is missing, of the wrong kind or out of range becomes an issue
// that names the field by its path.

#include "io/json.hpp"
#include "plimsoll/issue.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::io {

class ConfigReader {
public:
  /// `path` is "" or the name of the object inside the file, e.g. "text_config".
  ConfigReader(const Json& object, std::string path, Issues& issues) : object_(object), path_(std::move(path)), issues_(issues) {}

  /// The first of `names` that is there and not null, as a whole number in the range of the input `field`; `standard` when none
  /// is there; an issue when there is neither.
  std::int64_t integer(std::string_view field, std::initializer_list<const char*> names, std::optional<std::int64_t> standard = {});

  bool flag(const char* name, bool standard);

  /// The value, or null when absent or null in the file.
  const Json* find(const char* name) const;

  std::string path_of(std::string_view name) const;
  void report(Severity severity, std::string_view name, std::string message, std::string remedy);

private:
  const Json& object_;
  std::string path_;
  Issues& issues_;
};

} // namespace plimsoll::io
