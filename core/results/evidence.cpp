#include "plimsoll/results/evidence.hpp"

#include "plimsoll/catalog/search.hpp"
#include "plimsoll/method/format.hpp"
#include "method/sort_stably.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace plimsoll::io {

namespace {

constexpr std::array<std::string_view, kEvidenceOrders> kOrders{"error", "id", "predicted", "measured"};

bool has_all_words(const EvidenceRow& row, std::string_view words) {
  for (std::size_t at = words.find_first_not_of(' '); at != std::string_view::npos;) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string_view word = words.substr(at, end - at);
    const bool stands_there = std::ranges::any_of(std::array{&row.id, &row.group, &row.metric, &row.memory, &row.reason, &row.corpus}, [&](const std::string* text) { return has_text(*text, word); });
    if (!stands_there) return false;
    at = words.find_first_not_of(' ', end);
  }
  return true;
}

bool is_chosen(const EvidenceRow& row, const EvidenceChoice& choice) {
  return (!choice.missing || !row.predicted) && (choice.unit.empty() || row.unit == choice.unit) && (choice.corpus.empty() || row.corpus == choice.corpus) &&
         (choice.group.empty() || row.group == choice.group) && has_all_words(row, choice.text);
}

/// What rows are sorted by; nothing stands last either way.
std::optional<double> key_of(const EvidenceRow& row, EvidenceOrder order) {
  if (order == EvidenceOrder::predicted) return row.predicted;
  if (order == EvidenceOrder::measured) return row.measured;
  return row.error && row.summed ? std::optional{std::abs(*row.error)} : std::nullopt;
}

template <class Key> std::vector<std::string> distinct(const Evidence& evidence, const Key& key) {
  std::vector<std::string> names;
  for (const EvidenceRow& row : evidence.rows)
    if (const std::string* const name = key(row); name != nullptr && !name->empty() && std::ranges::find(names, *name) == names.end()) names.push_back(*name);
  return names;
}

/// A ratio in hundredths of a per cent, as people read it.
std::string percent(double ratio) {
  if (!std::isfinite(ratio)) return "infinite";
  constexpr double kMost = 1'000'000; // nobody reads more
  const double scaled = std::clamp(ratio, -kMost, kMost) * 10'000;
  return format_decimal(std::llround(scaled), 2) + " %";
}

} // namespace

std::string_view name_of(EvidenceOrder order) noexcept { return kOrders[static_cast<std::size_t>(order)]; }

std::vector<std::size_t> chosen_rows(const Evidence& evidence, const EvidenceChoice& choice) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < evidence.rows.size(); ++i)
    if (is_chosen(evidence.rows[i], choice)) rows.push_back(i);
  if (choice.order == EvidenceOrder::id) {
    sort_stably(rows, [&](std::size_t a, std::size_t b) { return choice.turned ? evidence.rows[b].id < evidence.rows[a].id : evidence.rows[a].id < evidence.rows[b].id; });
    return rows;
  }
  sort_stably(rows, [&](std::size_t a, std::size_t b) {
    const std::optional<double> one = key_of(evidence.rows[a], choice.order), other = key_of(evidence.rows[b], choice.order);
    if (!one || !other) return one.has_value() && !other.has_value();
    return choice.turned ? *one < *other : *one > *other;
  });
  return rows;
}

std::vector<std::string> units_of(const Evidence& evidence) {
  std::vector<std::string> units = distinct(evidence, [](const EvidenceRow& row) { return row.predicted ? &row.unit : nullptr; });
  std::map<std::string, std::int64_t> counts;
  for (const EvidenceRow& row : evidence.rows)
    if (row.predicted) ++counts[row.unit];
  sort_stably(units, [&](const std::string& a, const std::string& b) { return counts[a] > counts[b]; });
  return units;
}

std::vector<std::string> corpora_of(const Evidence& evidence) {
  return distinct(evidence, [](const EvidenceRow& row) { return &row.corpus; });
}

std::vector<std::string> groups_of(const Evidence& evidence, std::string_view corpus) {
  return distinct(evidence, [&](const EvidenceRow& row) { return corpus.empty() || row.corpus == corpus ? &row.group : nullptr; });
}

EvidenceSummary summary_of(const Evidence& evidence, const std::vector<std::size_t>& rows) {
  EvidenceSummary summary;
  std::vector<double> errors;
  for (const std::size_t index : rows) {
    const EvidenceRow& row = evidence.rows[index];
    if (!row.summed || !row.error) continue;
    const double size = std::abs(*row.error);
    if (errors.empty() || size > summary.worst) summary.worst = size, summary.worst_id = row.id;
    summary.exact += row.predicted == row.measured;
    summary.within_tenth += size <= 0.1;
    errors.push_back(size);
  }
  summary.compared = static_cast<std::int64_t>(errors.size());
  if (errors.empty()) return summary;
  std::ranges::sort(errors);
  const std::size_t middle = errors.size() / 2;
  summary.median = errors.size() % 2 == 1 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2;
  summary.p90 = errors[(90 * errors.size() + 99) / 100 - 1];
  return summary;
}

std::string amount_text(const std::optional<double>& amount, std::string_view unit) {
  constexpr double kTooLarge = 9e15; // thousandths of it are still exact integers
  if (!amount) return "";
  if (!(std::abs(*amount) < kTooLarge)) return unit == "bytes" ? format_bytes(Bytes{Count::kMax}) : format_count(Count{Count::kMax});
  if (unit == "bytes") return format_bytes(Bytes{std::llround(*amount)});
  if (unit == "tokens/s") return format_token_rate(Count{std::llround(*amount * 1000)});
  const bool whole = std::abs(*amount) >= 1000 || std::round(*amount) == *amount;
  const std::string number = whole ? format_count(Count{std::llround(*amount)}) : format_decimal(std::llround(*amount * 100), 2);
  return unit.empty() || unit == "parameters" ? number : number + " " + std::string{unit};
}

std::string error_text(const std::optional<double>& error) {
  if (!error) return "";
  if (*error == 0) return "exact";
  return (*error > 0 ? "+" : "") + percent(*error);
}

std::string sentence_of(const EvidenceSummary& summary) {
  if (summary.compared == 0) return "Nothing of these is compared.";
  return format_count(Count{summary.compared}) + " compared, " + format_count(Count{summary.exact}) + " exact, " + format_count(Count{summary.within_tenth}) + " within 10 %: median error " +
         percent(summary.median) + ", nine of ten within " + percent(summary.p90) + ", worst " + percent(summary.worst) + " (" + summary.worst_id + ").";
}

} // namespace plimsoll::io
