#pragma once
// Names in words, so that they are compared by word and never by letters: "GLM-4.6" and "minilm" share none.

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::names {

using Words = std::vector<std::string>;

/// Letters and digits apart, in lower case: "Qwen2.5-VL-7B" -> qwen 2.5 vl 7b, "gemma3n:e4b" -> gemma 3 n e 4b, "RTX4060Ti" -> rtx 4060 ti.
/// A size keeps its letter, a version its point ("phi-1_5" has one too).
Words words_of(std::string_view name);

/// Parts of a name as their makers divide it, signs inside of them kept: "Llama-3-8B.Q4_K_M" -> llama-3-8b's parts and q4_k_m.
Words parts_of(std::string_view name);

/// The words of several parts, one after the other.
Words words_of(const Words& parts);

/// Whether a character is in it that no name has: a zero byte, a line's end.
bool has_control(std::string_view name) noexcept;

/// "7b", "1.5b", "270m", "2.4t": how many parameters.
bool is_size(std::string_view word) noexcept;
/// "3.1", "2507".
/// Five digits or more, which are of a build or a file: no maker calls a model so.
bool is_serial(std::string_view word) noexcept;
bool is_number(std::string_view word) noexcept;
/// "80gb".
bool is_memory(std::string_view word) noexcept;

/// Parameters of a size, or the value of a number; 0 of anything else.
double value_of(std::string_view word) noexcept;

/// Whether they differ by as little as a slip of the finger: one letter of four to seven, two of more.
bool are_near(std::string_view a, std::string_view b);

} // namespace plimsoll::io::names
