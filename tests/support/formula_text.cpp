#include "formula_text.hpp"

#include <algorithm>
#include <stdexcept>

namespace plimsoll::test {

namespace {

bool in_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

class Parser {
public:
  Parser(std::string_view text, const std::vector<Symbol>& symbols) : text_(text), symbols_(symbols) {}

  __int128 whole() {
    const __int128 value = sum();
    if (at_ != text_.size()) fail("what follows cannot be read");
    return value;
  }

private:
  [[noreturn]] void fail(const std::string& why) const {
    throw std::runtime_error("“" + std::string{text_} + "” at " + std::to_string(at_) + ": " + why);
  }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool take(char c) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!take(c)) fail(std::string{"expected "} + c);
  }

  __int128 sum() {
    __int128 value = product();
    for (;;) {
      if (take('+')) value += product();
      else if (take('-')) value -= product();
      else return value;
    }
  }

  __int128 product() {
    __int128 value = factor();
    while (take('*')) value *= factor();
    skip_spaces();
    return value;
  }

  __int128 factor() {
    if (take('(')) {
      const __int128 value = sum();
      expect(')');
      return value;
    }
    skip_spaces();
    const std::size_t start = at_;
    while (at_ < text_.size() && in_name(text_[at_])) ++at_;
    const std::string name{text_.substr(start, at_ - start)};
    if (name.empty()) fail("expected a number or a name");
    if (name.front() >= '0' && name.front() <= '9') return std::stoll(name);
    if (take('(')) return call(name);
    const auto symbol = std::ranges::find(symbols_, name, &Symbol::name);
    if (symbol == symbols_.end()) fail("no symbol " + name);
    return symbol->value;
  }

  __int128 call(const std::string& name) {
    const __int128 a = sum();
    expect(',');
    const __int128 b = sum();
    expect(')');
    if (name == "max") return std::max(a, b);
    if (name == "min") return std::min(a, b);
    if (name == "ceil_div") return (a + b - 1) / b;
    if (name == "floor_div") return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
    fail("no function " + name);
  }

  std::string_view text_;
  const std::vector<Symbol>& symbols_;
  std::size_t at_ = 0;
};

} // namespace

__int128 evaluate(std::string_view text, const std::vector<Symbol>& symbols) { return Parser{text, symbols}.whole(); }

std::vector<std::string> unused_symbols(std::string_view text, const std::vector<Symbol>& symbols) {
  std::vector<std::string> unused;
  for (const Symbol& symbol : symbols) {
    bool used = false;
    for (std::size_t at = text.find(symbol.name); at != std::string_view::npos; at = text.find(symbol.name, at + 1)) {
      const std::size_t end = at + symbol.name.size();
      used = used || ((at == 0 || !in_name(text[at - 1])) && (end == text.size() || !in_name(text[end])));
    }
    if (!used) unused.emplace_back(symbol.name);
  }
  return unused;
}

} // namespace plimsoll::test
