#pragma once
// Values that are written alike wherever they stand, of a field or of a key of a question.

#include <cstdint>
#include <optional>
#include <string_view>

namespace plimsoll::io {

/// Without the spaces and tabs around it.
std::string_view trimmed(std::string_view text);

/// What yes and no are written as: "true", "1", "yes" and their opposites; nothing where the text is none of them.
std::optional<bool> flag_of(std::string_view text);

/// The whole number that the text is, a minus sign in front allowed; nothing where it is more or less than that, or 64 bits do not hold it.
std::optional<std::int64_t> whole_number(std::string_view text);

/// A number of at most `decimals` digits behind the point as a multiple of its last one: 2500 of "2.5" with 3. Nothing where it is none,
/// negative, or longer than a quantity holds.
std::optional<std::int64_t> decimal_of(std::string_view text, int decimals);

} // namespace plimsoll::io
