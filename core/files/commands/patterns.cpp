// A matcher by backtracking: patterns are short, and std::regex weighs more than the rest of a reader of command lines.
#include "files/commands/patterns.hpp"

#include <cstddef>

namespace plimsoll::io::commands {

namespace {

constexpr int kMostSteps = 200'000, kMostDepth = 200;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter_or_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }

class Matcher {
public:
  Matcher(std::string_view pattern, std::string_view text) : pattern_(pattern), text_(text) {}

  std::optional<bool> search() {
    for (std::size_t at = 0; at <= text_.size() && !failed_; ++at)
      if (alternatives(0, pattern_.size(), at, nullptr)) return failed_ ? std::nullopt : std::optional{true};
    return failed_ ? std::nullopt : std::optional{false};
  }

private:
  /// What follows in the pattern: the rest of a sequence, or another round of the item before it.
  struct Next {
    std::size_t begin, end;
    const Next* then;         ///< and what follows that; null for nothing
    bool is_round = false;
    std::size_t least = 0, most = 0, from = 0; ///< of a round: how often the item must, and may, be there again, and where the last one began
  };

  bool follows(const Next* next, std::size_t at) {
    if (next == nullptr) return true;
    if (!next->is_round) return sequence(next->begin, next->end, at, next->then);
    const bool moves = at > next->from || next->least > 0;
    return moves && repeated(next->begin, next->end, next->least > 0 ? next->least - 1 : 0, next->most == kAny ? kAny : next->most - 1, at, next->then);
  }

  bool fail() {
    failed_ = true;
    return false;
  }

  /// The end of the item that begins at `i`: a character, an escape, a class or a group; npos where it never ends.
  std::size_t end_of_item(std::size_t i, std::size_t end) const {
    if (pattern_[i] == '\\') return i + 2 <= end ? i + 2 : std::string_view::npos;
    if (pattern_[i] == '[') {
      for (std::size_t j = i + 2; j < end; ++j)
        if (pattern_[j] == ']') return j + 1;
      return std::string_view::npos;
    }
    if (pattern_[i] != '(') return i + 1;
    int open = 0;
    for (std::size_t j = i; j < end; ++j) {
      if (pattern_[j] == '\\') ++j;
      else if (pattern_[j] == '(') ++open;
      else if (pattern_[j] == ')' && --open == 0) return j + 1;
    }
    return std::string_view::npos;
  }

  /// Parts that "|" separates, outside groups.
  bool alternatives(std::size_t begin, std::size_t end, std::size_t at, const Next* next) {
    if (++depth_ > kMostDepth) return fail();
    bool found = false;
    for (std::size_t i = begin; !failed_ && !found;) {
      std::size_t bar = i;
      while (bar < end && pattern_[bar] != '|') {
        bar = end_of_item(bar, end);
        if (bar == std::string_view::npos) return fail();
      }
      found = sequence(i, bar, at, next);
      if (bar >= end) break;
      i = bar + 1;
    }
    --depth_;
    return found && !failed_;
  }

  bool sequence(std::size_t i, std::size_t end, std::size_t at, const Next* next) {
    if (failed_ || ++steps_ > kMostSteps) return fail();
    if (i >= end) return follows(next, at);
    if (pattern_[i] == '^') return at == 0 && sequence(i + 1, end, at, next);
    if (pattern_[i] == '$') return at == text_.size() && sequence(i + 1, end, at, next);
    const std::size_t after = end_of_item(i, end);
    if (after == std::string_view::npos) return fail();
    std::size_t least = 1, most = 1, rest = after;
    if (!quantifier(rest, end, least, most)) return fail();
    const Next behind{.begin = rest, .end = end, .then = next};
    return repeated(i, after, least, most, at, &behind);
  }

  /// Of the item before `i`, which moves behind it; lazy ones match the same texts.
  bool quantifier(std::size_t& i, std::size_t end, std::size_t& least, std::size_t& most) const {
    if (i >= end) return true;
    const char c = pattern_[i];
    if (c == '*') least = 0, most = kAny;
    else if (c == '+') most = kAny;
    else if (c == '?') least = 0;
    else if (c == '{') {
      std::size_t numbers[2] = {0, 0}, at = 0, digits = 0;
      for (++i; i < end && pattern_[i] != '}'; ++i) {
        if (pattern_[i] == ',' && at == 0) at = 1, digits = 0;
        else if (is_digit(pattern_[i]) && ++digits < 4) numbers[at] = 10 * numbers[at] + static_cast<std::size_t>(pattern_[i] - '0');
        else return false;
      }
      if (i >= end) return false;
      least = numbers[0], most = at == 0 ? numbers[0] : digits == 0 ? kAny : numbers[1];
    } else return true;
    ++i;
    if (i < end && pattern_[i] == '?') ++i;
    return true;
  }

  bool repeated(std::size_t item, std::size_t after, std::size_t least, std::size_t most, std::size_t at, const Next* next) {
    if (failed_ || ++steps_ > kMostSteps) return fail();
    const Next round{.begin = item, .end = after, .then = next, .is_round = true, .least = least, .most = most, .from = at};
    if (most > 0 && once(item, after, at, &round)) return true;
    return least == 0 && follows(next, at);
  }

  bool once(std::size_t item, std::size_t after, std::size_t at, const Next* next) {
    if (pattern_[item] == '(') {
      const bool unnamed = pattern_.substr(item, 3) == "(?:";
      if (!unnamed && pattern_.substr(item, 2) == "(?") return fail(); // looks ahead or behind
      return alternatives(item + (unnamed ? 3 : 1), after - 1, at, next);
    }
    return at < text_.size() && matches(pattern_.substr(item, after - item), text_[at]) && follows(next, at + 1);
  }

  static bool matches(std::string_view item, char c) {
    if (item[0] == '\\') return of_escape(item[1], c);
    if (item[0] == '[') return of_class(item.substr(1, item.size() - 2), c);
    return item[0] == '.' || item[0] == c;
  }
  static bool of_escape(char escape, char c) { return escape == 'd' ? is_digit(c) : escape == 'w' ? is_letter_or_digit(c) : escape == 's' ? is_blank(c) : escape == c; }
  static bool of_class(std::string_view list, char c) {
    const bool negated = list.starts_with('^');
    bool in = false;
    for (std::size_t i = negated ? 1 : 0; i < list.size(); ++i) {
      if (list[i] == '\\' && i + 1 < list.size()) in = in || of_escape(list[++i], c);
      else if (i + 2 < list.size() && list[i + 1] == '-') in = in || (c >= list[i] && c <= list[i + 2]), i += 2;
      else in = in || list[i] == c;
    }
    return in != negated;
  }

  static constexpr std::size_t kAny = 100'000;
  std::string_view pattern_, text_;
  bool failed_ = false;
  int steps_ = 0, depth_ = 0;
};

} // namespace

std::optional<bool> is_found(std::string_view pattern, std::string_view text) { return Matcher{pattern, text}.search(); }

} // namespace plimsoll::io::commands
