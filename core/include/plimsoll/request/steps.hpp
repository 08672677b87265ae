#pragma once
// Values as people try them one after the other.

#include "plimsoll/method/fields.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::io {

enum class Step : signed char { down = -1, up = 1 };

/// The value that comes next to `text` in a number field, as it is typed: the next power of two where a field counts what doubles (8192 after
/// 6000 or 4096, 0 below 1 where the field takes it), one more or less for facts of a model and what is small, a hundredth of a share, a tenth of
/// other decimals. Within the range of the field; nothing at its end, for other kinds of fields, and where `text` is no number.
std::optional<std::string> next_value(const Field& field, std::string_view text, Step step);

} // namespace plimsoll::io
