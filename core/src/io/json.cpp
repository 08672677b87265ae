#include "io/json.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

constexpr std::size_t kShown = 60;
// The library writes and destroys values by recursion, and looks for each new key among all before it: both must be bounded
// before anything is built.
constexpr std::size_t kMostDepth = 64;
constexpr std::size_t kMostKeys = 10'000;

std::string place(std::string_view text, std::size_t byte) {
  std::size_t line = 1, column = 1;
  for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
    if (text[i] == '\n') ++line, column = 1;
    else ++column;
  }
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

std::string shortened(std::string text) {
  if (text.size() <= kShown) return text;
  std::size_t cut = kShown;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut; // not inside a UTF-8 sequence
  return text.substr(0, cut) + "…";
}

/// What a text would build, read off its punctuation outside strings.
struct Shape {
  std::size_t depth = 0; ///< of nested brackets
  std::size_t keys = 0;
};

Shape shape_of(std::string_view text) {
  Shape shape;
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      else if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      shape.depth = std::max(shape.depth, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    } else if (c == ':') {
      ++shape.keys;
    }
  }
  return shape;
}

} // namespace

ParsedJson parse_json(std::string_view text, std::size_t most_bytes) {
  ParsedJson parsed;
  if (text.size() > most_bytes) {
    parsed.error = "The text is " + std::to_string(text.size()) + " bytes long; at most " + std::to_string(most_bytes) + " are read.";
    return parsed;
  }
  const Shape shape = shape_of(text);
  if (shape.keys > kMostKeys) {
    parsed.error = "The JSON has more than " + std::to_string(kMostKeys) + " keys.";
    return parsed;
  }
  if (shape.depth > kMostDepth) {
    parsed.error = "The JSON is nested more than " + std::to_string(kMostDepth) + " levels deep.";
    return parsed;
  }
  try {
    parsed.value = Json::parse(text);
    parsed.ok = true;
  } catch (const Json::parse_error& error) {
    parsed.error = "The text is not valid JSON: it goes wrong at " + place(text, error.byte) + ".";
  } catch (const Json::exception&) { // a number outside what a double holds
    parsed.error = "The JSON holds a number that is too large to read.";
  }
  return parsed;
}

std::string dump(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string quoted(const Json& value) { return shortened(dump(value)); }

std::string quoted(std::string_view text) {
  std::string valid = dump(Json(std::string{text.substr(0, 4 * kShown)}));
  valid = valid.substr(1, valid.size() - 2);
  return "“" + shortened(valid) + "”";
}

} // namespace plimsoll::io
