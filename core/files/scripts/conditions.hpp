#pragma once
// What `test`, [ ] and [[ ]] say.

#include "files/scripts/variables.hpp"

#include <string>
#include <vector>

namespace plimsoll::io::scripts {

enum class Outcome : unsigned char { no, yes, unknown };

struct Condition {
  Outcome outcome = Outcome::unknown;
  std::vector<std::string> why{}; ///< names of what decides, where it is not known
};

/// Words with marks, without the brackets. A text that nobody sets is empty, as it is to the shell; a number that nobody sets is not known.
Condition condition_of(const std::vector<std::string>& words);

Condition negated(Condition condition);

} // namespace plimsoll::io::scripts
