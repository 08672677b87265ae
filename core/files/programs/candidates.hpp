#pragma once
// The commands of a text that a question could be about.

#include "files/programs/machines.hpp"
#include "files/programs/purpose.hpp"
#include "files/scripts/launch.hpp"
#include "files/scripts/run.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::programs {

struct Candidate {
  scripts::Launch launch;
  Program program;
};

struct Candidates {
  std::vector<Candidate> all;         ///< programs with a purpose, in their order
  std::vector<scripts::NamedText> written; ///< files that the script writes
  std::vector<std::string> missing;   ///< scripts that it reads
  std::vector<std::string> others;    ///< programs that none of these is, the first few
  std::vector<std::string> off;       ///< models that a chart's values leave out
  Machines machines;                  ///< that it asks for
  bool manifest = false;              ///< the text describes containers
  bool whole = true;
};

/// Of a script, a command line or a description of containers. Never throws on any text.
Candidates candidates_in(std::string_view text, const std::vector<scripts::Setting>& given = {}, const std::vector<scripts::NamedText>& texts = {});

} // namespace plimsoll::io::programs
