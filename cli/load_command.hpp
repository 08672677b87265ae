#pragma once
// plimsoll load: a server under load, what its users wait for.

#include "options.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/questions/load.hpp"

#include <string>

namespace plimsoll::cli {

struct LoadOptions {
  ScenarioOptions scenario;
  io::LatencyLimits limits;
  std::string trace_file, prices_path;
};

void add_load_options(CLI::App& command, LoadOptions& options);

/// Status 0 with an answer, 1 on errors of the scenario, 3 when limits are asked for that even the least load breaks.
int run_load(const io::Catalog& catalog, const LoadOptions& options);

} // namespace plimsoll::cli
