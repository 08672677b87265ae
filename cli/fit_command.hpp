#pragma once
// plimsoll fit: the largest or smallest value of an input that still fits.

#include "options.hpp"
#include "plimsoll/catalog/catalog.hpp"

#include <string>
#include <vector>

namespace plimsoll::cli {

struct FitOptions {
  ScenarioOptions scenario;
  std::vector<std::string> largest, smallest; ///< fields; with neither, what people usually ask
  bool sensitivity = false; ///< what moves the result most
  bool advice = false; ///< what to change to make it fit, or what would break it first
};

void add_fit_options(CLI::App& command, FitOptions& options);

/// Status 0 when every question has an answer, 3 when one has none because nothing fits, 1 on errors of the scenario.
int run_fit(const io::Catalog& catalog, const FitOptions& options);

} // namespace plimsoll::cli
