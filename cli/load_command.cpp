#include "load_command.hpp"

#include "commands.hpp"
#include "files.hpp"
#include "streams.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace plimsoll::cli {

void add_load_options(CLI::App& command, LoadOptions& options) {
  add_scenario_options(command, options.scenario);
  command.add_option("--first-token-ms", options.limits.first_token_ms, "Find the highest load of which nine of ten requests get their first token within so many milliseconds")->check(CLI::NonNegativeNumber);
  command.add_option("--per-token-ms", options.limits.per_token_ms, "Likewise each further token")->check(CLI::NonNegativeNumber);
  command.add_flag("--splits", options.limits.splits, "Where prompts and answers have GPUs of their own: try every division of these GPUs between them");
  command.add_option("--trace-file", options.trace_file, "Requests one by one: a line each with the milliseconds at which it arrives, the tokens of its prompt and of its answer, joined by commas")->check(CLI::ExistingFile);
}

int run_load(const io::Catalog& catalog, const LoadOptions& options) {
  Issues issues;
  io::Request request = request_of(options.scenario, issues);
  if (!options.trace_file.empty()) {
    std::string trace = read_whole(options.trace_file, issues);
    while (!trace.empty() && (trace.back() == '\n' || trace.back() == '\r')) trace.pop_back();
    std::erase(trace, '\r');
    std::ranges::replace(trace, '\n', ',');
    request.set("trace", std::move(trace));
  }
  io::LoadReport report = io::load_report(catalog, request, options.limits);
  std::move(report.issues.begin(), report.issues.end(), std::back_inserter(issues));
  report.issues = issues;
  if (options.scenario.json) print(io::load_json(report) + "\n");
  else {
    complain(issues);
    print(io::load_text(report));
  }
  if (!report.ok) return kError;
  return report.highest && report.highest->value == 0 ? kDoesNotFit : kFits;
}

} // namespace plimsoll::cli
