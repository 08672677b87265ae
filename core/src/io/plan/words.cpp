#include "io/plan/words.hpp"

#include <algorithm>
#include <charconv>

namespace plimsoll::io {

std::vector<std::string> words_of(std::string_view list) {
  constexpr std::size_t kMostWords = 32;
  std::vector<std::string> words;
  while (!list.empty() && words.size() < kMostWords) {
    const std::string_view one = list.substr(0, list.find(','));
    list.remove_prefix(std::min(one.size() + 1, list.size()));
    if (!one.empty()) words.emplace_back(one);
  }
  return words;
}

std::optional<std::int64_t> decimal_of_text(std::string_view text, int decimals) {
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string digits{text.substr(0, point)};
  const std::string_view fraction = text.substr(std::min(point + 1, text.size()));
  if (fraction.size() > static_cast<std::size_t>(decimals) || digits.size() > 12 || (digits.empty() && fraction.empty())) return std::nullopt;
  digits.append(fraction);
  digits.append(static_cast<std::size_t>(decimals) - fraction.size(), '0');
  std::int64_t value = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (failed != std::errc{} || end != digits.data() + digits.size() || value < 0) return std::nullopt;
  return value;
}

} // namespace plimsoll::io
