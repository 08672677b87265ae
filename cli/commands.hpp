#pragma once
// What each command prints, and its exit status.

#include "cost_command.hpp"
#include "options.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/files/import.hpp"
#include "plimsoll/results/result_file.hpp"

#include <functional>
#include <string>
#include <vector>

namespace plimsoll::cli {

inline constexpr int kFits = 0;
inline constexpr int kError = 1;
inline constexpr int kDoesNotFit = 3;

int run_estimate(const io::Catalog& catalog, const ScenarioOptions& options, const EstimateCost& cost = {});
int run_explain(const io::Catalog& catalog, const ScenarioOptions& options);
/// Files that belong together, and what is told about them.
struct ImportOptions {
  std::vector<std::string> paths;
  io::ImportAnswers answers;
  std::vector<std::string> settings; ///< NAME=value of shell variables
  bool json = false;
  bool offline = false; ///< of addresses, what was fetched before
};
int run_import(const io::Catalog& catalog, const ImportOptions& options);
/// The scenario as a command line, a configuration or a launch manifest.
int run_export(const io::Catalog& catalog, const ScenarioOptions& options, const std::string& engine);
/// The same of a plan's query.
int print_export(const io::Catalog& catalog, const io::Answer& answer, const std::string& to, bool json);
/// Prints what is drawn of the answer. Status as that of estimate.
int run_picture(const io::Catalog& catalog, const ScenarioOptions& options, const std::function<std::string(const io::Answer&)>& draw);
/// `what`: "" for everything, "models", "devices" or "profiles".
int run_catalog(const io::Catalog& catalog, const std::string& what, const std::string& search, bool json);
int run_fields(const io::Catalog& catalog, bool json);

} // namespace plimsoll::cli
