// $(( )): whole numbers of 64 bits and the operators that scripts use.
#include "files/scripts/marks.hpp"
#include "files/scripts/variables.hpp"

#include <array>
#include <string>

namespace plimsoll::io::scripts {

namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 53;
constexpr int kMostDepth = 32;

struct Operator {
  std::string_view text;
  int rank; ///< those with a higher one bind tighter
};
constexpr std::array kOperators{Operator{"||", 1}, Operator{"&&", 2}, Operator{"==", 3}, Operator{"!=", 3}, Operator{"<=", 4}, Operator{">=", 4},
                                Operator{"<", 4},  Operator{">", 4},  Operator{"+", 5},  Operator{"-", 5},  Operator{"**", 7}, Operator{"*", 6},
                                Operator{"/", 6},  Operator{"%", 6}};

class Expression {
public:
  Expression(std::string_view text, const Variables& variables) : text_(text), variables_(variables) {}

  std::optional<std::string> run() {
    const std::int64_t value = ternary();
    skip();
    if (!marks_.empty()) return marks_;
    return failed_ || at_ < text_.size() ? std::nullopt : std::optional{std::to_string(value)};
  }

private:
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }
  bool take(std::string_view word) {
    skip();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  std::int64_t fail() { return failed_ = true, 0; }
  std::int64_t checked(std::int64_t value) { return value > kMost || value < -kMost ? fail() : value; }

  std::int64_t ternary() {
    const std::int64_t condition = binary(1);
    if (!take("?")) return condition;
    const std::int64_t yes = ternary();
    if (!take(":")) return fail();
    const std::int64_t no = ternary();
    return condition != 0 ? yes : no;
  }

  const Operator* next_operator(int least) {
    skip();
    for (const Operator& each : kOperators)
      if (text_.substr(at_).starts_with(each.text)) return each.rank >= least ? &each : nullptr;
    return nullptr;
  }

  std::int64_t binary(int least) {
    if (++depth_ > kMostDepth) return fail();
    std::int64_t left = unary();
    while (const Operator* const found = failed_ ? nullptr : next_operator(least)) {
      at_ += found->text.size();
      left = apply(found->text, left, binary(found->rank + 1));
    }
    --depth_;
    return left;
  }

  std::int64_t apply(std::string_view what, std::int64_t a, std::int64_t b) {
    const bool fits_product = a > -(1 << 26) && a < (1 << 26) && b > -(1 << 26) && b < (1 << 26);
    if (what == "+") return checked(a + b);
    if (what == "-") return checked(a - b);
    if (what == "*") return fits_product || a == 0 || b == 0 || kMost / (a < 0 ? -a : a) >= (b < 0 ? -b : b) ? a * b : fail();
    if (what == "/") return b == 0 ? fail() : a / b;
    if (what == "%") return b == 0 ? fail() : a % b;
    if (what == "**") return power(a, b);
    if (what == "==") return a == b;
    if (what == "!=") return a != b;
    if (what == "<=") return a <= b;
    if (what == ">=") return a >= b;
    if (what == "<") return a < b;
    if (what == ">") return a > b;
    return what == "&&" ? a != 0 && b != 0 : a != 0 || b != 0;
  }

  std::int64_t power(std::int64_t base, std::int64_t exponent) {
    if (exponent < 0 || exponent > 62) return fail();
    std::int64_t value = 1;
    for (; exponent > 0 && !failed_; --exponent) value = apply("*", value, base);
    return value;
  }

  std::int64_t unary() {
    if (take("!")) return unary_after() == 0;
    if (take("-")) return -unary_after();
    if (take("+")) return unary_after();
    if (take("(")) {
      const std::int64_t value = ternary();
      return take(")") ? value : fail();
    }
    return operand();
  }
  std::int64_t unary_after() { return ++depth_ > kMostDepth ? fail() : unary(); }

  /// A number, a variable, or a mark that stands for one.
  std::int64_t operand() {
    skip();
    if (at_ < text_.size() && (text_[at_] == kUnset || text_[at_] == kUnknown)) {
      const std::size_t end = std::min(text_.find(kEnd, at_), text_.size() - 1) + 1;
      add_marks(text_.substr(at_, end - at_), "");
      at_ = end;
      return 1;
    }
    const std::size_t end = std::min(text_.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", at_), text_.size());
    const std::string_view word = text_.substr(at_, end - at_);
    at_ = end;
    if (word.empty()) return fail();
    if (word[0] >= '0' && word[0] <= '9') return number(word);
    const std::string value = variables_.text(word);
    if (!has_mark(value)) return number(value);
    add_marks(value, word);
    return 1;
  }

  /// What is not known of a value, which is `otherwise` where it has no name.
  void add_marks(std::string_view value, std::string_view otherwise) {
    const std::vector<std::string> names = marked_names(value);
    if (names.empty()) marks_ += unknown_mark(otherwise);
    for (const std::string& name : names)
      if (marks_.find(unknown_mark(name)) == std::string::npos) marks_ += unknown_mark(name);
  }

  std::int64_t number(std::string_view digits) {
    std::int64_t value = 0;
    const bool negative = digits.starts_with('-');
    if (negative) digits.remove_prefix(1);
    if (digits.empty() || digits.size() > 16) return fail();
    for (const char c : digits) {
      if (c < '0' || c > '9') return fail();
      value = value * 10 + (c - '0');
    }
    return negative ? -value : checked(value);
  }

  std::string_view text_;
  const Variables& variables_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
  std::string marks_;
};

} // namespace

std::optional<std::string> arithmetic(std::string_view expression, const Variables& variables) { return Expression{expression, variables}.run(); }

} // namespace plimsoll::io::scripts
