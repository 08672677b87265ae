#pragma once
// What starts a program, taken off: launchers of processes, containers, environments and interpreters. What is left is the program with its arguments,
// and what the launchers said: on how many GPUs, with which file.

#include "files/scripts/run.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::scripts {

struct Launch {
  std::vector<std::string> words;   ///< the program, or the module behind python -m, and its arguments; with marks
  std::vector<Setting> environment; ///< what it sees, in the order in which it was set
  bool module = false;              ///< the program stands behind python -m
  std::string_view launcher;        ///< of training, where one started it: "accelerate", "deepspeed", "torchrun"; "" for none
  std::string image;                ///< of the container it runs in; "" for none
  std::string accelerate_file;      ///< of `accelerate launch --config_file`
  std::vector<Setting> told;        ///< other options of `accelerate launch` and `deepspeed` by their names, without dashes, '-' as '_'
  std::string nodes;                ///< how many machines, as said; "" where nobody says
  std::string per_node;             ///< processes on each
  std::string processes;            ///< on all of them together
  std::size_t line = 1;

  /// The program's name without its folder.
  std::string_view program() const;
};

/// Never fails: a word that is no launcher is the program.
Launch launch_of(const ShellCommand& command);

} // namespace plimsoll::io::scripts
