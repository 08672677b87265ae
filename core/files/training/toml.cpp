#include "files/training/toml.hpp"

#include <toml.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace plimsoll::io::configs {

namespace {

using Toml = toml::ordered_value; // keys in the order of the file

constexpr std::size_t kMostDepth = 64;

/// Brackets and the dots of one line, read off the punctuation outside strings: the library builds and destroys values by recursion.
std::size_t deepest(std::string_view text) {
  std::size_t depth = 0, dots = 0, most = 0;
  char quote = '\0';
  bool comment = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      dots = 0;
      quote = '\0'; // a string over several lines counts as code: more is refused, never less
      comment = false;
    } else if (comment) {
      continue;
    } else if (quote != '\0') {
      if (c == '\\' && quote == '"') ++i;
      else if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      comment = true;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    } else if (c == '.') {
      ++dots;
    }
    most = std::max(most, depth + dots);
  }
  return most;
}

class Converter {
public:
  explicit Converter(std::size_t most) : most_(most) {}

  Json of(const Toml& node) {
    if (++count_ > most_) return nullptr;
    switch (node.type()) {
      case toml::value_t::table: {
        Json value = Json::object();
        for (const auto& [key, below] : node.as_table()) value[key] = of(below);
        return value;
      }
      case toml::value_t::array: {
        Json value = Json::array();
        for (const Toml& item : node.as_array()) value.push_back(of(item));
        return value;
      }
      case toml::value_t::string: return Json(node.as_string());
      case toml::value_t::boolean: return Json(node.as_boolean());
      case toml::value_t::floating: return Json(node.as_floating());
      case toml::value_t::integer: {
        const std::int64_t number = node.as_integer();
        return number >= 0 ? Json(static_cast<std::uint64_t>(number)) : Json(number);
      }
      case toml::value_t::empty: return nullptr;
      default: return Json("a date or time");
    }
  }

  bool too_many() const { return count_ > most_; }

private:
  std::size_t most_;
  std::size_t count_ = 0;
};

} // namespace

ParsedTree parse_toml(std::string_view text, TreeLimits limits) {
  ParsedTree parsed;
  if (text.size() > limits.bytes) {
    parsed.error = "The text is " + std::to_string(text.size()) + " bytes long; at most " + std::to_string(limits.bytes) + " are read.";
    return parsed;
  }
  if (deepest(text) > kMostDepth) {
    parsed.error = "The TOML is nested more than " + std::to_string(kMostDepth) + " levels deep.";
    return parsed;
  }
  try {
    const auto result = toml::try_parse_str<toml::ordered_type_config>(std::string{text});
    if (result.is_err()) {
      const auto& errors = result.unwrap_err();
      const bool placed = !errors.empty() && !errors.front().locations().empty();
      const std::size_t line = placed ? errors.front().locations().front().first.first_line_number() : 1;
      const std::size_t column = placed ? errors.front().locations().front().first.first_column_number() : 1;
      parsed.error = "The text is not valid TOML: it goes wrong at line " + std::to_string(line) + ", column " + std::to_string(column) + ".";
      parsed.remedy = "Write key = value with texts in quotes, each key and each [section] once.";
      return parsed;
    }
    Converter converter{limits.values};
    parsed.value = converter.of(result.unwrap());
    parsed.ok = !converter.too_many();
    if (!parsed.ok) parsed.error = "The TOML has more than " + std::to_string(limits.values) + " keys and values.";
  } catch (const std::exception&) { // of a number that no integer holds, among others
    parsed.error = "The text is not TOML that can be read.";
  }
  return parsed;
}

} // namespace plimsoll::io::configs
