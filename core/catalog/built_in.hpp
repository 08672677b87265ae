#pragma once
// Data that are compiled in.

#include "text/json.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace plimsoll::io {

/// The JSON of core/catalog/data/NAME. Malformed data is a defect of the build, found by tests: throws std::runtime_error.
inline Json built_in(std::string_view name, std::string_view bytes) {
  ParsedJson parsed = parse_json(bytes);
  if (!parsed.ok) throw std::runtime_error("core/catalog/data/" + std::string{name} + ": " + parsed.error);
  return std::move(parsed.value);
}

} // namespace plimsoll::io
