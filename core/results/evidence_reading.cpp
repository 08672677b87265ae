#include "plimsoll/results/evidence.hpp"

#include "plimsoll/request/request.hpp"
#include "text/json.hpp"
#include "text/members.hpp"

#include <limits>
#include <utility>

namespace plimsoll::io {

namespace {

constexpr JsonLimits kLimits{.bytes = std::size_t{64} << 20, .keys = 2'000'000};

std::optional<double> number_at(const Json& row, const char* key) {
  const auto at = row.find(key);
  return at != row.end() && at->is_number() ? std::optional{at->get<double>()} : std::nullopt;
}

bool is_true(const Json& row, const char* key) {
  const auto at = row.find(key);
  return at != row.end() && at->is_boolean() && at->get<bool>();
}

std::string note_of(const Json& row) {
  std::string note;
  const auto add = [&](const std::string& sentence) { note += (note.empty() ? "" : " ") + sentence; };
  if (is_true(row, "measured_is_rounded")) add("The published number is rounded.");
  if (number_at(row, "explained").value_or(0) != 0) add("The row itself explains a part of the difference.");
  if (const std::string twin = text_at(row, "twin"); !twin.empty()) add("Repeats " + twin + ".");
  if (const std::string set = text_at(row, "set"); !set.empty()) add("A run apart: " + set + ".");
  std::string assumed;
  if (const auto list = row.find("assumed"); list != row.end() && list->is_array())
    for (const Json& one : *list)
      if (one.is_string()) assumed += (assumed.empty() ? "" : "; ") + one.get<std::string>();
  if (!assumed.empty()) add("Assumed: " + assumed + (assumed.back() == '.' ? "" : "."));
  return note;
}

/// Rows of single operators are no scenarios of a whole model.
std::string scenario_of(const Json& row) {
  const std::string query = text_at(row, "scenario");
  Issues ignored;
  return request_from_query(query, ignored).find("model") != nullptr ? query : std::string{};
}

/// JSON has no infinite number: an error that is null where both numbers are there.
std::optional<double> error_at(const Json& row, const EvidenceRow& read) {
  if (!read.predicted || !read.measured) return std::nullopt;
  if (const std::optional<double> error = number_at(row, "unexplained_error")) return error;
  return *read.measured == 0 ? std::numeric_limits<double>::infinity() : number_at(row, "error");
}

EvidenceRow row_of(const Json& row, const std::string& corpus) {
  EvidenceRow read;
  read.corpus = corpus;
  read.id = text_at(row, "id");
  read.group = text_at(row, "group");
  read.metric = text_at(row, "metric");
  read.memory = text_at(row, "memory");
  read.unit = text_at(row, "unit");
  read.reason = text_at(row, "reason");
  const bool modelled = text_at(row, "status") != "not_covered";
  if (modelled) read.predicted = number_at(row, "predicted"), read.low = number_at(row, "low"), read.high = number_at(row, "high");
  read.measured = number_at(row, "measured");
  read.error = error_at(row, read);
  read.scenario = scenario_of(row);
  read.note = note_of(row);
  read.summed = !is_true(row, "measured_is_rounded") && text_at(row, "twin").empty() && text_at(row, "set").empty();
  return read;
}

void read_rows(const Json& rows, const std::string& corpus, Evidence& into) {
  if (!rows.is_array()) return;
  for (const Json& row : rows)
    if (row.is_object()) into.rows.push_back(row_of(row, corpus));
}

} // namespace

Evidence read_evidence(std::string_view text) {
  Evidence evidence;
  const ParsedJson parsed = parse_json(text, kLimits);
  if (!parsed.ok) {
    evidence.issues.push_back({Severity::error, "", parsed.error, "Give what plimsoll accuracy --json prints."});
    return evidence;
  }
  if (parsed.value.is_object()) {
    if (const auto corpora = parsed.value.find("corpora"); corpora != parsed.value.end() && corpora->is_array())
      for (const Json& corpus : *corpora)
        if (corpus.is_object() && corpus.contains("rows")) read_rows(corpus["rows"], text_at(corpus, "name"), evidence);
  } else {
    read_rows(parsed.value, "", evidence);
  }
  if (evidence.rows.empty()) evidence.issues.push_back({Severity::error, "", "The file holds no rows of evidence.", "Give what plimsoll accuracy --json prints."});
  return evidence;
}

} // namespace plimsoll::io
