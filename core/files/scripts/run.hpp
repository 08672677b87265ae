#pragma once
// A script as a shell would run it, without running anything: which commands it comes to, with their words.
//
// What is not known stays open in place of being guessed. A variable that nothing sets is marked and can be asked for by its name. Where a condition
// is not known (a file that may exist, what a program prints), both ways are followed, and a variable that they leave different is marked with what
// decides. Loops are gone through once, with a mark for what they count. Functions are followed where they are called.

#include "files/scripts/variables.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::scripts {

struct ShellCommand {
  std::vector<std::string> words;   ///< with marks; at least one
  std::vector<Setting> environment; ///< variables that it sees: exported ones, then those in front of it
  std::size_t line = 1;
};

/// A text beside the script, such as one that it reads or writes.
struct NamedText {
  std::string name; ///< as a path, of which the last part counts
  std::string text;
};

struct Script {
  std::vector<ShellCommand> commands;  ///< in the order in which they would run; those of the shell itself are left out
  std::vector<NamedText> written;      ///< here-documents that it writes to files
  std::vector<std::string> missing;    ///< scripts that it reads and that were not given
  bool whole = true;                   ///< false where it was too long to be followed to its end
};

/// `given` are variables that somebody has told; `texts` files that were given beside. Never throws on any text.
Script follow(std::string_view text, const std::vector<Setting>& given = {}, const std::vector<NamedText>& texts = {});

/// Whether two paths end in the same file name.
bool same_file(std::string_view a, std::string_view b);

} // namespace plimsoll::io::scripts
