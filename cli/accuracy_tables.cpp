#include "accuracy_tables.hpp"

#include "plimsoll/method/format.hpp"
#include "text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

namespace plimsoll::cli {

namespace {

std::string percent(double ratio, const char* format) {
  if (std::isinf(ratio)) return "∞";
  char text[64];
  std::snprintf(text, sizeof text, format, 100 * ratio);
  return text;
}

std::string signed_percent(double ratio) { return percent(ratio, "%+.3f %%"); }

/// Of an |error|: "0" says that there is none.
std::string plain_percent(double ratio) {
  constexpr double kSmallest = 0.00005; // what is not written as 0.00
  if (ratio == 0) return "0";
  return ratio < kSmallest ? "< 0.01 %" : percent(ratio, "%.2f %%");
}

/// How the prediction relates to the measured number, in a word or a figure.
std::string verdict_of(const io::Comparison& row) {
  if (!row.modelled) return "not covered: " + row.reason;
  const std::optional<std::int64_t> difference = io::difference_of(row);
  if (!difference) return "nothing published";
  if (*difference == 0) return "exact";
  if (row.measured_is_rounded) return signed_percent(io::error_of(row).value_or(0)) + " of a rounded number";
  if (*difference == row.explained) return "differs by " + format_decimal(*difference, row.decimals) + ", all of it explained";
  const std::string unexplained = format_decimal((Count{*difference} - Count{row.explained}).value, row.decimals);
  return signed_percent(io::unexplained_error_of(row).value_or(0)) + ", " + unexplained + " unexplained";
}

std::string repetition_of(const io::Comparison& row) {
  if (!row.twin.empty()) return " (repeats " + row.twin + ")";
  return row.set.empty() ? "" : " (" + row.set + ")";
}

constexpr std::array kHeadings{"rows", "repeated", "modelled", "rounded", "compared", "exact", "explained", "inside", "median",
                               "p90", "worst", "configs", "median", "p90", "worst", "5 of 100", "95 of 100"};
constexpr std::size_t kFigures = kHeadings.size();
constexpr std::size_t kCounts = 8; // the figures before the first spread

using Figures = std::array<std::string, kFigures>;

/// "" where there is nothing to say.
Figures figures_of(const io::Summary& summary) {
  const auto count = [](std::int64_t n) { return format_count(Count{n}); };
  const auto ratio = [&](double error) { return summary.compared > 0 ? plain_percent(error) : std::string{}; };
  const auto bound = [&](double excess) { return summary.compared > 0 ? signed_percent(excess) : std::string{}; };
  return {count(summary.rows),     count(summary.repeated), count(summary.modelled),         count(summary.rounded),
          count(summary.compared), count(summary.exact),    count(summary.explained),        count(summary.inside),
          ratio(summary.per_row.median), ratio(summary.per_row.p90), ratio(summary.per_row.worst), count(summary.configs),
          ratio(summary.per_config.median), ratio(summary.per_config.p90), ratio(summary.per_config.worst),
          bound(summary.less), bound(summary.more)};
}

/// "all rows, peak_steady (allocated)", or the group or feature in front.
std::string name_of(const io::Summary& summary) {
  const std::string key = summary.by == "metric" ? "all rows" : summary.key.empty() ? "no " + summary.by : summary.key;
  if (summary.by == "profile") return "profile " + summary.key + ", " + summary.unit;
  const std::string metric = summary.metric.empty() ? "no metric" : summary.metric;
  return key + ", " + metric + (summary.memory.empty() ? "" : " (" + summary.memory + ")");
}

/// Text in one cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '*' || c == '_' || c == '`' || c == '\\' || c == '[') safe += '\\';
    safe += c == '\n' || c == '\r' ? ' ' : c;
  }
  return safe;
}

} // namespace

std::string rows_table(const std::vector<const io::Comparison*>& rows) {
  std::size_t id = 2, metric = 6;
  for (const io::Comparison* row : rows) id = std::max(id, width_of(row->id)), metric = std::max(metric, width_of(row->metric));
  std::string table;
  for (const io::Comparison* row : rows) {
    const std::string predicted = row->modelled ? format_decimal(row->predicted, row->decimals) : "–";
    const std::string measured = row->measured ? format_decimal(*row->measured, row->decimals) : "–";
    table += left(row->id, id) + "  " + left(row->metric, metric) + right(predicted, 22) + right(measured, 22) + "  " + verdict_of(*row) +
             repetition_of(*row) + "\n";
  }
  return table;
}

std::string summaries_table(const std::vector<io::Summary>& summaries) {
  constexpr std::size_t kWidth = 11;
  std::size_t name = 0;
  for (const io::Summary& summary : summaries) name = std::max(name, width_of(name_of(summary)));
  const std::string_view by_row = "|error| by row", by_config = "by configuration", excess = "measured / predicted - 1";
  std::string table = left("", name + kCounts * kWidth) + left("  " + std::string{by_row}, 4 * kWidth) + left("  " + std::string{by_config}, 3 * kWidth) + "  " + std::string{excess} + "\n" + left("", name);
  for (const char* heading : kHeadings) table += right(heading, kWidth);
  table += "  worst row\n";
  std::string_view by;
  for (const io::Summary& summary : summaries) {
    if (!by.empty() && by != summary.by) table += "\n";
    by = summary.by;
    table += left(name_of(summary), name);
    for (const std::string& figure : figures_of(summary)) table += right(figure, kWidth);
    if (!summary.worst_id.empty()) table += "  " + signed_percent(summary.worst_error) + " " + summary.worst_id;
    table += "\n";
  }
  return table;
}

std::string gaps_table(const std::vector<io::Gap>& gaps) {
  std::string table;
  for (const io::Gap& gap : gaps)
    table += right(format_count(Count{gap.rows}), 9) + "  " + (gap.group.empty() ? "" : gap.group + ": ") + gap.reason + " First: " + gap.first_id + "\n";
  return table.empty() ? table : "Not covered:\n" + table;
}

std::string summaries_markdown(const std::vector<io::Summary>& summaries, const std::vector<io::Gap>& gaps) {
  std::string text = "| what | rows | modelled | compared | exact | explained | in range | by row: median, p90, worst | configurations | by configuration: "
                     "median, p90, worst | measured beyond predicted: 5 to 95 of 100 | worst row |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n";
  for (const io::Summary& summary : summaries) {
    const auto [rows, repeated, modelled, rounded, compared, exact, explained, inside, median, p90, worst, configs, config_median, config_p90,
                config_worst, less, more] = figures_of(summary);
    const auto three = [](const std::string& a, const std::string& b, const std::string& c) { return a.empty() ? a : a + ", " + b + ", " + c; };
    const std::string beyond = less.empty() ? less : less + " to " + more;
    const std::string worst_row = summary.worst_id.empty() ? "" : cell(summary.worst_id) + " " + signed_percent(summary.worst_error);
    text += "| " + cell(name_of(summary)) + " | " + rows + " | " + modelled + " | " + compared + " | " + exact + " | " + explained + " | " + inside + " | " +
            three(median, p90, worst) + " | " + configs + " | " + three(config_median, config_p90, config_worst) + " | " + beyond + " | " + worst_row + " |\n";
  }
  if (gaps.empty()) return text;
  text += "\n| not covered | of | why |\n|--:|---|---|\n";
  for (const io::Gap& gap : gaps) text += "| " + format_count(Count{gap.rows}) + " | " + cell(gap.group) + " | " + cell(gap.reason) + " |\n";
  return text;
}

} // namespace plimsoll::cli
