#include "load_command.hpp"

#include "commands.hpp"
#include "cost_command.hpp"
#include "files.hpp"
#include "plimsoll/files/request_trace.hpp"
#include "streams.hpp"

#include <iterator>
#include <string>
#include <utility>

namespace plimsoll::cli {

void add_load_options(CLI::App& command, LoadOptions& options) {
  add_scenario_options(command, options.scenario);
  command.add_option("--first-token-ms", options.limits.first_token_ms, "Find the highest load of which nine of ten requests get their first token within so many milliseconds")->check(CLI::NonNegativeNumber);
  command.add_option("--per-token-ms", options.limits.per_token_ms, "Likewise each further token")->check(CLI::NonNegativeNumber);
  command.add_flag("--splits", options.limits.splits, "Try every division of the servers between those that read prompts and those that answer");
  command.add_option("--prices", options.prices_path, "A file of prices in place of those that are built in (docs/prices.md)");
  command.add_option("--trace-file", options.trace_file, "Requests one by one: lines of milliseconds, tokens of the prompt and of the answer; or a trace of Mooncake, BurstGPT, Azure or LLMServingSim")->check(CLI::ExistingFile);
}

int run_load(const io::Catalog& catalog, const LoadOptions& options) {
  Issues issues;
  io::Request request = request_of(options.scenario, issues);
  if (!options.trace_file.empty()) {
    io::RequestTrace trace = io::read_request_trace(read_whole(options.trace_file, issues));
    std::move(trace.issues.begin(), trace.issues.end(), std::back_inserter(issues));
    request.set("trace", std::move(trace.text));
  }
  const io::Prices prices = prices_of(catalog, options.prices_path, issues);
  io::LoadReport report;
  if (!has_errors(issues)) report = io::load_report(catalog, prices, request, options.limits);
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
