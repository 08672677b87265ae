#include "files/scripts/conditions.hpp"

#include "files/scripts/marks.hpp"

#include <optional>
#include <utility>

namespace plimsoll::io::scripts {

namespace {

Condition known(bool is) { return {is ? Outcome::yes : Outcome::no, {}}; }

std::optional<long> number_of(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.size() > 15 || text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  const long value = std::stol(std::string{text});
  return negative ? -value : value;
}

Condition unknown_of(std::string_view a, std::string_view b = "") {
  Condition condition;
  condition.why = marked_names(a);
  for (std::string& name : marked_names(b)) condition.why.push_back(std::move(name));
  return condition;
}

class Reader {
public:
  explicit Reader(const std::vector<std::string>& words) : words_(words) {}

  Condition run() { return either(); }

private:
  static constexpr int kMostDepth = 32;

  bool at(std::string_view word, std::string_view other) const { return at_ < words_.size() && (words_[at_] == word || words_[at_] == other); }

  Condition either() {
    Condition left = both();
    while (at("||", "-o")) {
      ++at_;
      Condition right = both();
      if (left.outcome == Outcome::yes) continue;
      if (right.outcome == Outcome::yes || left.outcome == Outcome::no) left = std::move(right);
    }
    return left;
  }

  Condition both() {
    Condition left = one();
    while (at("&&", "-a")) {
      ++at_;
      Condition right = one();
      if (left.outcome == Outcome::no) continue;
      if (right.outcome == Outcome::no || left.outcome == Outcome::yes) left = std::move(right);
    }
    return left;
  }

  Condition one() {
    if (++depth_ > kMostDepth || at_ >= words_.size()) return at_ = words_.size(), known(false);
    if (words_[at_] == "!") return ++at_, negated(one());
    if (words_[at_] == "(") {
      ++at_;
      Condition inside = either();
      if (at(")", ")")) ++at_;
      return inside;
    }
    const std::string& first = words_[at_++];
    if (first.size() == 2 && first[0] == '-' && at_ < words_.size() && !is_binary(words_[at_])) return about(first[1], words_[at_++]);
    if (at_ + 1 < words_.size() && is_binary(words_[at_])) {
      const std::string& operation = words_[at_];
      const std::string& right = words_[at_ + 1];
      at_ += 2;
      return compare(first, operation, right);
    }
    return has_unknown(first) ? unknown_of(first) : known(!without_unset(first).empty());
  }

  static bool is_binary(std::string_view word) {
    for (const std::string_view each : {"=", "==", "!=", "=~", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"})
      if (word == each) return true;
    return false;
  }

  static Condition about(char what, const std::string& word) {
    if (what != 'z' && what != 'n') return unknown_of(word); // a file, most often
    const std::string text = without_unset(word);
    const std::string plain = unmarked(text);
    if (has_mark(text) && plain.size() <= marked_size(text)) return unknown_of(word);
    return known((what == 'n') != text.empty());
  }

  static std::size_t marked_size(const std::string& text) {
    std::size_t size = 0;
    for (const std::string& name : marked_names(text)) size += name.size();
    return size;
  }

  static Condition compare(const std::string& left, const std::string& operation, const std::string& right) {
    if (operation[0] == '-') {
      const auto a = number_of(left), b = number_of(right);
      if (!a || !b) return unknown_of(left, right);
      if (operation == "-eq") return known(*a == *b);
      if (operation == "-ne") return known(*a != *b);
      if (operation == "-lt") return known(*a < *b);
      if (operation == "-le") return known(*a <= *b);
      return known(operation == "-gt" ? *a > *b : *a >= *b);
    }
    if (operation == "=~" || operation == "<" || operation == ">" || has_unknown(left) || has_unknown(right)) return unknown_of(left, right);
    const bool same = fits(without_unset(right), without_unset(left));
    return known(same == (operation != "!="));
  }

  const std::vector<std::string>& words_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

} // namespace

Condition condition_of(const std::vector<std::string>& words) { return Reader{words}.run(); }

Condition negated(Condition condition) {
  if (condition.outcome != Outcome::unknown) condition.outcome = condition.outcome == Outcome::yes ? Outcome::no : Outcome::yes;
  return condition;
}

} // namespace plimsoll::io::scripts
