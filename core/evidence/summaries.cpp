#include "plimsoll/evidence/accuracy_summary.hpp"

#include "plimsoll/method/quantity.hpp"
#include "method/sort_stably.hpp"
#include "text/json.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace plimsoll::io {

namespace {

constexpr const char* kBy[] = {"metric", "group", "feature", "profile"};

using Key = std::tuple<int, std::string, std::string, std::string, std::string>; // by, key, metric, memory, unit
using Rows = std::vector<const Comparison*>;

double median_of_sorted(const std::vector<double>& sorted) {
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/// The smallest of them that at least `share` of a hundred do not exceed.
double percentile_of_sorted(const std::vector<double>& sorted, std::size_t share) {
  const std::size_t rank = (share * sorted.size() + 99) / 100; // counted from 1
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

ErrorSpread spread_of(std::vector<double> errors) {
  if (errors.empty()) return {};
  std::ranges::sort(errors);
  return {median_of_sorted(errors), percentile_of_sorted(errors, 90), errors.back()};
}

/// The error that counts in a summary; nothing for rows that only stand in the list.
std::optional<double> counted_error(const Comparison& row) {
  return is_summed(row) && !row.measured_is_rounded ? unexplained_error_of(row) : std::nullopt;
}

/// How much more was measured than predicted, of what was predicted.
std::optional<double> excess_of(const Comparison& row) {
  if (row.predicted == 0 || !row.measured) return std::nullopt;
  return static_cast<double>((Count{*row.measured} - Count{row.explained}).value) / static_cast<double>(row.predicted) - 1;
}

bool is_inside(const Comparison& row) {
  const std::int64_t measured = (Count{*row.measured} - Count{row.explained}).value;
  return row.low <= measured && measured <= row.high;
}

void count(const Comparison& row, Summary& summary) {
  ++summary.rows;
  if (!is_summed(row)) return void(++summary.repeated);
  if (!row.modelled) return;
  ++summary.modelled;
  if (!row.measured) return;
  if (row.measured_is_rounded) return void(++summary.rounded);
  ++summary.compared;
  if (row.predicted == *row.measured) ++summary.exact;
  else if (difference_of(row) == row.explained) ++summary.explained;
  if (is_inside(row)) ++summary.inside;
}

/// A configuration is one of its group; a row without one stands for itself.
std::pair<std::string, std::string> configuration_of(const Comparison& row) {
  return row.config.empty() ? std::pair{std::string{}, row.id} : std::pair{row.group + '\n' + row.config, std::string{}};
}

Summary summary_of(const Key& key, const Rows& rows) {
  Summary summary;
  summary.by = kBy[std::get<0>(key)];
  std::tie(std::ignore, summary.key, summary.metric, summary.memory, summary.unit) = key;
  std::vector<double> errors, excesses;
  std::map<std::pair<std::string, std::string>, std::vector<double>> by_config;
  for (const Comparison* row : rows) {
    count(*row, summary);
    const std::optional<double> error = counted_error(*row);
    if (!error) continue;
    if (std::abs(*error) > std::abs(summary.worst_error)) summary.worst_error = *error, summary.worst_id = row->id;
    errors.push_back(std::abs(*error));
    if (const std::optional<double> excess = excess_of(*row)) excesses.push_back(*excess);
    by_config[configuration_of(*row)].push_back(std::abs(*error));
  }
  summary.per_row = spread_of(std::move(errors));
  std::ranges::sort(excesses);
  if (!excesses.empty()) summary.less = percentile_of_sorted(excesses, 5), summary.more = percentile_of_sorted(excesses, 95);
  std::vector<double> votes;
  for (auto& [configuration, of_config] : by_config) {
    std::ranges::sort(of_config);
    votes.push_back(median_of_sorted(of_config));
  }
  summary.configs = static_cast<std::int64_t>(votes.size());
  summary.per_config = spread_of(std::move(votes));
  return summary;
}

Json object_of(const ErrorSpread& spread) { return {{"median", spread.median}, {"p90", spread.p90}, {"worst", spread.worst}}; }

Json object_of(const Summary& summary) {
  return {{"by", summary.by},
          {"key", summary.key},
          {"metric", summary.metric},
          {"memory", summary.memory},
          {"unit", summary.unit},
          {"rows", summary.rows},
          {"repeated", summary.repeated},
          {"modelled", summary.modelled},
          {"rounded", summary.rounded},
          {"compared", summary.compared},
          {"exact", summary.exact},
          {"explained", summary.explained},
          {"inside", summary.inside},
          {"configs", summary.configs},
          {"per_row", object_of(summary.per_row)},
          {"per_config", object_of(summary.per_config)},
          {"less", summary.less},
          {"more", summary.more},
          {"worst_id", summary.worst_id},
          {"worst_error", summary.worst_error}};
}

} // namespace

std::vector<Summary> summaries_of(const Accuracy& accuracy) {
  std::map<Key, Rows> rows_of;
  for (const Comparison& row : accuracy.rows) {
    const auto put = [&](int by, const std::string& key) { rows_of[{by, key, row.metric, row.memory, row.unit}].push_back(&row); };
    put(0, "");
    put(1, row.group);
    std::vector<std::string> features = row.features; // one that a row names twice counts once
    std::ranges::sort(features);
    features.erase(std::unique(features.begin(), features.end()), features.end());
    for (const std::string& feature : features) put(2, feature);
    if (!row.profile.empty()) rows_of[{3, row.profile, "", "", row.unit}].push_back(&row);
  }
  std::vector<Summary> summaries;
  for (const auto& [key, rows] : rows_of) summaries.push_back(summary_of(key, rows));
  return summaries;
}

std::vector<Gap> gaps_of(const Accuracy& accuracy) {
  std::map<std::pair<std::string, std::string>, Gap> by_reason;
  for (const Comparison& row : accuracy.rows) {
    if (row.modelled) continue;
    Gap& gap = by_reason[{row.group, row.reason}];
    if (gap.rows++ == 0) gap.group = row.group, gap.reason = row.reason, gap.first_id = row.id;
  }
  std::vector<Gap> gaps;
  for (auto& [reason, gap] : by_reason) gaps.push_back(std::move(gap));
  sort_stably(gaps, std::ranges::greater{}, &Gap::rows);
  return gaps;
}

std::vector<const Comparison*> worst_of(const Accuracy& accuracy, std::size_t count) {
  std::vector<std::pair<double, const Comparison*>> errors;
  for (const Comparison& row : accuracy.rows)
    if (const std::optional<double> error = counted_error(row)) errors.emplace_back(std::abs(*error), &row);
  sort_stably(errors, std::ranges::greater{}, &std::pair<double, const Comparison*>::first);
  if (errors.size() > count) errors.resize(count);
  std::vector<const Comparison*> rows;
  std::ranges::transform(errors, std::back_inserter(rows), &std::pair<double, const Comparison*>::second);
  return rows;
}

std::string summaries_json(const std::vector<Summary>& summaries) {
  std::string text = "[";
  for (const Summary& summary : summaries) {
    text += text.size() > 1 ? ",\n" : "\n";
    text += dump(object_of(summary));
  }
  return text + "\n]";
}

} // namespace plimsoll::io
