#include "text/words.hpp"

namespace plimsoll::io {

std::vector<std::string_view> parts_of(std::string_view text, char between) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(between);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

char lower_case(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string letters_and_digits(std::string_view text) {
  std::string letters;
  for (const char c : text)
    if (const char lower = lower_case(c); (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9')) letters += lower;
  return letters;
}

} // namespace plimsoll::io
