#pragma once
// An engine's words as a request.

#include "files/commands/engine.hpp"
#include "files/scripts/variables.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/files/command_line.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace plimsoll::io::commands {

/// `words` are those of the program, with marks (scripts/marks.hpp); options begin at `first`. `environment` is what the program sees.
CommandLine read_engine(const Catalog& catalog, const Engine& engine, const std::vector<std::string>& words, std::size_t first, const std::vector<scripts::Setting>& environment);

} // namespace plimsoll::io::commands
