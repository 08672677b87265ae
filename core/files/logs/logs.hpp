#pragma once
// What engines and training programs print when they start and run: how they were configured, and what was measured.

#include "files/training/format.hpp"
#include "plimsoll/files/import.hpp"
#include "text/json.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::logs {

struct Log {
  bool is = false;                          ///< a log of a program that is known
  std::string program;                      ///< as people write it
  std::string words;                        ///< of an engine: the line that would start it so
  const configs::Format* format = nullptr;  ///< of a training program whose log repeats its configuration …
  Json tree = Json::object();               ///< … which is this
  Request request;                          ///< what the log says besides
  std::vector<MeasuredFigure> measured;     ///< of each counter and rank the first step's and the last one's
};

/// Never throws on any text.
Log read_log(std::string_view text);

/// The logs of engines, and those of training programs: not `is` where the text is none.
Log read_engine_log(std::string_view text);
Log read_training_log(std::string_view text);

} // namespace plimsoll::io::logs
