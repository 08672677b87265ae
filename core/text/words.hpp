#pragma once
// Texts cut into parts, and letters compared without their case.

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// Cut wherever the character stands: one part more than there are of it, empty ones among them.
std::vector<std::string_view> parts_of(std::string_view text, char between);

/// An ASCII letter in lower case.
char lower_case(char c) noexcept;

/// ASCII letters and digits alone, in lower case: "llama.cpp", "llama-cpp" and "LLaMA_cpp" are one name.
std::string letters_and_digits(std::string_view text);

} // namespace plimsoll::io
