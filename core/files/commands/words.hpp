#pragma once
// A command line in words, as a POSIX shell splits it (IEEE Std 1003.1, Shell Command Language, 2.2 and 2.3), without what a shell
// would put in place of $VARIABLES: those stay as they are typed, and so do backslashes in the paths of Windows.

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::commands {

struct Word {
  std::string text;
  bool ends_command = false; ///< ; & | > < and the end of a line that no backslash continues
};

/// At most `most` words. Backslashes at the end of a line join it to the next one, as do the marks of PowerShell (`) and cmd (^).
std::vector<Word> split_words(std::string_view text, std::size_t most = 4096);

/// A word that a shell reads as this text.
std::string quoted_word(std::string_view text);

} // namespace plimsoll::io::commands
