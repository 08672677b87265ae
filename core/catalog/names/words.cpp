#include "catalog/names/words.hpp"

#include "text/value.hpp"

#include <algorithm>
#include <cstdlib>

namespace plimsoll::io::names {

namespace {

constexpr std::size_t kLongest = 256; ///< of a name, in bytes: no catalogue has a longer one

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_letter(char c) noexcept { return c >= 'a' && c <= 'z'; }

/// Whether the letters from `at` on are the unit of the number before them, and end there: 7b, 350m, 2.4t, 80gb.
std::size_t unit_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_letter(text[end])) ++end;
  const std::string_view unit = text.substr(at, end - at);
  const bool ends = end == text.size() || !is_digit(text[end]);
  return ends && (unit == "b" || unit == "m" || unit == "t" || unit == "k" || unit == "gb" || unit == "tb") ? unit.size() : 0;
}

void cut(std::string_view text, Words& into) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t from = i;
    if (is_digit(text[i])) {
      const auto joins = [&](std::size_t at) { return at + 1 < text.size() && (text[at] == '.' || text[at] == '_') && is_digit(text[at + 1]); };
      while (i < text.size() && (is_digit(text[i]) || joins(i))) ++i;
      i += unit_at(text, i);
      into.emplace_back(text.substr(from, i - from));
      std::ranges::replace(into.back(), '_', '.');
    } else if (is_letter(text[i])) {
      while (i < text.size() && is_letter(text[i])) ++i;
      into.emplace_back(text.substr(from, i - from));
    } else {
      ++i;
    }
  }
}

bool ends_with_unit(std::string_view word, std::string_view units) {
  return word.size() > 1 && is_digit(word.front()) && units.find(word.back()) != std::string_view::npos;
}

} // namespace

Words words_of(std::string_view name) {
  Words words;
  cut(lower_case(name.substr(0, kLongest)), words);
  return words;
}

Words words_of(const Words& parts) {
  Words words;
  for (const std::string& part : parts) cut(part, words);
  return words;
}

Words parts_of(std::string_view name) {
  const std::string text = lower_case(name.substr(0, kLongest));
  Words parts;
  std::string part;
  const auto end = [&] {
    if (!part.empty()) parts.push_back(part);
    part.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_version = c == '.' && i + 1 < text.size() && is_digit(text[i + 1]);
    if (is_letter(c) || is_digit(c) || c == '_' || is_version || static_cast<unsigned char>(c) >= 0x80) part += c;
    else end();
  }
  end();
  return parts;
}

bool has_control(std::string_view name) noexcept {
  return std::ranges::any_of(name, [](char letter) { return static_cast<unsigned char>(letter) < ' '; });
}

bool is_size(std::string_view word) noexcept { return ends_with_unit(word, "bmtk") && !word.ends_with("gb") && !word.ends_with("tb"); }

bool is_number(std::string_view word) noexcept { return !word.empty() && is_digit(word.front()) && is_digit(word.back()); }

bool is_serial(std::string_view word) noexcept { return word.size() >= 5 && word.find_first_not_of("0123456789") == std::string_view::npos; }

bool is_memory(std::string_view word) noexcept { return !word.empty() && is_digit(word.front()) && word.ends_with("gb"); }

double value_of(std::string_view word) noexcept {
  if (word.empty() || !is_digit(word.front())) return 0;
  const double number = std::strtod(std::string{word}.c_str(), nullptr);
  if (is_memory(word)) return number;
  switch (word.back()) {
    case 't': return number * 1e12;
    case 'b': return number * 1e9;
    case 'm': return number * 1e6;
    default: return number;
  }
}

bool are_near(std::string_view a, std::string_view b) {
  const std::size_t least = std::min(a.size(), b.size()), most = std::max(a.size(), b.size());
  if (least < 4 || most > 32) return false;
  return edit_distance(a, b) <= (least < 8 ? 1U : 2U);
}

} // namespace plimsoll::io::names
