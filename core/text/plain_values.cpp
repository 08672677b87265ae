#include "text/plain_values.hpp"

#include "text/value.hpp"

#include <algorithm>
#include <charconv>
#include <string>

namespace plimsoll::io {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::optional<bool> flag_of(std::string_view text) {
  const std::string word = lower_case(trimmed(text));
  if (word == "true" || word == "1" || word == "yes") return true;
  if (word == "false" || word == "0" || word == "no") return false;
  return std::nullopt;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc{} && end == text.data() + text.size() ? std::optional{number} : std::nullopt;
}

std::optional<std::int64_t> decimal_of(std::string_view text, int decimals) {
  text = trimmed(text);
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string digits{text.substr(0, point)};
  const std::string_view fraction = text.substr(std::min(point + 1, text.size()));
  if (fraction.size() > static_cast<std::size_t>(decimals) || digits.size() > 12 || (digits.empty() && fraction.empty())) return std::nullopt;
  digits.append(fraction);
  digits.append(static_cast<std::size_t>(decimals) - fraction.size(), '0');
  return digits.front() == '-' ? std::nullopt : whole_number(digits);
}

} // namespace plimsoll::io
