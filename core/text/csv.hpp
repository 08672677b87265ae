#pragma once

#include <string>
#include <string_view>

namespace plimsoll::io {

/// A text as a cell of CSV (RFC 4180): within quotes, its own doubled.
std::string quoted_cell(std::string_view text);

} // namespace plimsoll::io
