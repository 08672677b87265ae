#pragma once
// Evidence: what was measured or published beside what the estimator says, row by row. A row is a question that a user could put.

#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/files/import.hpp"
#include "plimsoll/method/issue.hpp"

#include <cstdint>
#include <functional>
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
  std::string config;  ///< rows of one configuration of a group are one vote; "" a configuration of its own
  std::string twin;    ///< id of the row that this one repeats: listed, not summed; "" for none
  std::string set;     ///< what sets this run apart from a first one, e.g. "resumed second run": listed, not summed; "" for nothing
  std::string profile; ///< id of the profile that the prediction is of; "" where it needs none
  std::string memory;  ///< what is measured: "requested", "allocated", "reserved" or "process"; "" where it is no memory
  std::vector<std::string> features; ///< tags to sum up by
  std::int64_t digit = 0; ///< what the last printed digit of `measured` stands for; 0 where nobody says it
  int decimals = 0; ///< 0 to 9: predicted, low, high, measured, explained and digit are whole numbers of 10^-decimals units
};

struct Accuracy {
  std::vector<Comparison> rows;
  Issues issues;
};

/// A file that a row names: its beginning as header_bytes_needed() says, or all of it.
struct RowFile {
  std::string name;       ///< without its folders
  std::string bytes;
  std::uint64_t size = 0; ///< of the whole, in bytes
};

/// Gives a file by its path beside the file of rows; nothing where it cannot be read.
using RowFiles = std::function<std::optional<RowFile>(const std::string& path)>;

/// `text` is a whole file, at most 64 MiB: a JSON array of rows, or one row in a line, as docs/evidence.md has them. Rows that are not
/// covered are in the result too, with the reason; where nobody gives `files`, those that name one are not.
Accuracy compare(const Catalog& catalog, std::string_view text, const RowFiles& files = {});

/// A log of an engine or a training program as such a file of one row, which names it by `name`; "" where the text is none, or nothing was
/// measured. `answers` is what people know and the log leaves open: GPUs, device, vocabulary and length of a sequence.
std::string rows_of_log(std::string_view text, std::string_view name, const ImportAnswers& answers);

/// measured - predicted, in units of 10^-decimals; nothing where one of them is missing.
std::optional<std::int64_t> difference_of(const Comparison& comparison) noexcept;

/// predicted / measured - 1; nothing where one of them is missing.
std::optional<double> error_of(const Comparison& comparison) noexcept;

/// (predicted + explained) / measured - 1: the error that the row itself does not explain. Infinite where 0 was measured and something
/// predicted; nothing where one of the two is missing.
std::optional<double> unexplained_error_of(const Comparison& comparison) noexcept;

/// Whether the row is one measurement of its own: no twin, and no run that its set keeps apart.
bool is_summed(const Comparison& comparison) noexcept;

/// A JSON array with one object for each metric of each row: {"id", "group", "status": "modelled" | "not_covered", "reason",
/// "metric", "memory", "unit", "predicted", "low", "high", "measured", "measured_is_rounded", "digit", "error", "unexplained_error", "difference",
/// "explained", "config", "twin", "set", "profile", "features", "assumed", "scenario"}, one per line. Whole numbers are written in full.
std::string accuracy_json(const Accuracy& accuracy);

} // namespace plimsoll::io
