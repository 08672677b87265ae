#pragma once
// Values of a question that are no fields: lists and decimal numbers.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// "a,b" as two words; at most 32, none empty.
std::vector<std::string> words_of(std::string_view list);

/// A number of at most `decimals` digits behind the point as a multiple of its last one: 2500 of "2.5" with 3. Nothing where it is none,
/// negative, or longer than a quantity holds.
std::optional<std::int64_t> decimal_of_text(std::string_view text, int decimals);

} // namespace plimsoll::io
