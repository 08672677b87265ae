#pragma once
// The words of a question in a line, and what they are by themselves.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::programs {

struct Word {
  std::string text, lower; ///< as typed, without signs around it; an address as the name of its model
  bool used = false;
};

/// Signs part words; a comma within a number does not.
std::vector<Word> words_in(std::string_view text);

using List = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view word, List list);

/// Marks [from, end) as understood; `end` may lie behind the last.
void take(std::vector<Word>& words, std::size_t from, std::size_t end);

/// Words that tell nothing by themselves, and change nothing where they stand: neither "not" nor "laptop" is one.
bool is_filler(std::string_view word);

/// Words that a length of contexts stands beside, and those that count what is served at once.
bool is_length(std::string_view word);
bool is_load(std::string_view word);

bool is_digits(std::string_view text);

/// A number with at most a point and one of k, m, b and t behind it: its suffix, '1' for none, 0 where it is no such number.
char scale_of(std::string_view word);

} // namespace plimsoll::io::programs
