#include "files/training/toml.hpp"

#define TOML_EXCEPTIONS 0 // errors come as values
#define TOML_ENABLE_FORMATTERS 0 // nothing is written by it
#define TOML_INT_CHARCONV 1 // as Emscripten has it since then
// What the library asserts, and has the compiler assume where NDEBUG is, does not hold for all texts: "[{" has no key where its parse_key() asserts
// one, and its next line says so in an error, if it is let.
#define TOML_ASSERT(expr) static_assert(true)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <algorithm>
#include <cstdint>
#include <string>

namespace plimsoll::io::configs {

namespace {

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

  Json of(const toml::node& node) {
    if (++count_ > most_) return nullptr;
    switch (node.type()) {
      case toml::node_type::table: {
        Json value = Json::object();
        for (const auto& [key, below] : *node.as_table()) value[std::string{key.str()}] = of(below);
        return value;
      }
      case toml::node_type::array: {
        Json value = Json::array();
        for (const toml::node& item : *node.as_array()) value.push_back(of(item));
        return value;
      }
      case toml::node_type::string: return Json(node.as_string()->get());
      case toml::node_type::boolean: return Json(node.as_boolean()->get());
      case toml::node_type::floating_point: return Json(node.as_floating_point()->get());
      case toml::node_type::integer: {
        const std::int64_t number = node.as_integer()->get();
        return number >= 0 ? Json(static_cast<std::uint64_t>(number)) : Json(number);
      }
      case toml::node_type::none: return nullptr;
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
  const toml::parse_result result = toml::parse(text);
  if (!result) {
    const toml::source_position place = result.error().source().begin;
    parsed.error = "The text is not valid TOML: it goes wrong at line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ".";
    parsed.remedy = "Write key = value with texts in quotes, each key and each [section] once.";
    return parsed;
  }
  Converter converter{limits.values};
  parsed.value = converter.of(result.table());
  parsed.ok = !converter.too_many();
  if (!parsed.ok) parsed.error = "The TOML has more than " + std::to_string(limits.values) + " keys and values.";
  return parsed;
}

} // namespace plimsoll::io::configs
