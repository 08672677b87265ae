#pragma once
// Lines of logs: numbers behind words, and values as Python prints them.

#include "plimsoll/files/import.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll::io::logs {

/// Takes the next line off.
std::string_view take_line(std::string_view& text);

/// The number that follows the words, with or without commas between thousands; nothing where the line does not have them.
std::optional<double> number_behind(std::string_view line, std::string_view words);

/// name=value or 'name': value, up to the bracket that closes, as Python prints arguments and dictionaries. Values of texts are without quotes.
using Field = std::pair<std::string, std::string>;
std::vector<Field> python_fields(std::string_view text);

/// Keeps the figure, in place of an earlier one of the same counter and rank unless that was the first step's.
void measure(std::vector<MeasuredFigure>& into, std::string_view counter, double value, std::string_view unit, std::optional<std::int64_t> rank = {}, std::optional<std::int64_t> step = {});
inline constexpr double kMiB = 1024.0 * 1024.0, kGiB = 1024.0 * kMiB;

} // namespace plimsoll::io::logs
