#pragma once
// The main figures of an answer: what moves when a formula does.

#include "text/json.hpp"

#include <string>
#include <vector>

namespace plimsoll::test {

struct Figure {
  std::string table; ///< in which it stands: "memory", "facts", …
  std::string name;  ///< of its place in the answer, as walk.hpp names it
  std::string value; ///< a number, with low..high where they differ from it; a word
};

/// Every amount of the explanation without formulas and symbols, every number of the estimate and of ways to choose from without those
/// formatted for reading, verdicts, and issues.
std::vector<Figure> figures(const io::Json& answer, bool question);

} // namespace plimsoll::test
