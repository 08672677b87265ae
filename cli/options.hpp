#pragma once
// One flag for each row of the field tables, spelled like the field with '-' for '_'.

#include "plimsoll/request/request.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::cli {

/// "--context-tokens" of "context_tokens".
std::string flag_of(std::string_view field);

/// The scenario as the command line states it.
struct ScenarioOptions {
  std::vector<std::string> texts; ///< one per field, in their order
  std::vector<CLI::Option*> flags; ///< one per field; null where an option of that name means something else
  std::string query;       ///< positional: a URL's query, before the flags
  std::string config_path; ///< --config: a config.json, or "-" for standard input
  bool json = false;
};

void add_scenario_options(CLI::App& command, ScenarioOptions& options);

/// Query, then config file, then flags: the later one wins.
io::Request request_of(const ScenarioOptions& options, Issues& issues);

} // namespace plimsoll::cli
