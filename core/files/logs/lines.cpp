#include "files/logs/lines.hpp"

#include "text/significant.hpp"

#include <algorithm>
#include <cmath>

namespace plimsoll::io::logs {

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line.starts_with('#') ? std::string_view{} : line; // a comment of a script, where people keep what a run printed
}

std::optional<double> number_behind(std::string_view line, std::string_view words) {
  const std::size_t at = line.find(words);
  if (at == std::string_view::npos) return std::nullopt;
  double value = 0, place = 0; // of the next digit behind the point; 0 before it
  int digits = 0;
  for (const char c : line.substr(std::min(line.find_first_not_of(" \t", at + words.size()), line.size()))) {
    if (c == ',' && digits > 0 && place == 0) continue;
    if (c == '.' && place == 0) {
      place = 0.1;
      continue;
    }
    if (c < '0' || c > '9' || ++digits > 18) break;
    value = place == 0 ? value * 10 + (c - '0') : value + place * (c - '0');
    place /= 10;
  }
  return digits > 0 ? std::optional{value} : std::nullopt;
}

std::vector<Field> python_fields(std::string_view text) {
  constexpr std::size_t kMostFields = 1000;
  std::vector<Field> fields;
  std::string piece;
  int depth = 0;
  char quote = '\0';
  const auto end_field = [&] {
    std::size_t split = std::string::npos;
    for (std::size_t i = 0; i < piece.size() && split == std::string::npos; ++i) // a key holds neither
      if (piece[i] == '=' || piece[i] == ':') split = i;
    const auto bare = [](std::string_view part) {
      const std::size_t begin = part.find_first_not_of(" '\"{"), last = part.find_last_not_of(" '\"");
      return begin == std::string_view::npos || last < begin ? std::string{} : std::string{part.substr(begin, last - begin + 1)};
    };
    if (split != std::string::npos && fields.size() < kMostFields) fields.emplace_back(bare(std::string_view{piece}.substr(0, split)), bare(std::string_view{piece}.substr(split + 1)));
    piece.clear();
  };
  for (const char c : text) {
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      if (--depth < 0) break;
    } else if (c == ',' && depth == 0) {
      end_field();
      continue;
    }
    piece += c;
  }
  end_field();
  return fields;
}

void measure(std::vector<MeasuredFigure>& into, std::string_view counter, double value, std::string_view unit, std::optional<std::int64_t> rank, std::optional<std::int64_t> step) {
  if (!std::isfinite(value) || value < 0 || value > 9e15) return;
  std::string text;
  if (unit == "bytes" || unit == "tokens") text = std::to_string(std::llround(value));
  else text = significant(value, 8);
  MeasuredFigure figure{std::string{counter}, std::move(text), std::string{unit}, rank, step};
  const auto same = [&](const MeasuredFigure& other) { return other.counter == counter && other.rank == rank; };
  const auto count = std::ranges::count_if(into, same);
  constexpr std::size_t kMostFigures = 512;
  if (count < 1 || (count == 1 && step)) {
    if (into.size() < kMostFigures) into.push_back(std::move(figure));
    return;
  }
  const auto last = std::ranges::find_if(into.rbegin(), into.rend(), same);
  *last = std::move(figure);
}

} // namespace plimsoll::io::logs
