#pragma once
// plimsoll check: whether what files say fits, for continuous integration.

#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/files/import.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll::cli {

struct CheckOptions {
  std::vector<std::string> paths; ///< each a question of its own
  io::ImportAnswers answers;
  std::vector<std::string> set;   ///< NAME=value, inputs of the scenario
  std::string max_cost;           ///< dollars; "" = any
  std::string format = "text";    ///< or "github"
  bool offline = false;
};

void add_check_options(CLI::App& command, CheckOptions& options);

/// One line for each file, or one annotation. Status 0 when all fit and cost no more than was said, 3 when one does not, 1 when one has no answer.
int run_check(const io::Catalog& catalog, const CheckOptions& options, const std::string& prices_path);

} // namespace plimsoll::cli
