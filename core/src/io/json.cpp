#include "io/json.hpp"

#include <algorithm>
#include <vector>

template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace plimsoll::io {

namespace {

constexpr std::size_t kShown = 60;
// The library writes and destroys values by recursion.
constexpr std::size_t kMostDepth = 64;

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

/// Text in which Python's numbers are quoted, and where quotes were put in: errors must name places of the original.
struct Quoted {
  std::string text;
  std::vector<std::size_t> inserted; ///< positions in `text`, ascending

  std::size_t original(std::size_t byte) const {
    return byte - static_cast<std::size_t>(std::ranges::lower_bound(inserted, byte) - inserted.begin());
  }
};

Quoted quote_python_numbers(std::string_view text) {
  static constexpr std::string_view kNumbers[] = {"-Infinity", "Infinity", "NaN"};
  Quoted quoted;
  quoted.text.reserve(text.size());
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\' && i + 1 < text.size()) quoted.text += text[i++];
      else if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '-' || c == 'I' || c == 'N') {
      const auto number = std::ranges::find_if(kNumbers, [&](std::string_view word) { return text.substr(i).starts_with(word); });
      if (number != std::end(kNumbers)) {
        quoted.inserted.push_back(quoted.text.size());
        quoted.text += '"' + std::string{*number};
        quoted.inserted.push_back(quoted.text.size());
        quoted.text += '"';
        i += number->size() - 1;
        continue;
      }
    }
    quoted.text += text[i];
  }
  return quoted;
}

/// `text` is what is parsed, `original` what somebody wrote, in which `place_of` finds a byte of `text` again.
template <class PlaceOf> ParsedJson parse(std::string_view text, std::string_view original, JsonLimits limits, PlaceOf place_of) {
  ParsedJson parsed;
  if (original.size() > limits.bytes) {
    parsed.error = "The text is " + std::to_string(original.size()) + " bytes long; at most " + std::to_string(limits.bytes) + " are read.";
    return parsed;
  }
  const Shape shape = shape_of(text);
  if (shape.keys > limits.keys) {
    parsed.error = "The JSON has more than " + std::to_string(limits.keys) + " keys.";
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
    parsed.error = "The text is not valid JSON: it goes wrong at " + place(original, place_of(error.byte)) + ".";
  } catch (const Json::exception&) { // a number outside what a double holds
    parsed.error = "The JSON holds a number that is too large to read.";
  }
  return parsed;
}

} // namespace

ParsedJson parse_json(std::string_view text, JsonLimits limits) {
  return parse(text, text, limits, [](std::size_t byte) { return byte; });
}

ParsedJson parse_python_json(std::string_view text, JsonLimits limits) {
  if (text.size() > limits.bytes) return parse_json(text, limits);
  const Quoted quoted = quote_python_numbers(text);
  return parse(quoted.text, text, limits, [&](std::size_t byte) { return quoted.original(byte); });
}

std::string dump(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string quoted(const Json& value) { return shortened(dump(value)); }

std::string quoted(std::string_view text) {
  std::string valid = dump(Json(std::string{text.substr(0, 4 * kShown)}));
  valid = valid.substr(1, valid.size() - 2);
  return "“" + shortened(valid) + "”";
}

} // namespace plimsoll::io
