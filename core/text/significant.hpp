#pragma once

#include <string>

namespace plimsoll::io {

/// As printf's "%.*g" writes it in every locale: so many digits that count, without zeros behind them. std::to_chars with a precision
/// says the same with 110 kB of tables.
std::string significant(double number, int digits);

} // namespace plimsoll::io
