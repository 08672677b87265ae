#pragma once
// Makes bad texts of good ones.

#include "random.hpp"

#include <string>

namespace plimsoll::fuzz {

/// A value that programs stumble over: limits of integers, NaN, 1e400, NUL, half a character, a number with a sign ...
std::string nasty_value(Random& random);

/// The text after one to four edits: cut, copied, swapped, overwritten, nasty values in between.
std::string mutated(std::string text, Random& random);

} // namespace plimsoll::fuzz
