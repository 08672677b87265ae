#pragma once
// Evaluates the text of a formula with the symbols recorded beside it: the judge of "text equals code".

#include "plimsoll/method/explain.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::test {

/// + - * with parentheses, whole numbers, symbols, max(a, b), min(a, b), ceil_div(a, b), floor_div(a, b). Exact in 128 bits.
/// Throws std::runtime_error with the place when the text cannot be read or names an unknown symbol.
__int128 evaluate(std::string_view text, const std::vector<Symbol>& symbols);

/// Symbols that the text does not use: each is a name that explains nothing.
std::vector<std::string> unused_symbols(std::string_view text, const std::vector<Symbol>& symbols);

} // namespace plimsoll::test
