#include "files/training/yaml.hpp"

#include "files/training/yaml_error.hpp"

#include <yaml.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll::io::configs {

namespace {

constexpr std::size_t kMostDepth = 64;
constexpr std::size_t kMostAliased = 256; // bytes of a text that aliases may repeat

/// Whole numbers as PyYAML's resolver has them (yaml/resolver.py, tag:yaml.org,2002:int), without octal and sexagesimal ones.
std::optional<Json> number_of(std::string_view text) {
  std::string_view digits = text;
  const bool minus = digits.starts_with('-');
  if (minus || digits.starts_with('+')) digits.remove_prefix(1);
  std::int64_t whole = 0;
  std::size_t count = 0, dots = 0;
  bool plain = true;
  double value = 0, scale = 1;
  std::size_t i = 0;
  for (; i < digits.size(); ++i) {
    const char c = digits[i];
    if (c == '_' && count > 0) continue;
    if (c == '.' && dots == 0) {
      ++dots;
      continue;
    }
    if (c < '0' || c > '9') break;
    if (++count > 18) plain = false;
    else if (dots == 0) whole = whole * 10 + (c - '0');
    if (dots > 0) scale /= 10;
    value = dots > 0 ? value + (c - '0') * scale : value * 10 + (c - '0');
  }
  if (count == 0) return std::nullopt;
  if (i == digits.size()) {
    if (dots > 0) return Json(minus ? -value : value);
    if (!plain) return std::nullopt;
    return minus ? Json(-whole) : Json(static_cast<std::uint64_t>(whole));
  }
  // a float's exponent needs a dot before it and a sign behind the e; "5e8" is a text, which readers of numbers take all the same
  if (dots == 0 || (digits[i] != 'e' && digits[i] != 'E') || i + 2 >= digits.size() || (digits[i + 1] != '-' && digits[i + 1] != '+')) return std::nullopt;
  int exponent = 0;
  for (std::size_t j = i + 2; j < digits.size(); ++j) {
    if (digits[j] < '0' || digits[j] > '9' || exponent > 300) return std::nullopt;
    exponent = exponent * 10 + (digits[j] - '0');
  }
  for (int n = 0; n < exponent && n < 310; ++n) value = digits[i + 1] == '-' ? value / 10 : value * 10;
  return Json(minus ? -value : value);
}

Json scalar_of(std::string_view text, bool quoted) {
  if (quoted) return Json(std::string{text});
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") return Json(nullptr);
  static constexpr std::array<std::string_view, 9> kTrue = {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"};
  static constexpr std::array<std::string_view, 9> kFalse = {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"};
  for (const std::string_view word : kTrue)
    if (text == word) return Json(true);
  for (const std::string_view word : kFalse)
    if (text == word) return Json(false);
  if (auto number = number_of(text)) return *std::move(number);
  return Json(std::string{text});
}

struct DeleteParser {
  void operator()(yaml_parser_t* parser) const {
    yaml_parser_delete(parser);
    delete parser;
  }
};

/// An event that is deleted where it goes out of scope.
struct Event {
  yaml_event_t event{};
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(&event); }
};

class Builder {
public:
  Builder(std::string_view text, TreeLimits limits, ParsedTree& into) : text_(text), parser_(new yaml_parser_t), limits_(limits), into_(into) {
    if (yaml_parser_initialize(parser_.get()) == 0) {
      delete parser_.release(); // nothing to delete in it
      return;
    }
    yaml_parser_set_input_string(parser_.get(), reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }

  void run() {
    if (!parser_) return void(into_.error = "The YAML cannot be read.");
    for (;;) {
      Event event;
      if (yaml_parser_parse(parser_.get(), &event.event) == 0)
        return fail();
      switch (event.event.type) {
        case YAML_SCALAR_EVENT: {
          const auto& scalar = event.event.data.scalar;
          const std::string_view text{reinterpret_cast<const char*>(scalar.value), scalar.length};
          Json value = scalar_of(text, scalar.style != YAML_PLAIN_SCALAR_STYLE);
          if (scalar.anchor != nullptr) anchors_[reinterpret_cast<const char*>(scalar.anchor)] = {value, 1, 0};
          if (!put(text, std::move(value))) return;
          break;
        }
        case YAML_ALIAS_EVENT: {
          const auto named = anchors_.find(reinterpret_cast<const char*>(event.event.data.alias.anchor));
          if (named == anchors_.end() || !fits(named->second)) return refuse_alias(event.event, named != anchors_.end());
          count_ += named->second.values;
          if (!open_.empty()) open_.back().depth = std::max(open_.back().depth, named->second.depth);
          if (!put(plain_text_of(named->second.value), named->second.value)) return;
          break;
        }
        case YAML_SEQUENCE_START_EVENT:
          if (!open(Json::array(), event.event)) return;
          break;
        case YAML_MAPPING_START_EVENT:
          if (!open(Json::object(), event.event)) return;
          break;
        case YAML_SEQUENCE_END_EVENT:
        case YAML_MAPPING_END_EVENT:
          if (!close()) return;
          break;
        case YAML_DOCUMENT_END_EVENT:
          return end();
        case YAML_STREAM_END_EVENT:
          return void(into_.error = "The text is empty.");
        default: break;
      }
    }
  }

private:
  struct Open {
    Json value;
    std::string key, anchor;
    bool has_key = false;
    std::size_t before = 0, depth = 0; ///< values before it, levels within it
    std::vector<std::string> merged;   ///< keys that came with "<<", which others replace
  };

  void fail() {
    YamlError error = yaml_error(*parser_, text_);
    into_.error = std::move(error.message);
    into_.remedy = std::move(error.remedy);
  }

  /// What an anchor stands for, with what it costs to write it out once more.
  struct Anchored {
    Json value;
    std::size_t values = 0, depth = 0;
  };

  /// Written out wherever they stand, aliases can make a small file a huge tree: they count as what they stand for.
  bool fits(const Anchored& anchored) const {
    const bool is_long = anchored.value.is_string() && anchored.value.get<std::string>().size() > kMostAliased;
    return !is_long && count_ + anchored.values <= limits_.values && open_.size() + anchored.depth <= kMostDepth;
  }

  void refuse_alias(const yaml_event_t& event, bool is_known) {
    into_.error = "The alias *" + std::string{reinterpret_cast<const char*>(event.data.alias.anchor)}.substr(0, 40) + " in line " + std::to_string(event.start_mark.line + 1) +
                  (is_known ? " stands for more than is written out here." : " stands for nothing that comes before it.");
    into_.remedy = is_known ? "Write out what is needed of it." : "Write out what the alias stands for.";
  }

  /// What stands behind the document: nothing, or a second one, which must not be lost in silence.
  void end() {
    Event event;
    into_.ok = yaml_parser_parse(parser_.get(), &event.event) != 0 && event.event.type == YAML_STREAM_END_EVENT;
    if (!into_.ok && !into_.value.is_string()) into_.error = "The YAML holds more than one document; give them one by one.";
  }

  bool refuse(std::string sentence) {
    into_.error = std::move(sentence);
    return false;
  }

  bool open(Json value, const yaml_event_t& event) {
    if (open_.size() >= kMostDepth) return refuse("The YAML is nested more than " + std::to_string(kMostDepth) + " levels deep.");
    if (!open_.empty() && open_.back().value.is_object() && !open_.back().has_key)
      return refuse("A key in line " + std::to_string(event.start_mark.line + 1) + " is a list or a section; keys must be words.");
    const yaml_char_t* const anchor = event.type == YAML_MAPPING_START_EVENT ? event.data.mapping_start.anchor : event.data.sequence_start.anchor;
    open_.push_back({std::move(value), "", anchor != nullptr ? reinterpret_cast<const char*>(anchor) : "", false, count_, 0, {}});
    return true;
  }

  bool close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    if (!open_.empty()) open_.back().depth = std::max(open_.back().depth, done.depth + 1);
    if (!done.anchor.empty()) anchors_[done.anchor] = {done.value, count_ - done.before + 1, done.depth + 1};
    return put("", std::move(done.value));
  }

  /// "<<: *base": what the section has not itself (YAML 1.1, https://yaml.org/type/merge.html).
  static bool merge(Open& into, const Json& value) {
    if (!value.is_object()) return false;
    for (const auto& [key, below] : value.items())
      if (!into.value.contains(key)) into.value[key] = below, into.merged.push_back(key);
    return true;
  }

  /// A key, or a value where it belongs.
  bool put(std::string_view text, Json value) {
    if (++count_ > limits_.values) return refuse("The YAML has more than " + std::to_string(limits_.values) + " keys and values.");
    if (open_.empty()) {
      into_.value = std::move(value);
      return true;
    }
    Open& top = open_.back();
    if (top.value.is_array()) {
      top.value.push_back(std::move(value));
    } else if (!top.has_key) {
      top.key = std::string{text};
      top.has_key = true;
    } else {
      top.has_key = false;
      if (top.key == "<<" && merge(top, value)) return true;
      if (top.value.contains(top.key) && std::erase(top.merged, top.key) == 0) into_.duplicates.push_back(top.key);
      top.value[top.key] = std::move(value);
    }
    return true;
  }

  static std::string plain_text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : dump(value); }

  std::string_view text_;
  std::unique_ptr<yaml_parser_t, DeleteParser> parser_;
  TreeLimits limits_;
  ParsedTree& into_;
  std::vector<Open> open_;
  std::map<std::string, Anchored, std::less<>> anchors_;
  std::size_t count_ = 0;
};

} // namespace

ParsedTree parse_yaml(std::string_view text, TreeLimits limits) {
  ParsedTree parsed;
  if (text.size() > limits.bytes) {
    parsed.error = "The text is " + std::to_string(text.size()) + " bytes long; at most " + std::to_string(limits.bytes) + " are read.";
    return parsed;
  }
  Builder{text, limits, parsed}.run();
  return parsed;
}

} // namespace plimsoll::io::configs
