// Logical lines, then their values by recursive descent: only calls, names, attributes, literals, lists, and arithmetic of whole numbers.
#include "files/training/python.hpp"

#include "files/training/document.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace plimsoll::io::configs::python {

namespace {

constexpr std::size_t kMostLines = 20'000, kMostDepth = 60, kMostCalls = 2'000;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

struct Line {
  std::size_t number = 1, indent = 0;
  std::string text; ///< without comments; line ends within brackets are blanks
};

/// The end of the literal that begins at `at`, behind its closing quotes.
std::size_t end_of_text(std::string_view text, std::size_t at) {
  const std::string_view one = text.substr(at, 1);
  const bool triple = text.size() >= at + 3 && text[at + 1] == one[0] && text[at + 2] == one[0];
  const std::string_view quotes = triple ? text.substr(at, 3) : one;
  for (std::size_t i = at + quotes.size(); i < text.size(); ++i) {
    if (text[i] == '\\') ++i;
    else if (text.substr(i).starts_with(quotes)) return i + quotes.size();
    else if (text[i] == '\n' && !triple) return i;
  }
  return text.size();
}

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  std::size_t number = 1;
  for (std::size_t i = 0; i < text.size() && lines.size() < kMostLines;) {
    Line line{number, 0, {}};
    while (i < text.size() && is_blank(text[i])) ++i, ++line.indent;
    int open = 0;
    for (; i < text.size() && (text[i] != '\n' || open > 0); ++i) {
      const char c = text[i];
      if (c == '#') {
        i = std::min(text.find('\n', i), text.size()) - 1;
      } else if (c == '"' || c == '\'') {
        const std::size_t end = end_of_text(text, i);
        number += static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i), text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        line.text += text.substr(i, end - i);
        i = end - 1;
      } else if (c == '\n') {
        ++number;
        line.text += ' ';
      } else if (c == '\\' && i + 1 < text.size() && text[i + 1] == '\n') {
        ++number, ++i;
      } else {
        open += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
        line.text += c;
      }
    }
    ++i, ++number;
    while (!line.text.empty() && is_blank(line.text.back())) line.text.pop_back();
    if (!line.text.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

std::string_view word_at(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]) || text[end] == '.')) ++end;
  return text.substr(0, end);
}

class Reader {
public:
  explicit Reader(std::string_view text) : lines_(lines_of(text)) {
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (lines_[i].indent == 0 && lines_[i].text.starts_with("def ")) functions_.emplace(std::string{word_at(std::string_view{lines_[i].text}.substr(4))}, i);
  }

  Module run() {
    Module module;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Line& line = lines_[i];
      if (line.indent == 0 && line.text.starts_with("from ")) take_names(line.text, module);
      if (line.indent > 0 || !line.text.starts_with("def ")) continue;
      const std::string name{word_at(std::string_view{line.text}.substr(4))};
      if (line.text.find("()") != 4 + name.size()) continue; // it takes something
      Built built{name, line.number, {}, true};
      built.value = call(i, built.whole);
      if (built.value.is_object()) module.built.push_back(std::move(built));
    }
    return module;
  }

  std::vector<Json> calls() {
    std::vector<Json> made;
    Names names;
    bool whole = true;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::string_view text = lines_[i].text;
      if (text.starts_with("if False") || text.starts_with("if 0")) {
        while (i + 1 < lines_.size() && lines_[i + 1].indent > lines_[i].indent) ++i;
        continue;
      }
      const std::size_t at = std::min(text.find_first_of("=([{'\""), text.size());
      const bool assigns = at > 0 && at + 1 < text.size() && text[at] == '=' && text[at + 1] != '=' && std::string_view{"!<>+-*/%|&"}.find(text[at - 1]) == std::string_view::npos;
      if (assigns && assign(text, names, whole)) {
        if (const auto own = names.find(word_at(text)); own != names.end() && own->second.is_object() && own->second.contains(kCalled)) made.push_back(own->second);
        continue;
      }
      if (const Json result = value(assigns ? text.substr(at + 1) : text, names, whole); result.is_object() && result.contains(kCalled)) made.push_back(result);
    }
    return made;
  }

private:
  using Names = std::map<std::string, Json, std::less<>>;

  static void take_names(std::string_view text, Module& into) {
    const std::size_t import = text.find(" import ");
    if (import == std::string_view::npos) return;
    const std::string module{text.substr(5, import - 5)};
    std::string_view rest = text.substr(import + 8);
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(','), rest.size());
      std::string_view part = rest.substr(0, end);
      if (const std::size_t as = part.find(" as "); as != std::string_view::npos) part.remove_prefix(as + 4);
      while (!part.empty() && !is_letter(part.front())) part.remove_prefix(1);
      if (const std::string_view name = word_at(part); !name.empty()) into.taken.push_back({std::string{name}, module});
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  /// What the function that begins on that line returns.
  Json call(std::size_t at, bool& whole) {
    if (++depth_ > kMostDepth || ++calls_ > kMostCalls) return whole = false, --depth_, Json();
    Names names;
    Json returned;
    const std::size_t indent = at + 1 < lines_.size() ? lines_[at + 1].indent : 0;
    for (std::size_t i = at + 1; i < lines_.size() && lines_[i].indent > 0; ++i) {
      const std::string& text = lines_[i].text;
      if (lines_[i].indent > indent || text.starts_with("assert ") || text[0] == '"' || text[0] == '\'' || text == "pass") continue;
      if (text.starts_with("return ")) {
        returned = value(std::string_view{text}.substr(7), names, whole);
        break;
      }
      if (!assign(text, names, whole)) whole = false;
    }
    --depth_;
    return returned;
  }

  bool assign(std::string_view text, Names& names, bool& whole) {
    const std::string_view target = word_at(text);
    std::size_t at = target.size();
    while (at < text.size() && is_blank(text[at])) ++at;
    if (target.empty() || at + 1 >= text.size() || text[at] != '=' || text[at + 1] == '=') return false;
    const Json made = value(text.substr(at + 1), names, whole);
    const std::size_t dot = target.find('.');
    if (dot == std::string_view::npos) return names[std::string{target}] = made, true;
    const auto owner = names.find(target.substr(0, dot));
    if (owner == names.end() || !owner->second.is_object()) return false;
    Json* place = &owner->second;
    for (std::string_view rest = target.substr(dot + 1); !rest.empty();) {
      const std::size_t end = std::min(rest.find('.'), rest.size());
      if (!place->is_object()) return false;
      Json& inner = (*place)[std::string{rest.substr(0, end)}];
      if (inner.is_null()) inner = Json::object();
      place = &inner;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    *place = made;
    return true;
  }

  // ---- values

  struct Text {
    std::string_view rest;
    const Names& names;
    bool& whole;

    void skip() {
      while (!rest.empty() && (is_blank(rest.front()) || rest.front() == '\n')) rest.remove_prefix(1);
    }
    bool take(char c) {
      skip();
      if (rest.empty() || rest.front() != c) return false;
      rest.remove_prefix(1);
      return true;
    }
  };

  Json value(std::string_view text, const Names& names, bool& whole) {
    Text in{text, names, whole};
    Json made = sum(in);
    in.skip();
    return in.rest.empty() ? made : unknown(text);
  }

  static Json unknown(std::string_view text) {
    Json made = Json::object();
    made[kUnknown] = std::string{text.substr(0, 80)};
    return made;
  }

  static std::optional<std::int64_t> whole_of(const Json& value) {
    constexpr std::int64_t kMost = std::int64_t{1} << 31;
    if (!value.is_number_integer()) return std::nullopt;
    const auto number = value.get<std::int64_t>();
    return number > -kMost && number < kMost ? std::optional{number} : std::nullopt;
  }

  static Json combined(char operation, const Json& a, const Json& b) {
    const auto x = whole_of(a), y = whole_of(b);
    if (!x || !y || (operation == '/' && *y == 0)) return unknown(std::string{operation});
    const std::int64_t number = operation == '+' ? *x + *y : operation == '-' ? *x - *y : operation == '*' ? *x * *y : *x / *y;
    return number < 0 ? Json(number) : Json(static_cast<std::uint64_t>(number));
  }

  Json sum(Text& in) {
    Json made = product(in);
    for (in.skip(); !in.rest.empty() && (in.rest.front() == '+' || in.rest.front() == '-'); in.skip()) {
      const char operation = in.rest.front();
      in.rest.remove_prefix(1);
      made = combined(operation, made, product(in));
    }
    return made;
  }

  Json product(Text& in) {
    Json made = item(in);
    for (in.skip(); !in.rest.empty() && (in.rest.front() == '*' || in.rest.starts_with("//")) && !in.rest.starts_with("**"); in.skip()) {
      const char operation = in.rest.front();
      in.rest.remove_prefix(operation == '/' ? 2 : 1);
      made = combined(operation, made, item(in));
    }
    return made;
  }

  /// What a bracket encloses, which is read by nobody.
  static Json leave(Text& in) {
    int open = 0;
    const std::string_view begin = in.rest;
    while (!in.rest.empty()) {
      const char c = in.rest.front();
      if (open == 0 && (c == ',' || c == ')' || c == ']' || c == '}')) break;
      if (c == '"' || c == '\'') {
        in.rest.remove_prefix(end_of_text(in.rest, 0));
        continue;
      }
      open += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
      in.rest.remove_prefix(1);
    }
    return unknown(begin.substr(0, begin.size() - in.rest.size()));
  }

  Json item(Text& in) {
    in.skip();
    if (in.rest.empty() || ++depth_ > kMostDepth) return --depth_, leave(in);
    Json made = plain_item(in);
    --depth_;
    return made;
  }

  Json plain_item(Text& in) {
    const char c = in.rest.front();
    if (c == '"' || c == '\'') return text(in);
    if (is_digit(c)) return number(in);
    if (c == '[' || c == '(') return list(in);
    if (!is_letter(c)) return leave(in);
    const std::string name{word_at(in.rest)};
    in.rest.remove_prefix(name.size());
    in.skip();
    if (in.take('(')) return called(name, in);
    if (!in.rest.empty() && (in.rest.front() == '[' || is_letter(in.rest.front()))) return leave(in); // an index, or "a and b"
    if (name == "True" || name == "False") return name == "True";
    if (name == "None") return {};
    return named(name, in.names);
  }

  static Json named(std::string_view name, const Names& names) {
    const std::size_t dot = std::min(name.find('.'), name.size());
    const auto owner = names.find(name.substr(0, dot));
    if (owner == names.end()) return unknown(name);
    const Json* place = &owner->second;
    for (std::string_view rest = name.substr(std::min(dot + 1, name.size())); !rest.empty();) {
      const std::size_t end = std::min(rest.find('.'), rest.size());
      const auto inner = place->is_object() ? place->find(std::string{rest.substr(0, end)}) : place->end();
      if (!place->is_object() || inner == place->end()) return unknown(name);
      place = &*inner;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return *place;
  }

  static Json text(Text& in) {
    const std::size_t end = end_of_text(in.rest, 0);
    Json made = end >= 2 ? std::string{in.rest.substr(1, end - 2)} : std::string{};
    in.rest.remove_prefix(end);
    return made;
  }

  static Json number(Text& in) {
    std::size_t end = 0;
    while (end < in.rest.size() && (is_digit(in.rest[end]) || is_letter(in.rest[end]) || in.rest[end] == '.' || ((in.rest[end] == '-' || in.rest[end] == '+') && in.rest[end - 1] == 'e'))) ++end;
    const std::string written{in.rest.substr(0, end)};
    in.rest.remove_prefix(end);
    if (const auto whole = whole_number(written); whole && written.find_first_of(".eE") == std::string::npos) return static_cast<std::uint64_t>(*whole);
    return written; // a fraction, which no reader here computes with
  }

  Json list(Text& in) {
    const char close = in.rest.front() == '[' ? ']' : ')';
    in.rest.remove_prefix(1);
    Json made = Json::array();
    bool commas = false;
    while (!in.rest.empty() && !in.take(close)) {
      made.push_back(argument(in));
      commas = in.take(',') || commas;
    }
    return close == ')' && !commas && made.size() == 1 ? Json(made[0]) : made;
  }

  /// A value, or what is left of one that is written in another way.
  Json argument(Text& in) {
    const std::string_view begin = in.rest;
    Json made = sum(in);
    in.skip();
    if (in.rest.empty() || in.rest.front() == ',' || in.rest.front() == ')' || in.rest.front() == ']') return made;
    in.rest = begin;
    return leave(in);
  }

  Json called(const std::string& name, Text& in) {
    Json made = Json::object();
    made[kCalled] = name;
    made[kValues] = Json::array();
    while (!in.rest.empty() && !in.take(')')) {
      in.skip();
      const std::string key{word_at(in.rest)};
      Text ahead = in;
      ahead.rest.remove_prefix(key.size());
      if (!key.empty() && ahead.take('=') && !ahead.rest.starts_with("=")) {
        in.rest = ahead.rest;
        made[key] = argument(in);
      } else {
        const std::size_t left = in.rest.size();
        made[kValues].push_back(argument(in));
        if (in.rest.size() == left && !in.rest.empty()) in.rest.remove_prefix(1);
      }
      in.take(',');
    }
    const auto own = functions_.find(name);
    const bool plain = made.size() == 2 && made[kValues].empty();
    return own != functions_.end() && plain ? call(own->second, in.whole) : made;
  }

  std::vector<Line> lines_;
  std::map<std::string, std::size_t, std::less<>> functions_;
  std::size_t depth_ = 0, calls_ = 0;
};

} // namespace

Module read_module(std::string_view text) { return Reader{text}.run(); }
std::vector<Json> read_calls(std::string_view text) { return Reader{text}.calls(); }

} // namespace plimsoll::io::configs::python
