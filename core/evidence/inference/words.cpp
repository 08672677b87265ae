#include "evidence/inference/parts.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace plimsoll::io::accuracy::inference {

std::string lower(std::string_view text) {
  std::string small{text};
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::optional<std::int64_t> number_behind(std::string_view text, std::string_view phrase, int decimals) {
  std::size_t at = text.find(phrase);
  if (at == std::string_view::npos) return std::nullopt;
  at += phrase.size();
  while (at < text.size() && (text[at] == ' ' || text[at] == '=' || text[at] == ':')) ++at;
  std::int64_t value = 0;
  int behind = -1, digits = 0; // digits behind the point; -1 before it
  for (; at < text.size() && digits < 15; ++at) {
    if (text[at] == '.' && behind < 0) behind = 0;
    else if (text[at] < '0' || text[at] > '9') break;
    else if (behind < decimals) value = value * 10 + (text[at] - '0'), ++digits, behind += behind >= 0 ? 1 : 0;
  }
  if (digits == 0) return std::nullopt;
  for (int i = std::max(behind, 0); i < decimals; ++i) value *= 10;
  return value;
}

std::optional<std::int64_t> number_before(std::string_view text, std::string_view phrase, int decimals) {
  const std::size_t end = text.find(phrase);
  if (end == std::string_view::npos) return std::nullopt;
  std::size_t first = end;
  while (first > 0 && (text[first - 1] == '.' || (text[first - 1] >= '0' && text[first - 1] <= '9'))) --first;
  return number_behind(text.substr(first, end - first), "", decimals);
}

Constant printed_bytes(const Json& row) {
  Constant constant;
  constant.value = constant.low = constant.high = number_of(row, "value_bytes").value_or(0);
  const auto value = row.find("value");
  if (value == row.end() || !value->is_number() || value->get<double>() == 0) return constant;
  const std::string printed = dump(*value);
  const std::size_t point = printed.find('.');
  const int digits = point == std::string::npos ? 0 : static_cast<int>(printed.size() - point - 1);
  const double unit = static_cast<double>(constant.value) / value->get<double>();
  double half = 0.5 * unit * std::pow(10.0, -std::max(digits, 2)); // logs print two digits, JSON drops zeros at the end
  const std::string notes = lower(text_of(row, "notes"));
  if (number_behind(notes, "k ", 2) && number_behind(notes, "+ v ", 2)) half *= 2; // SGLang prints keys and values apart: the row is their sum
  constant.low -= std::llround(half);
  constant.high += std::llround(half);
  return constant;
}

} // namespace plimsoll::io::accuracy::inference
