#pragma once
// What the product answers to scenarios.txt and questions.txt.

#include <string>
#include <vector>

namespace plimsoll::test {

struct GoldenAnswer {
  std::string name;
  bool question = false; ///< of questions.txt
  std::string json;      ///< byte for byte what the product gives
};

/// All of them, in the order of the two files.
std::vector<GoldenAnswer> golden_answers();

} // namespace plimsoll::test
