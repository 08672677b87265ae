#pragma once

#include "plimsoll/method/quantity.hpp"

#include <optional>
#include <string_view>

namespace plimsoll::io {

/// An amount as people write it: "250", "2.50" or "$2.50"; nothing where the text is none, or less than nothing.
std::optional<Money> dollars_of(std::string_view text);

} // namespace plimsoll::io
