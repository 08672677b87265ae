#include "text/value.hpp"

#include "plimsoll/method/validate.hpp"
#include "plimsoll/text/other_names.hpp"
#include "method/sort_stably.hpp"
#include "text/amount.hpp"
#include "text/json.hpp"
#include "text/plain_values.hpp"

#include <algorithm>
#include <numeric>

namespace plimsoll::io {

namespace {

/// "8,192" -> "8192"; text in which commas or underscores do not separate groups of three digits is left as it is.
std::string without_separators(std::string_view text) {
  std::string digits;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ',' || text[i] == '_') {
      const std::size_t next = std::min(text.find_first_of(",_", i + 1), text.size());
      if (i == 0 || next - i != 4) return std::string{text};
    } else {
      digits += text[i];
    }
  }
  return digits;
}

std::optional<std::int64_t> parse_integer(const Field& field, std::string_view text, Issues& issues) {
  const Amount amount = amount_of(field, without_separators(text));
  if (amount.value) return amount.value;
  const std::string range = range_text(field), kind = field.decimals > 0 ? "number" : "whole number";
  if (amount.too_large)
    issues.push_back({Severity::error, std::string{field.name}, std::string{label_of(field)} + " is " + quoted(text) + ", outside its range.",
                      "Write a " + kind + " from " + range + "."});
  else
    issues.push_back({Severity::error, std::string{field.name},
                      std::string{label_of(field)} + (text.empty() ? " is empty." : " is " + quoted(text) + ", which is not a " + kind + "."),
                      "Write a " + kind + " from " + range + (field.unit.empty() ? "." : ", in " + std::string{field.unit} + ".")});
  return std::nullopt;
}

/// Each part between commas, without the blanks around it.
template <class Each> void each_between_commas(std::string_view text, Each&& each) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    each(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
}

std::string names_of(std::span<const Choice> parts) {
  std::vector<std::string> names;
  for (const Choice& part : parts) names.emplace_back(part.name);
  return joined_with_or(names);
}

/// "q,v,down": the bits of all; nothing where one is no part.
std::optional<std::int64_t> parse_parts(const Field& field, std::string_view text) {
  std::int64_t bits = 0;
  bool known = !field.parts.empty();
  each_between_commas(text, [&](std::string_view name) {
    const auto part = std::ranges::find(field.parts, lower_case(name), &Choice::name);
    if (part != field.parts.end()) bits |= part->value;
    else known = false;
  });
  return known ? std::optional{bits} : std::nullopt;
}

std::optional<std::int64_t> parse_choice(const Field& field, std::string_view text, Issues& issues) {
  if (const Choice* choice = find_choice(field, lower_case(text))) return choice->value;
  if (const std::optional<std::int64_t> parts = parse_parts(field, text)) return parts;
  std::vector<std::string> names;
  for (const Choice& choice : field.choices) names.emplace_back(choice.name);
  const std::string_view meant = meant_by_choice(field.name, text);
  issues.push_back({Severity::error, std::string{field.name}, std::string{label_of(field)} + " is " + quoted(text) + ", which is not one of its choices.",
                    (meant.empty() ? "" : "Did you mean " + std::string{meant} + "? ") + "Write " + joined_with_or(names) + (field.parts.empty() ? "." : ", or " + names_of(field.parts) + " joined by commas.")});
  return std::nullopt;
}

std::optional<std::int64_t> parse_flag(const Field& field, std::string_view text, Issues& issues) {
  if (const std::optional<bool> flag = flag_of(text)) return *flag ? 1 : 0;
  issues.push_back({Severity::error, std::string{field.name}, std::string{label_of(field)} + " is " + quoted(text) + ".", "Write true or false."});
  return std::nullopt;
}

} // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::optional<std::int64_t> parse_value(const Field& field, std::string_view text, Issues& issues) {
  text = trimmed(text);
  switch (field.kind) {
    case FieldKind::integer: return parse_integer(field, text, issues);
    case FieldKind::choice: return parse_choice(field, text, issues);
    case FieldKind::flag: return parse_flag(field, text, issues);
    case FieldKind::id:
    case FieldKind::text: break;
  }
  return std::nullopt;
}

std::optional<std::vector<std::int64_t>> parse_list(const Field& field, std::string_view text, Issues& issues) {
  constexpr std::size_t kMost = 10'000;
  std::vector<std::int64_t> list;
  std::string bad;
  each_between_commas(text, [&](std::string_view word) {
    const std::optional<std::int64_t> number = whole_number(word);
    if (number && *number >= field.min && *number <= field.max && list.size() < kMost) list.push_back(*number);
    else if (bad.empty()) bad = quoted(word);
  });
  if (bad.empty()) return list;
  issues.push_back({Severity::error, std::string{field.name}, std::string{label_of(field)} + ": " + bad + " is not a whole number from " + range_text(field) + ".",
                    "Write whole numbers joined by commas, such as 4,4,3, or leave it out."});
  return std::nullopt;
}

std::string lower_case(std::string_view text) {
  std::string lower{text};
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::vector<std::string> most_similar(std::string_view text, const std::vector<std::string>& candidates, std::size_t most) {
  const std::string wanted = lower_case(text.substr(0, 64)); // an id is never longer: keeps the comparison short
  struct Scored {
    std::size_t distance;
    const std::string* candidate;
  };
  std::vector<Scored> scored;
  for (const std::string& candidate : candidates) {
    const bool contains = !wanted.empty() && lower_case(candidate).find(wanted) != std::string::npos;
    scored.push_back({contains ? 0 : edit_distance(wanted, lower_case(candidate)), &candidate});
  }
  sort_stably(scored, {}, &Scored::distance);
  std::vector<std::string> similar;
  for (const Scored& entry : scored)
    if (similar.size() < most) similar.push_back(*entry.candidate);
  return similar;
}

std::vector<std::string> slips_of(std::string_view text, const std::vector<std::string>& candidates, std::size_t most) {
  const std::string wanted = lower_case(text.substr(0, 64));
  std::vector<std::string> near = most_similar(text, candidates, most);
  std::erase_if(near, [&](const std::string& candidate) {
    return edit_distance(wanted, lower_case(candidate)) > std::max<std::size_t>(2, wanted.size() / 3) && lower_case(candidate).find(wanted) == std::string::npos;
  });
  return near;
}

std::string joined_with_or(const std::vector<std::string>& words) {
  std::string joined;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) joined += i + 1 == words.size() ? " or " : ", ";
    joined += words[i];
  }
  return joined;
}

} // namespace plimsoll::io
