#pragma once
// The rows of evidence that the accuracy tab shows: they are much, so that they come only when somebody looks.

#include "plimsoll/results/evidence.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace plimsoll::app {

struct EvidenceShown {
  enum class State : unsigned char { unasked, asked, there, missing };
  State state = State::unasked;
  io::Evidence all;
  std::vector<std::string> units, corpora, groups; ///< groups of the chosen corpus
  io::EvidenceChoice choice;                       ///< that what follows is of
  std::vector<std::size_t> rows;
  std::string sentence;
};

} // namespace plimsoll::app
