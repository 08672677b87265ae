#pragma once
// Options that are written member by member.

#include "files/commands/engine.hpp"
#include "files/commands/words.hpp"

#include <span>
#include <vector>

namespace plimsoll::io::commands {

/// The words with one JSON object in the place of the members of each option that takes one.
std::vector<Word> join_members(std::span<const Option> options, const std::vector<Word>& words);

} // namespace plimsoll::io::commands
