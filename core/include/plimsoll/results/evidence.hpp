#pragma once
// Rows of evidence that a program has written (accuracy.json, or what `plimsoll accuracy --json` prints), to be looked at: chosen, sorted,
// summed up and put into words. Nothing is predicted here.

#include "plimsoll/method/issue.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// One number of one row, as its file tells it.
struct EvidenceRow {
  std::string corpus; ///< the file it comes from; "" where that is not told
  std::string id, group, metric, memory, unit;
  std::optional<double> predicted, low, high, measured; ///< in `unit`
  std::optional<double> error; ///< what the row does not explain, as a ratio: 0.01 is one per cent; infinite where 0 was measured
  std::string reason;          ///< why nothing is predicted; "" where something is
  std::string scenario;        ///< as a query; "" where the row is no scenario of a whole model
  std::string note;            ///< what one has to know of the row: that it repeats another, what is assumed
  bool summed = true;          ///< it counts: no repetition, no rounded number
};

struct Evidence {
  std::vector<EvidenceRow> rows;
  Issues issues; ///< errors: nothing could be read
};

/// Reads {"corpora": [{"name", "rows": [...]}]} or an array of rows. Never throws; keys of a wrong type are left out, and what is no object.
Evidence read_evidence(std::string_view text);

enum class EvidenceOrder : unsigned char { error, id, predicted, measured };
inline constexpr std::size_t kEvidenceOrders = 4;
std::string_view name_of(EvidenceOrder order) noexcept;

/// Which rows, and how sorted. Empty texts choose all.
struct EvidenceChoice {
  std::string unit{}, corpus{}, group{};
  bool missing = false; ///< only rows of which nothing is predicted
  std::string text{}; ///< stands in id, group, metric, memory, reason or corpus, letter case ignored; several words must all stand there
  EvidenceOrder order = EvidenceOrder::error; ///< the largest first, of ids the first; rows without a number last
  bool turned = false;
  bool operator==(const EvidenceChoice&) const = default;
};
std::vector<std::size_t> chosen_rows(const Evidence& evidence, const EvidenceChoice& choice);

/// What can be chosen, in the order in which the rows have it. Units of rows with something predicted, the most frequent first.
std::vector<std::string> units_of(const Evidence& evidence);
std::vector<std::string> corpora_of(const Evidence& evidence);
std::vector<std::string> groups_of(const Evidence& evidence, std::string_view corpus);

/// Of those rows that count and have an error.
struct EvidenceSummary {
  std::int64_t compared = 0, exact = 0, within_tenth = 0;
  double median = 0, p90 = 0, worst = 0;
  std::string worst_id;
};
EvidenceSummary summary_of(const Evidence& evidence, const std::vector<std::size_t>& rows);

/// "14.9 GiB", "8,030,261,248", "129 tokens/s"; "" for nothing.
std::string amount_text(const std::optional<double>& amount, std::string_view unit);
/// "exact", "+1.25 %", "infinite"; "" for nothing.
std::string error_text(const std::optional<double>& error);
/// "1,842 compared, 1,204 exact: median error 0.12 %, nine of ten within 4.10 %, worst 38.20 % (id)."
std::string sentence_of(const EvidenceSummary& summary);

} // namespace plimsoll::io
