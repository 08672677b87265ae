#pragma once
// Evidence: what was measured or published beside what the estimator says, row by row. Files of rows come in the schemas that the
// project's data has; a row's own facts become the scenario, never its name.

#include "plimsoll/io/catalog.hpp"
#include "plimsoll/issue.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// One number of one row, predicted and measured.
struct Comparison {
  std::string id;     ///< of the row
  std::string group;  ///< what rows are summed up by, e.g. the model's family
  bool modelled = false;
  std::string reason; ///< why it is not; "" otherwise
  std::string metric; ///< the row's own key, e.g. "params_total"
  std::string unit;   ///< e.g. "parameters"
  std::int64_t predicted = 0, low = 0, high = 0; ///< where modelled
  std::optional<std::int64_t> measured;          ///< what the row says
  bool measured_is_rounded = false;              ///< a name or a card, not a count
  std::int64_t explained = 0; ///< of measured - predicted, what the row itself explains (tensors that one side leaves out)
  std::string scenario;       ///< as a query
  std::vector<std::string> assumed; ///< what the row does not tell
};

struct Accuracy {
  std::vector<Comparison> rows;
  Issues issues;
};

/// `text` is a whole file, at most 64 MiB: models with config and published counts, or
/// measured peaks of single operators. Rows that are not covered are in the result too.
Accuracy compare(std::string_view text);

/// measured - predicted; nothing where one of them is missing.
std::optional<std::int64_t> difference_of(const Comparison& comparison) noexcept;

/// predicted / measured - 1; nothing where one of them is missing.
std::optional<double> error_of(const Comparison& comparison) noexcept;

/// A JSON array with one object for each metric of each row: {"id", "group", "status": "modelled" | "not_covered", "reason",
/// "metric", "unit", "predicted", "low", "high", "measured", "error", "difference", "explained", "assumed", "scenario"}, one per line.
std::string accuracy_json(const Accuracy& accuracy);

} // namespace plimsoll::io
