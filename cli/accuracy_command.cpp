#include "accuracy_command.hpp"

#include "accuracy_tables.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "plimsoll/evidence/accuracy_summary.hpp"
#include "plimsoll/evidence/latencies.hpp"
#include "streams.hpp"
#include "tables.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>

namespace plimsoll::cli {

namespace {

/// What rows name lies beside their file.
io::RowFiles files_beside(const std::string& path) {
  return [folder = std::filesystem::path{path}.parent_path()](const std::string& name) -> std::optional<io::RowFile> {
    Issues issues;
    FileStart start = read_start((folder / name).string(), issues);
    if (has_errors(issues)) return std::nullopt;
    return io::RowFile{.name = std::move(start.name), .bytes = std::move(start.bytes), .size = start.size};
  };
}

/// The rows of that file, which may be a log; what is wrong with it goes to `issues`.
std::vector<io::Comparison> rows_of(const io::Catalog& catalog, const std::string& path, const AccuracyOptions& options, Issues& issues) {
  Issues of_file;
  std::string text = read_whole(path, of_file);
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  const bool rows_are_json = text.substr(begin, 1) == "[" || text.substr(begin, 1) == "{";
  if (std::string log = rows_are_json ? "" : io::rows_of_log(text, std::filesystem::path{path}.filename().string(), options.answers); !log.empty()) text = std::move(log);
  std::vector<io::Comparison> rows;
  if (!has_errors(of_file)) {
    io::Accuracy accuracy = io::compare(catalog, text, files_beside(path));
    rows = std::move(accuracy.rows);
    of_file = std::move(accuracy.issues);
  }
  for (Issue& issue : of_file) {
    issue.field = path;
    issues.push_back(std::move(issue));
  }
  return rows;
}

std::vector<const io::Comparison*> listed(const io::Accuracy& accuracy, const AccuracyOptions& options) {
  if (options.worst) return io::worst_of(accuracy, *options.worst);
  std::vector<const io::Comparison*> rows;
  std::ranges::transform(accuracy.rows, std::back_inserter(rows), [](const io::Comparison& row) { return &row; });
  return rows;
}

std::string output_of(const io::Accuracy& all, const AccuracyOptions& options) {
  if (options.json && !options.summary) {
    if (!options.worst) return io::accuracy_json(all) + "\n";
    io::Accuracy worst;
    for (const io::Comparison* row : io::worst_of(all, *options.worst)) worst.rows.push_back(*row);
    return io::accuracy_json(worst) + "\n";
  }
  std::vector<io::Summary> summaries = io::summaries_of(all);
  if (!options.by.empty()) std::erase_if(summaries, [&](const io::Summary& summary) { return summary.by != options.by; });
  if (options.json) return io::summaries_json(summaries) + "\n";
  const std::vector<io::Gap> gaps = io::gaps_of(all);
  if (options.markdown) return summaries_markdown(summaries, gaps);
  const std::string text = summaries_table(summaries) + "\n" + gaps_table(gaps);
  return options.summary ? text : rows_table(listed(all, options)) + "\n" + text;
}

std::string by_file(const io::Catalog& catalog, const AccuracyOptions& options, Issues& issues) {
  std::vector<io::Corpus> corpora;
  for (const std::string& path : options.paths) {
    std::vector<io::Comparison> rows = rows_of(catalog, path, options, issues);
    corpora.push_back({std::filesystem::path{path}.stem().string(), {.rows = std::move(rows), .issues = {}}});
  }
  return io::corpora_json(corpora) + "\n";
}

} // namespace

namespace {

/// Measured kernels in a folder, in the order of their names.
int run_operators(const io::Catalog& catalog, const AccuracyOptions& options) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator{options.operators, error}) paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  Issues issues;
  if (error || paths.empty()) issues.push_back({Severity::error, options.operators, "There is no such folder, or nothing in it.", "Name one with files such as gemm.csv.gz."});
  std::vector<io::LatencyFile> files;
  for (const std::string& path : paths)
    if (path.ends_with(".csv") || path.ends_with(".csv.gz")) files.push_back({std::filesystem::path{path}.filename().string(), read_whole(path, issues)});
  io::LatencyReport report;
  if (!has_errors(issues))
    report = io::compare_latencies(catalog, files, options.left_out == "shapes" ? io::LeftOut::shapes : options.left_out == "gpus" ? io::LeftOut::gpus : io::LeftOut::none);
  std::ranges::move(report.issues, std::back_inserter(issues));
  complain(issues_table(issues));
  print(options.json ? io::latency_json(report) + "\n" : io::latency_table(report));
  return has_errors(issues) ? kError : kFits;
}

} // namespace

int run_accuracy(const io::Catalog& catalog, const AccuracyOptions& options) {
  if (!options.operators.empty()) return run_operators(catalog, options);
  io::Accuracy all;
  if (options.by_file) {
    const std::string text = by_file(catalog, options, all.issues), issues = issues_table(all.issues);
    complain(issues);
    print(text);
    return has_errors(all.issues) ? kError : kFits;
  }
  for (const std::string& path : options.paths) {
    std::vector<io::Comparison> rows = rows_of(catalog, path, options, all.issues);
    if (options.group) std::erase_if(rows, [&](const io::Comparison& row) { return row.group != *options.group; });
    std::ranges::move(rows, std::back_inserter(all.rows));
  }
  const std::string issues = issues_table(all.issues);
  complain(issues);
  const std::string text = output_of(all, options);
  print(text);
  return has_errors(all.issues) ? kError : kFits;
}

} // namespace plimsoll::cli
