// What a word becomes: bash's manual, "Shell Parameter Expansion" and "Word Splitting".
#include "files/scripts/marks.hpp"
#include "files/scripts/variables.hpp"

#include <algorithm>

namespace plimsoll::io::scripts {

namespace {

constexpr std::string_view kNameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
constexpr int kMostDepth = 16;

bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

enum class Cut : unsigned char { fields, no, document };

/// What stands in place of $NAME: one text, or the items of a list that stay apart even in quotes.
struct Expansion {
  std::vector<std::string> items{};
  bool apart = false;

  std::string text() const {
    std::string all;
    for (const std::string& item : items) all += (all.empty() ? "" : " ") + item;
    return all;
  }
};

class Expander {
public:
  Expander(Variables& variables, const Substitute& substitute, Cut cut, int depth = 0) : variables_(variables), substitute_(substitute), cut_(cut), depth_(depth) {}

  std::vector<std::string> run(std::string_view word) {
    if (depth_ > kMostDepth) return {unknown_mark("")};
    word_ = word;
    while (at_ < word_.size()) step();
    end_field();
    return std::move(fields_);
  }

private:
  char next(std::size_t ahead = 1) const { return at_ + ahead < word_.size() ? word_[at_ + ahead] : '\0'; }

  void step() {
    const char c = word_[at_];
    if (c == '\\') return escaped();
    if (c == '\'' && cut_ != Cut::document) return literal();
    if (c == '"' && cut_ != Cut::document) return quoted();
    if (c == '$' && next() == '\'') return ++at_, literal();
    if (c == '$' || c == '`') {
      const std::size_t before = at_;
      Expansion found = expansion();
      if (at_ == before + 1) return add("$");
      return cut_ == Cut::fields ? add_cut(found) : add(found.text());
    }
    if (c == '<' && cut_ == Cut::fields && placeholder()) return;
    add(std::string_view{&word_[at_], 1});
    ++at_;
  }

  /// Before a letter or digit it is more likely part of a Windows path, or of a pattern such as blk\.\d, than of a shell's word. In a here-document it
  /// escapes what it does between double quotes, but these.
  void escaped() {
    const char c = next();
    if (cut_ == Cut::document && c == '\n') return void(at_ += 2);
    const bool keeps = cut_ == Cut::document && c != '$' && c != '`' && c != '\\';
    if (is_letter(c) || is_digit(c) || keeps) add("\\");
    if (c != '\0') add(std::string_view{&word_[at_ + 1], 1});
    at_ += 2;
  }

  void literal() {
    const std::size_t end = end_of_quotes(word_, at_);
    const bool closed = word_[end - 1] == '\'' && end > at_ + 1;
    add(word_.substr(at_ + 1, end - at_ - 1 - (closed ? 1 : 0)));
    at_ = end;
  }

  void quoted() {
    open_ = true; // "" is a field
    std::string piece;
    bool empty_list = false;
    for (++at_; at_ < word_.size() && word_[at_] != '"';) {
      const char c = word_[at_];
      const char behind = next();
      if (c == '\\' && (behind == '"' || behind == '\\' || behind == '$' || behind == '`')) {
        add(std::string_view{&word_[at_ + 1], 1});
        at_ += 2;
      } else if (c == '\\' && behind == '\n') {
        at_ += 2;
      } else if (c == '$' || c == '`') {
        const std::size_t before = at_;
        const Expansion found = expansion();
        if (at_ == before + 1) add("$");
        else if (found.apart && cut_ == Cut::fields) empty_list = add_apart(found) || empty_list;
        else add(found.text());
      } else {
        add(std::string_view{&word_[at_], 1});
        ++at_;
      }
    }
    ++at_;
    if (empty_list && field_.empty()) open_ = false; // "${NONE[@]}" is no field
  }

  void add(std::string_view text) {
    if (made_ + text.size() > kMostValueBytes) return;
    made_ += text.size();
    field_ += text;
    open_ = true;
  }

  void end_field() {
    if (open_) fields_.push_back(std::move(field_));
    field_.clear();
    open_ = false;
  }

  void add_cut(const Expansion& found) {
    bool first = true;
    for (const std::string& item : found.items) {
      if (!std::exchange(first, false)) end_field();
      for (std::size_t at = 0; at < item.size();) {
        const std::size_t blanks = at;
        while (at < item.size() && is_space(item[at])) ++at;
        if (at > blanks) end_field();
        const std::size_t begin = at;
        while (at < item.size() && !is_space(item[at])) ++at;
        if (at > begin) add(std::string_view{item}.substr(begin, at - begin));
      }
    }
  }

  /// Whether the list is empty.
  bool add_apart(const Expansion& found) {
    for (std::size_t i = 0; i < found.items.size(); ++i) {
      if (i > 0) end_field();
      add(found.items[i]);
      open_ = true;
    }
    return found.items.empty();
  }

  /// <what a manual leaves to its reader>
  bool placeholder() {
    const std::size_t end = word_.find('>', at_);
    if (end == std::string_view::npos) return false;
    std::string name;
    for (const char c : word_.substr(at_ + 1, end - at_ - 1)) name += c == ' ' || c == '/' || c == '.' ? '_' : c;
    add(unset_mark(name));
    at_ = end + 1;
    return true;
  }

  std::string inner(std::string_view word) {
    std::string all;
    for (const std::string& field : Expander{variables_, substitute_, Cut::no, depth_ + 1}.run(word)) all += field;
    return all;
  }

  /// What begins with $ or ` at at_; at_ is one behind it then. One letter further where it is none.
  Expansion expansion() {
    const char c = word_[at_], behind = next();
    if (c == '`') {
      const std::size_t end = std::min(word_.find('`', at_ + 1), word_.size());
      const std::string_view inside = word_.substr(at_ + 1, end - at_ - 1);
      at_ = std::min(end + 1, word_.size());
      return substituted(inside);
    }
    if (behind == '(' && next(2) == '(') {
      const std::size_t end = end_of_brackets(word_, at_ + 1, '(', ')');
      const std::size_t begin = std::min(at_ + 3, word_.size());
      const std::string text = inner(word_.substr(begin, end > begin + 2 ? end - begin - 2 : 0));
      at_ = end;
      return {{arithmetic(text, variables_).value_or(unknown_mark(""))}};
    }
    if (behind == '(') {
      const std::size_t end = end_of_brackets(word_, at_ + 1, '(', ')');
      const std::string_view inside = word_.substr(at_ + 2, end > at_ + 3 ? end - at_ - 3 : 0);
      at_ = end;
      return substituted(inside);
    }
    if (behind == '{') {
      const std::size_t end = end_of_brackets(word_, at_ + 1, '{', '}');
      const std::string_view inside = word_.substr(at_ + 2, end > at_ + 3 ? end - at_ - 3 : 0);
      at_ = end;
      return parameter(inside);
    }
    std::size_t end = at_ + 1;
    if (is_letter(behind)) end = std::min(word_.find_first_not_of(kNameLetters, at_ + 1), word_.size());
    else if (is_digit(behind) || std::string_view{"@*#?$!-"}.find(behind) != std::string_view::npos) end += behind == '\0' ? 0 : 1;
    const std::string_view name = word_.substr(at_ + 1, end - at_ - 1);
    at_ = end;
    return name.empty() ? Expansion{} : value_of(name, "").value_or(Expansion{{unset_mark(name)}});
  }

  Expansion substituted(std::string_view script) {
    if (depth_ >= kMostDepth || !substitute_) return {{unknown_mark("")}};
    std::string text = substitute_(script).value_or(unknown_mark(""));
    while (text.ends_with('\n')) text.pop_back();
    return {{std::move(text)}};
  }

  /// The value of a name, perhaps with what stands in [ ]; nothing where it is not set.
  std::optional<Expansion> value_of(std::string_view name, std::string_view index) {
    if (name == "@" || name == "*") return Expansion{variables_.arguments, name == "@"};
    if (name == "#") return Expansion{{std::to_string(variables_.arguments.size())}};
    if (name == "?") return Expansion{{"0"}};
    if (name == "0" || name == "$" || name == "!" || name == "-") return Expansion{{unknown_mark("")}};
    if (is_digit(name[0])) {
      if (const Value* const told = variables_.find(name)) return Expansion{told->items};
      const std::size_t place = name.size() > 4 ? 0 : static_cast<std::size_t>(std::stoul(std::string{name}));
      if (place == 0 || place > variables_.arguments.size()) return variables_.in_function ? std::optional{Expansion{{""}}} : std::nullopt;
      return Expansion{{variables_.arguments[place - 1]}};
    }
    const Value* const value = variables_.find(name);
    if (value == nullptr) return std::nullopt;
    if (index == "@" || index == "*") return Expansion{value->items, index == "@"};
    std::size_t place = 0;
    if (!index.empty()) {
      const std::optional<std::string> text = arithmetic(inner(index), variables_);
      if (!text || has_mark(*text) || text->size() > 4) return Expansion{{text && has_mark(*text) ? *text : unknown_mark(name)}};
      const long number = std::stol(*text);
      if (number < 0 && static_cast<std::size_t>(-number) > value->items.size()) return std::nullopt;
      place = number < 0 ? value->items.size() - static_cast<std::size_t>(-number) : static_cast<std::size_t>(number);
    }
    if (place >= value->items.size()) return value->list ? std::nullopt : std::optional{Expansion{{""}}};
    return Expansion{{value->items[place]}};
  }

  /// What stands in ${ }. "${{ matrix.model }}" is GitHub's, which knows it before a shell sees it.
  Expansion parameter(std::string_view text) {
    if (text.starts_with('{')) {
      const std::size_t begin = std::min(text.find_first_not_of("{ "), text.size()), end = std::min(text.find_first_of(" }|", begin), text.size());
      const std::string_view name = text.substr(begin, end - begin);
      const Value* const told = variables_.find(name);
      return told != nullptr ? Expansion{told->items} : Expansion{{name.empty() ? unknown_mark("") : unset_mark(name)}};
    }
    const bool length = text.size() > 1 && text[0] == '#', indirect = text.size() > 1 && text[0] == '!';
    if (length || indirect) text.remove_prefix(1);
    std::size_t end = !text.empty() && (is_letter(text[0]) || is_digit(text[0])) ? std::min(text.find_first_not_of(kNameLetters), text.size()) : std::min<std::size_t>(1, text.size());
    const std::string_view name = text.substr(0, end);
    if (name.empty()) return {{""}};
    std::string_view index, rest = text.substr(end);
    if (rest.starts_with('[')) {
      const std::size_t close = std::min(rest.find(']'), rest.size() - 1);
      index = rest.substr(1, close - 1);
      rest.remove_prefix(close + 1);
    }
    std::optional<Expansion> value = value_of(name, index);
    if (length) return {{value ? std::to_string(index == "@" || index == "*" ? value->items.size() : value->text().size()) : std::string{"0"}}};
    if (indirect) {
      if (!value || has_mark(value->text()) || value->text().empty()) return {{unset_mark(name)}};
      const std::string other = value->text();
      value = value_of(other, "");
      return value ? *value : Expansion{{unset_mark(other)}};
    }
    return changed(name, std::move(value), rest);
  }

  Expansion changed(std::string_view name, std::optional<Expansion> value, std::string_view rest) {
    const bool colon = rest.starts_with(':') && rest.size() > 1 && std::string_view{"-=?+"}.find(rest[1]) != std::string_view::npos;
    const char kind = rest.empty() ? '\0' : colon ? rest[1] : rest[0];
    const std::string_view other = rest.empty() ? rest : rest.substr(colon ? 2 : 1);
    const std::string plain = value ? value->text() : "";
    // a variable that was set to one that nobody sets is empty to the shell
    const bool absent = !value || (colon && (plain.empty() || (has_mark(plain) && without_unset(plain).empty())));
    if (kind == '-' || kind == '=') {
      if (!absent) return *value;
      std::string text = inner(other);
      if (kind == '=') variables_.set_text(name, text);
      return {{std::move(text)}};
    }
    if (kind == '+') return {{absent ? "" : inner(other)}};
    if (!value) return {{unset_mark(name)}};
    if (kind == '\0' || kind == '?') return *value;
    for (std::string& item : value->items)
      if (!has_mark(item)) item = edited(std::move(item), rest);
    return *value;
  }

  std::string edited(std::string text, std::string_view how) {
    const auto doubled = [&](char c) { return how.size() > 1 && how[1] == c; };
    const char kind = how[0];
    if (kind == '^' || kind == ',') {
      const std::size_t most = doubled(kind) ? text.size() : std::min<std::size_t>(1, text.size());
      for (std::size_t i = 0; i < most; ++i) {
        if (kind == '^' && text[i] >= 'a' && text[i] <= 'z') text[i] = static_cast<char>(text[i] - 'a' + 'A');
        if (kind == ',' && text[i] >= 'A' && text[i] <= 'Z') text[i] = static_cast<char>(text[i] - 'A' + 'a');
      }
      return text;
    }
    if (text.size() > 4096) return unknown_mark(""); // trying each place of a long text takes long
    if (kind == '#' || kind == '%') return without(std::move(text), inner(how.substr(doubled(kind) ? 2 : 1)), kind == '#', doubled(kind));
    if (kind == '/') return replaced(text, how.substr(doubled('/') ? 2 : 1), doubled('/'));
    if (kind == ':') return part(text, how.substr(1));
    return text;
  }

  static std::string without(std::string text, const std::string& pattern, bool front, bool longest) {
    const std::size_t size = text.size();
    for (std::size_t i = 0; i <= size; ++i) {
      const std::size_t taken = longest ? size - i : i;
      const std::string_view piece = front ? std::string_view{text}.substr(0, taken) : std::string_view{text}.substr(size - taken);
      if (fits(pattern, piece)) return front ? text.substr(taken) : text.substr(0, size - taken);
    }
    return text;
  }

  std::string replaced(const std::string& text, std::string_view how, bool all) {
    std::size_t slash = 0;
    while (slash < how.size() && how[slash] != '/') slash += how[slash] == '\\' ? 2 : 1;
    slash = std::min(slash, how.size());
    std::string from;
    for (const char c : how.substr(0, slash))
      if (c != '\\') from += c;
    const std::string to = slash < how.size() ? inner(how.substr(slash + 1)) : "";
    if (from.empty() || from.find_first_of("*?[") != std::string::npos) return from.empty() ? text : unknown_mark("");
    std::string made;
    std::size_t at = 0;
    for (std::size_t found = text.find(from); found != std::string::npos; found = text.find(from, at)) {
      made += text.substr(at, found - at) + to;
      at = found + from.size();
      if (!all || made.size() > kMostValueBytes) break;
    }
    return made + text.substr(at);
  }

  std::string part(const std::string& text, std::string_view how) {
    const std::size_t colon = std::min(how.find(':'), how.size());
    const std::optional<std::string> from = arithmetic(inner(how.substr(0, colon)), variables_);
    const std::optional<std::string> count = colon < how.size() ? arithmetic(inner(how.substr(colon + 1)), variables_) : std::string{"99999"};
    if (!from || !count || has_mark(*from) || has_mark(*count) || from->size() > 5 || count->size() > 5) return unknown_mark("");
    const long begin = std::stol(*from), length = std::stol(*count);
    if (begin < 0 || length < 0) return unknown_mark("");
    return static_cast<std::size_t>(begin) >= text.size() ? "" : text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(length));
  }

  Variables& variables_;
  const Substitute& substitute_;
  Cut cut_;
  int depth_;
  std::string_view word_;
  std::size_t at_ = 0, made_ = 0;
  std::vector<std::string> fields_;
  std::string field_;
  bool open_ = false;
};

std::string together(std::vector<std::string> fields) { return fields.empty() ? "" : std::move(fields.front()); }

} // namespace

std::vector<std::string> fields_of(std::string_view word, Variables& variables, const Substitute& substitute) {
  return Expander{variables, substitute, Cut::fields}.run(word);
}

std::string text_of(std::string_view word, Variables& variables, const Substitute& substitute) { return together(Expander{variables, substitute, Cut::no}.run(word)); }

std::string text_of_document(std::string_view text, Variables& variables, const Substitute& substitute) {
  return together(Expander{variables, substitute, Cut::document}.run(text));
}

} // namespace plimsoll::io::scripts
