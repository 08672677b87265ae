#pragma once
// The JSON library, and how this project uses it: keys keep their order, parsing never throws past here, output never fails.

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace plimsoll::io {

using Json = nlohmann::ordered_json;

struct ParsedJson {
  Json value;
  bool ok = false;
  std::string error; ///< a sentence with line and column
};

/// Refuses texts larger than `most_bytes`, more than 64 levels of nesting, and more than 10,000 keys.
ParsedJson parse_json(std::string_view text, std::size_t most_bytes = std::size_t{4} << 20);

/// Compact; bytes that are not UTF-8 become U+FFFD.
std::string dump(const Json& value);

/// A value as a person would write it, shortened: for messages.
std::string quoted(const Json& value);

/// Text shortened to what fits a sentence, in quotation marks, invalid UTF-8 replaced.
std::string quoted(std::string_view text);

} // namespace plimsoll::io
