#include "catalog/weights/pattern.hpp"

#include <algorithm>
#include <stdexcept>

namespace plimsoll::io {

namespace {

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Digits without leading zeros, at most nine of them.
std::optional<std::int64_t> whole(std::string_view text) {
  if (text.empty() || text.size() > 9 || (text.size() > 1 && text.front() == '0') || !std::ranges::all_of(text, is_digit)) return std::nullopt;
  std::int64_t value = 0;
  for (char c : text) value = value * 10 + (c - '0');
  return value;
}

/// "4", "4.5" or "4.25" in hundredths.
std::optional<std::int64_t> hundredths_of(std::string_view text) {
  const std::size_t point = text.find('.');
  const auto units = whole(text.substr(0, point));
  if (!units) return std::nullopt;
  if (point == std::string_view::npos) return *units * 100;
  const std::string_view decimals = text.substr(point + 1);
  if (decimals.empty() || decimals.size() > 2 || !std::ranges::all_of(decimals, is_digit)) return std::nullopt;
  return *units * 100 + (decimals[0] - '0') * 10 + (decimals.size() == 2 ? decimals[1] - '0' : 0);
}

std::int64_t factor_of(std::string_view text, const Arguments& arguments) {
  if (text.starts_with("2^")) {
    const std::int64_t exponent = factor_of(text.substr(2), arguments);
    if (exponent < 0 || exponent > 32) fail_weights("a power of two with the exponent " + std::to_string(exponent));
    return std::int64_t{1} << exponent;
  }
  if (const auto number = whole(text)) return *number;
  const auto at = std::ranges::find(arguments, text, &Argument::name);
  if (at == arguments.end()) fail_weights("there is no parameter " + std::string{text});
  return at->value;
}

} // namespace

std::optional<std::int64_t> Parameter::read(std::string_view text) const {
  const auto value = hundredths ? hundredths_of(text) : whole(text);
  if (!value) return std::nullopt;
  const bool in_range = *value >= from && *value <= to;
  return in_range || std::ranges::find(listed, text) != listed.end() ? value : std::nullopt;
}

std::vector<Parameter> parameters_of(const Json& row) {
  std::vector<Parameter> parameters;
  const auto stated = row.find("parameters");
  if (stated == row.end()) return parameters;
  for (const auto& [name, json] : stated->items()) {
    Parameter parameter;
    parameter.name = name;
    parameter.hundredths = json.value("hundredths", false);
    for (const Json& value : json.at("listed")) parameter.listed.push_back(value.is_string() ? value.get<std::string>() : dump(value));
    parameter.from = json.value("from", std::int64_t{0});
    parameter.to = json.value("to", std::int64_t{-1});
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

std::string filled(std::string_view pattern, const Arguments& arguments) {
  std::string text{pattern};
  for (const Argument& argument : arguments) {
    const std::string hole = "{" + argument.name + "}";
    for (std::size_t at = text.find(hole); at != std::string::npos; at = text.find(hole, at + argument.text.size()))
      text.replace(at, hole.size(), argument.text);
  }
  return text;
}

std::optional<Arguments> matched(std::string_view pattern, const std::vector<Parameter>& parameters, std::string_view id) {
  Arguments arguments;
  while (!pattern.empty()) {
    const std::size_t open = pattern.find('{');
    if (!id.starts_with(pattern.substr(0, open))) return std::nullopt;
    id.remove_prefix(std::min(open, pattern.size()));
    if (open == std::string_view::npos) break;
    const std::size_t close = pattern.find('}', open);
    const auto parameter = std::ranges::find(parameters, pattern.substr(open + 1, close - open - 1), &Parameter::name);
    if (close == std::string_view::npos || parameter == parameters.end()) fail_weights("the id " + std::string{pattern} + " has an unknown hole");
    pattern.remove_prefix(close + 1);
    std::size_t length = 0;
    while (length < id.size() && (is_digit(id[length]) || (parameter->hundredths && id[length] == '.'))) ++length;
    const auto value = parameter->read(id.substr(0, length));
    if (!value) return std::nullopt;
    arguments.push_back({parameter->name, std::string{id.substr(0, length)}, *value});
    id.remove_prefix(length);
  }
  return id.empty() ? std::optional{arguments} : std::nullopt;
}

std::vector<Arguments> listed(const std::vector<Parameter>& parameters) {
  std::vector<Arguments> all(1);
  for (const Parameter& parameter : parameters) {
    std::vector<Arguments> longer;
    for (const Arguments& arguments : all)
      for (const std::string& text : parameter.listed) {
        const auto value = parameter.read(text);
        if (!value) fail_weights("the listed number " + text + " of " + parameter.name + " is none");
        longer.push_back(arguments);
        longer.back().push_back({parameter.name, text, *value});
      }
    all = std::move(longer);
  }
  return all;
}

std::int64_t number_of(const Json& value, const Arguments& arguments) {
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_string()) fail_weights("a number is " + dump(value));
  const std::string text = value.get<std::string>();
  std::int64_t result = 1;
  char operation = '*';
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of("*/", begin), text.size());
    const std::int64_t factor = factor_of(std::string_view{text}.substr(begin, end - begin), arguments);
    if (operation == '/' && factor == 0) fail_weights("the number " + text + " divides by zero");
    result = operation == '*' ? (Count{result} * Count{factor}).value : result / factor;
    operation = end < text.size() ? text[end] : ' ';
    begin = end + 1;
  }
  return result;
}

} // namespace plimsoll::io
