#pragma once
// plimsoll plan: which way of training, or of serving, is the fastest, cheapest, roomiest.

#include "options.hpp"
#include "plimsoll/catalog/catalog.hpp"

#include <string>
#include <vector>

namespace plimsoll::cli {

struct PlanOptions {
  ScenarioOptions scenario;
  std::vector<std::string> texts; ///< one for each of io::plan_keys() and io::serving_plan_keys()
  std::vector<CLI::Option*> flags;
  unsigned threads = 0;           ///< 0 = all of the machine
  std::string to; ///< prints the best plan as what `export` writes for it
  bool front = false;             ///< list the front too
};

void add_plan_options(CLI::App& command, PlanOptions& options);

/// Status 0 when there is a plan, 3 when nothing holds, 1 on errors.
int run_plan(const io::Catalog& catalog, const PlanOptions& options, const std::string& prices_path);

} // namespace plimsoll::cli
