#pragma once
// The rows of evidence that the accuracy tab shows: they are much, so that they come only when somebody looks.

#include "arrival.hpp"
#include "plimsoll/results/evidence.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace plimsoll::app {

struct EvidenceShown {
  Arrival state = Arrival::unasked;
  io::Evidence all;
  std::vector<std::string> units, corpora, groups; ///< groups of the chosen corpus
  io::EvidenceChoice choice;                       ///< that what follows is of
  std::vector<std::size_t> rows;
  std::string sentence;
};

} // namespace plimsoll::app
