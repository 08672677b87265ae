#pragma once
// JSON as this project uses it: keys keep their order, reading never throws, writing never fails. The library that knows the grammar
// stands behind this header, in json.cpp alone: a hundred files use values, and none of them has to compile it.

#include "text/json_value.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

struct ParsedJson {
  Json value;
  bool ok = false;
  std::string error; ///< a sentence with line and column
  std::vector<std::string> duplicates; ///< keys that stand twice in an object: the last value counts
};

/// What is refused before anything is built.
struct JsonLimits {
  std::size_t bytes = std::size_t{4} << 20;
  std::size_t keys = 10'000; ///< each new key of an object is looked for among all before it
};

/// Refuses texts beyond the limits, and more than 64 levels of nesting.
ParsedJson parse_json(std::string_view text, JsonLimits limits = {});

/// The same for text that Python wrote: its numbers Infinity, -Infinity and NaN, which JSON does not know, become strings of that
/// name, so that whoever needs a number there says so.
ParsedJson parse_python_json(std::string_view text, JsonLimits limits = {});

/// What a text holds, one event after the other. An event that returns false ends the reading.
class JsonEvents {
public:
  virtual ~JsonEvents() = default;
  virtual bool on_null() = 0;
  virtual bool on_boolean(bool value) = 0;
  virtual bool on_integer(std::int64_t value) = 0;   ///< below zero
  virtual bool on_unsigned(std::uint64_t value) = 0; ///< zero and above
  virtual bool on_real(double value, std::string_view text) = 0;
  virtual bool on_string(std::string& text) = 0; ///< may be moved from
  virtual bool on_key(std::string& text) = 0;    ///< may be moved from
  virtual bool on_object_begin() = 0;
  virtual bool on_object_end() = 0;
  virtual bool on_array_begin() = 0;
  virtual bool on_array_end() = 0;
  /// The text is not JSON at this byte, counted from 1, or holds a number that no double does.
  virtual bool on_error(std::size_t byte, bool too_large_a_number) = 0;
};

/// For texts with far more keys than parse_json() takes. True when all of the text was read.
bool read_json_events(std::string_view text, JsonEvents& events);

/// Compact; bytes that are not UTF-8 become U+FFFD.
std::string dump(const Json& value);

/// The same over many lines, two spaces deeper at each level: files that people read.
std::string dump_indented(const Json& value);

/// A value as a person would write it, shortened: for messages.
std::string quoted(const Json& value);

/// Text shortened to what fits a sentence, in quotation marks, invalid UTF-8 replaced.
std::string quoted(std::string_view text);

} // namespace plimsoll::io
