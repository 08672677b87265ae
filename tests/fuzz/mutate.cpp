#include "mutate.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace plimsoll::fuzz {

namespace {

using namespace std::string_view_literals;

constexpr std::array kNasty = {
    "0"sv, "-1"sv, "1"sv, "-0"sv, "00"sv, "+1"sv, "1.5"sv, "1e3"sv, "1e400"sv, "-1e400"sv, "NaN"sv, "Infinity"sv,
    "2147483647"sv, "2147483648"sv, "4294967296"sv, "9007199254740993"sv, "9223372036854775807"sv,
    "9223372036854775808"sv, "-9223372036854775808"sv, "18446744073709551615"sv, "18446744073709551616"sv,
    "99999999999999999999999999999999999999"sv, "1,000"sv, "1_000"sv, ","sv, " 8 "sv, "null"sv, "true"sv, "\"\""sv,
    "[]"sv, "{}"sv, "[[[[]]]]"sv, "{\"a\":{\"a\":{}}}"sv, "\""sv, "\\"sv, "\\u0000"sv, "\\ud800"sv, "\0"sv, "\xff"sv,
    "\xc3"sv, "\xf0\x9f"sv, "\xed\xa0\x80"sv, "\xc0\x80"sv, "\xe2\x80\xa8"sv, "%"sv, "%0"sv, "%00"sv, "%FF"sv, "+"sv,
    "&"sv, "="sv, "#"sv, "?"sv, "<script>"sv, "\n"sv, "custom"sv, "inference"sv, "__proto__"sv};

void cut(std::string& text, Random& random) { text.resize(random.below(text.size() + 1)); }

void erase_slice(std::string& text, Random& random) {
  const std::size_t from = random.below(text.size() + 1);
  text.erase(from, random.below(16) + 1);
}

void copy_slice(std::string& text, Random& random) {
  const std::size_t from = random.below(text.size() + 1);
  const std::string slice = text.substr(from, random.below(64) + 1);
  text.insert(random.below(text.size() + 1), slice);
}

void overwrite_byte(std::string& text, Random& random) {
  if (text.empty()) return;
  char& byte = text[random.below(text.size())];
  byte = static_cast<char>(random.next());
}

void flip_bit(std::string& text, Random& random) {
  if (text.empty()) return;
  char& byte = text[random.below(text.size())];
  byte ^= static_cast<char>(1 << random.below(8));
}

void insert_nasty(std::string& text, Random& random) {
  const std::size_t at = random.below(text.size() + 1); // first, whatever the compiler
  text.insert(at, nasty_value(random));
}

/// Puts a nasty value where a value stands: after ':' or '=', up to the next separator.
void replace_value(std::string& text, Random& random) {
  const std::size_t colon = text.find_first_of(":=", random.below(text.size() + 1));
  if (colon == std::string::npos) return;
  const std::size_t end = std::min(text.find_first_of(",&}\n", colon + 1), text.size());
  text.replace(colon + 1, end - colon - 1, nasty_value(random));
}

} // namespace

std::string nasty_value(Random& random) { return std::string{random.one_of(std::span<const std::string_view>{kNasty})}; }

std::string mutated(std::string text, Random& random) {
  // replace_value stands twice: it is the edit that gets past the parser most often
  constexpr std::array kEdits = {cut, erase_slice, copy_slice, overwrite_byte, flip_bit, insert_nasty, replace_value, replace_value};
  const std::size_t edits = 1 + random.below(4);
  for (std::size_t i = 0; i < edits; ++i) kEdits[random.below(kEdits.size())](text, random);
  return text;
}

} // namespace plimsoll::fuzz
