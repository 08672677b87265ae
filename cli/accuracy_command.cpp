#include "accuracy_command.hpp"

#include "commands.hpp"
#include "files.hpp"
#include "plimsoll/format.hpp"
#include "plimsoll/io/accuracy.hpp"
#include "tables.hpp"
#include "text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace plimsoll::cli {

namespace {

std::string percent(double ratio) {
  char text[32];
  std::snprintf(text, sizeof text, "%+.3f %%", 100 * ratio);
  return text;
}

/// How the prediction relates to the measured number, in a word or a figure.
std::string verdict_of(const io::Comparison& row) {
  if (!row.modelled) return "not covered: " + row.reason;
  const std::optional<std::int64_t> difference = io::difference_of(row);
  if (!difference) return "nothing published";
  if (*difference == 0) return "exact";
  const std::string error = percent(io::error_of(row).value_or(0));
  if (row.measured_is_rounded) return error + " of a rounded number";
  if (*difference == row.explained) return "differs by " + format_count(Count{*difference}) + ", all of it explained";
  return error + ", " + format_count(Count{*difference} - Count{row.explained}) + " unexplained";
}

std::string table_of(const io::Accuracy& accuracy) {
  std::size_t id = 2, metric = 6;
  for (const io::Comparison& row : accuracy.rows) id = std::max(id, row.id.size()), metric = std::max(metric, row.metric.size());
  std::string table;
  for (const io::Comparison& row : accuracy.rows) {
    const std::string predicted = row.modelled ? format_count(Count{row.predicted}) : "–";
    const std::string measured = row.measured ? format_count(Count{*row.measured}) : "–";
    table += left(row.id, id) + "  " + left(row.metric, metric) + right(predicted, 22) + right(measured, 22) + "  " + verdict_of(row) + "\n";
  }
  return table;
}

/// One line for each metric: rows, exact ones, explained ones, and the worst error of the others.
std::string summary_of(const io::Accuracy& accuracy) {
  struct Sums {
    int rows = 0, covered = 0, compared = 0, exact = 0, explained = 0;
    double worst = 0;
  };
  std::map<std::string, Sums> by_metric;
  for (const io::Comparison& row : accuracy.rows) {
    Sums& sums = by_metric[row.metric];
    ++sums.rows;
    if (!row.modelled) continue;
    ++sums.covered;
    const std::optional<std::int64_t> difference = io::difference_of(row);
    if (!difference) continue;
    ++sums.compared;
    if (*difference == 0) ++sums.exact;
    else if (*difference == row.explained) ++sums.explained;
    else if (const double error = io::error_of(row).value_or(0); std::abs(error) > std::abs(sums.worst)) sums.worst = error;
  }
  std::string text;
  for (const auto& [metric, sums] : by_metric)
    text += (metric.empty() ? "other rows" : metric) + ": " + std::to_string(sums.rows) + " rows, " + std::to_string(sums.covered) + " modelled, " +
            std::to_string(sums.compared) + " compared: " + std::to_string(sums.exact) + " exact, " + std::to_string(sums.explained) +
            " explained, worst of the others " + percent(sums.worst) + "\n";
  return text;
}

} // namespace

int run_accuracy(const std::vector<std::string>& paths, bool json) {
  io::Accuracy all;
  for (const std::string& path : paths) {
    const std::string text = read_whole(path, all.issues);
    if (has_errors(all.issues)) continue;
    io::Accuracy one = io::compare(text);
    for (Issue& issue : one.issues) {
      issue.field = path;
      all.issues.push_back(std::move(issue));
    }
    std::ranges::move(one.rows, std::back_inserter(all.rows));
  }
  const std::string issues = issues_table(all.issues);
  std::fwrite(issues.data(), 1, issues.size(), stderr);
  const std::string text = json ? io::accuracy_json(all) + "\n" : table_of(all) + "\n" + summary_of(all);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return has_errors(all.issues) ? kError : kFits;
}

} // namespace plimsoll::cli
