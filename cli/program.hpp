#pragma once
// The whole command line, for whoever starts it: the program of that name, and the script of the Python package.

#include <string>
#include <vector>

namespace plimsoll::cli {

/// Does what the words after the program's name say, prints to the standard streams, and gives the exit status.
int run_program(std::vector<std::string> words) noexcept;

} // namespace plimsoll::cli
