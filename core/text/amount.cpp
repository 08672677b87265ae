#include "text/amount.hpp"

#include "text/plain_values.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace plimsoll::io {

namespace {

constexpr std::int64_t kLongestText = 1'000'000'000; ///< fields of tokens up to here are lengths, those beyond amounts of data

struct Scale {
  std::int64_t times = 1, over = 1; ///< times 0: no such unit
};

constexpr std::int64_t power(std::int64_t base, int exponent) {
  std::int64_t result = 1;
  while (exponent-- > 0) result *= base;
  return result;
}

/// 1 to 4 of "k" to "t"; 0 of anything else.
int step_of(char c) {
  switch (c) {
    case 'k': return 1;
    case 'm': return 2;
    case 'g':
    case 'b': return 3;
    case 't': return 4;
    default: return 0;
  }
}

Scale scale_of(const Field& field, std::string_view unit) {
  if (unit.empty()) return {};
  if (unit == "%") return {field.decimals > 0 && field.unit.empty() ? 1 : 0, 100};
  const bool in_kib = field.unit == "KiB", in_bytes = field.unit.starts_with("bytes") || in_kib;
  const int step = in_bytes && unit == "b" ? 0 : step_of(unit.front());
  const std::string_view rest = unit.substr(step > 0 ? 1 : 0);
  if (in_bytes) {
    const std::int64_t over = in_kib ? 1024 : 1;
    if (rest == "ib" && step > 0) return {power(1024, step), over};
    return {rest.empty() || rest == "b" ? power(1000, step) : 0, over};
  }
  if (step == 0 || !rest.empty()) return {.times = 0};
  const bool is_length = field.unit == "tokens" && field.max <= kLongestText;
  return {power(is_length && step < 3 ? 1024 : 1000, step)};
}

/// digits * times / over, where that is whole.
Amount exactly(std::string_view digits, std::int64_t times, std::int64_t over) {
  const std::optional<std::int64_t> number = whole_number(digits);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (!number) return {.too_large = std::ranges::all_of(digits.substr(digits.starts_with('-') ? 1 : 0), [](char c) { return c >= '0' && c <= '9'; })};
  while (times % 10 == 0 && over % 10 == 0) times /= 10, over /= 10;
  while (times % 2 == 0 && over % 2 == 0) times /= 2, over /= 2;
  if (*number > kMost / times || *number < -kMost / times) return {.too_large = true};
  const std::int64_t product = *number * times;
  return product % over == 0 ? Amount{product / over} : Amount{};
}

} // namespace

Amount amount_of(const Field& field, std::string_view text) {
  text = trimmed(text);
  if (field.unit.starts_with("dollars") && text.starts_with('$')) text = trimmed(text.substr(1));
  const std::size_t end = std::min(text.find_first_not_of("0123456789.", text.starts_with('-') ? 1 : 0), text.size());
  const std::string_view number = text.substr(0, end);
  const Scale scale = scale_of(field, lower_case(trimmed(text.substr(end))));
  const std::size_t point = std::min(number.find('.'), number.size());
  std::string_view fraction = number.substr(std::min(point + 1, number.size()));
  while (fraction.ends_with('0')) fraction.remove_suffix(1);
  constexpr std::size_t kMostPlaces = 6;
  const bool has_digit = number.find_first_of("0123456789") != std::string_view::npos;
  if (scale.times == 0 || !has_digit || fraction.find('.') != std::string_view::npos || fraction.size() > kMostPlaces) return {};
  std::string digits{number.substr(0, point)};
  if (digits.empty()) digits = "0";
  digits += fraction;
  const int places = static_cast<int>(fraction.size());
  return exactly(digits, scale.times * power(10, field.decimals), scale.over * power(10, places));
}

} // namespace plimsoll::io
