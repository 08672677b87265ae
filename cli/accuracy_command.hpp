#pragma once
// plimsoll accuracy FILE...: evidence, row by row.

#include <string>
#include <vector>

namespace plimsoll::cli {

/// Status 0 when every file could be read, whatever the errors are: judging them is the reader's matter.
int run_accuracy(const std::vector<std::string>& paths, bool json);

} // namespace plimsoll::cli
