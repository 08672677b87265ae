#pragma once
// The JSON library, and how this project uses it: keys keep their order, parsing never throws past here, output never fails.

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

// Its members are compiled once, in json.cpp, instead of in each of a hundred files.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace plimsoll::io {

using Json = nlohmann::ordered_json;

struct ParsedJson {
  Json value;
  bool ok = false;
  std::string error; ///< a sentence with line and column
};

/// What is refused before anything is built.
struct JsonLimits {
  std::size_t bytes = std::size_t{4} << 20;
  std::size_t keys = 10'000; ///< the library looks for each new key of an object among all before it
};

/// Refuses texts beyond the limits, and more than 64 levels of nesting.
ParsedJson parse_json(std::string_view text, JsonLimits limits = {});

/// The same for text that Python wrote: its numbers Infinity, -Infinity and NaN, which JSON does not know, become strings of that
/// name, so that whoever needs a number there says so.
ParsedJson parse_python_json(std::string_view text, JsonLimits limits = {});

/// Compact; bytes that are not UTF-8 become U+FFFD.
std::string dump(const Json& value);

/// A value as a person would write it, shortened: for messages.
std::string quoted(const Json& value);

/// Text shortened to what fits a sentence, in quotation marks, invalid UTF-8 replaced.
std::string quoted(std::string_view text);

} // namespace plimsoll::io
