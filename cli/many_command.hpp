#pragma once
// Many questions: plimsoll sweep, and plimsoll estimate --each.

#include "options.hpp"
#include "plimsoll/catalog/catalog.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace plimsoll::cli {

struct ManyOptions {
  std::string query;        ///< of a sweep: some inputs have several values
  std::string each;         ///< or a file with a question in each line, as JSON or as a query; "-" for standard input
  std::string format = "jsonl"; ///< or "csv"
  std::string judge = "process"; ///< or "estimate"
  std::string output = "-"; ///< a file, or standard output
  unsigned threads = 0;     ///< 0 = all of the machine
  bool resume = false;      ///< goes on where the output file ends
};

/// Options that both have.
void add_many_options(CLI::App& command, ManyOptions& options);
void add_sweep_options(CLI::App& command, ManyOptions& options);

/// Prints a row for each question, in their order. `besides` are entries that every question of --each has unless it states them itself.
/// Status 0 when each has an answer, be it that it does not fit; 1 when one has none.
int run_many(const io::Catalog& catalog, const ManyOptions& options, const io::Request& besides = {});

} // namespace plimsoll::cli
