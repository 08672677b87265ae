#pragma once
// plimsoll accuracy FILE...: evidence, row by row and summed up.

#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/files/import.hpp"

#include <optional>
#include <string>
#include <vector>

namespace plimsoll::cli {

struct AccuracyOptions {
  std::vector<std::string> paths;
  bool json = false, markdown = false;
  io::ImportAnswers answers;        ///< what people know and logs leave open
  bool by_file = false;             ///< JSON of the rows file by file, as the app reads it
  bool summary = false;             ///< without the rows
  std::string by;                   ///< only summaries by "metric", "group", "feature" or "profile"; "" for all
  std::optional<std::string> group; ///< only its rows
  std::string operators;            ///< folder of measured kernels to judge in place of files; "" for none
  std::string left_out;             ///< of those: "shapes" or "gpus" are left out of a fit of their own; "" = the catalogue's numbers
  std::optional<std::size_t> worst; ///< only that many rows, the worst first
};

/// Status 0 when every file could be read, whatever the errors are: judging them is the reader's matter. A file that cannot be read
/// hides no other.
int run_accuracy(const io::Catalog& catalog, const AccuracyOptions& options);

} // namespace plimsoll::cli
