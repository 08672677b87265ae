#pragma once
// Free text of a row, read with a table of phrases. A text is understood when every word of it is in the table: what a row says
// must never be dropped because nobody thought of it.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::accuracy {

/// One or more words and what they mean; a text that means nothing to the estimate has kNothing.
struct Phrase {
  std::string_view text; ///< lower case, words apart by one space, e.g. "flash attention 2"
  int meaning = 0;       ///< of the reader's own enum
};
inline constexpr int kNothing = -1;

struct Understood {
  std::vector<int> meanings; ///< in the order of the text, kNothing left out
  std::string rest;          ///< the words that no phrase takes; "" when all is understood

  bool says(int meaning) const noexcept;
};

/// Lower-case words: letters, digits and the points inside of numbers; everything else is a gap.
std::vector<std::string> words_of(std::string_view text);

/// Takes at every word the longest phrase that begins there.
Understood understand(std::string_view text, std::span<const Phrase> phrases);

/// Letters and digits alone, in lower case: "Falcon 40 B" is "falcon-40b".
std::string letters_of(std::string_view text);

bool contains_word(std::string_view text, std::string_view phrase);

/// Version numbers compare part by part; what is left out is 0.
using Version = std::array<int, 3>;
/// The version behind a program's name, which is one word: "torch 2.1, bitsandbytes 0.41.1" after "bitsandbytes" is {0, 41, 1}. Empty
/// where none follows.
std::optional<Version> version_after(std::string_view text, std::string_view program);

} // namespace plimsoll::io::accuracy
