#pragma once
// What a program does that a script starts: serves or trains a model, or something that no estimate is about.

#include "files/commands/engine.hpp"
#include "files/scripts/launch.hpp"
#include "files/training/format.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace plimsoll::io::programs {

enum class Purpose : unsigned char { serves, trains, evaluates, generates, converts, other };
/// "serving", "training", "evaluation", "generation", "conversion", "".
std::string_view name_of(Purpose purpose) noexcept;

using configs::Reads;

struct Program {
  Purpose purpose = Purpose::other;
  std::string_view name;                     ///< as people write it; "" for programs that have none
  bool known = false;                        ///< told from its name; a script of somebody's own is told from its arguments
  const commands::Engine* engine = nullptr;  ///< of those that serve
  const configs::Format* format = nullptr;   ///< of those that train; null where nobody reads it
  std::string_view method;                   ///< TRL's command: "sft", "dpo"
  Reads reads = Reads::arguments;
  std::string_view file_option;              ///< that names the configuration file; "" = a word without an option
  std::string_view usual_file;               ///< that says what the program takes by itself; "" = none does
  std::size_t first = 1;                     ///< the first argument among the launch's words
};

/// Told from the program's name, the word behind it, or the image of its container. `launch` gets the program in front of options that were given to
/// an image alone.
Program program_of(scripts::Launch& launch);

} // namespace plimsoll::io::programs
