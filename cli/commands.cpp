#include "commands.hpp"

#include "files.hpp"
#include "import_table.hpp"
#include "plimsoll/files/command_line.hpp"
#include "plimsoll/files/model_file.hpp"
#include "plimsoll/files/questions.hpp"
#include "plimsoll/files/training_config.hpp"
#include "plimsoll/results/api.hpp"
#include "streams.hpp"
#include "tables.hpp"
#include "text.hpp"

namespace plimsoll::cli {

namespace {

void print_line(const std::string& text) { print(text + "\n"); }

int status_of(const io::Answer& answer) { return !answer.ok ? kError : answer.judgement.holds() ? kFits : kDoesNotFit; }

io::Answer answer_of(const io::Catalog& catalog, const ScenarioOptions& options) {
  Issues issues;
  const io::Request request = request_of(options, issues);
  io::Answer answer = io::answer(catalog, request, std::move(issues));
  io::add_footprint(answer);
  return answer;
}

/// A word of a command line, whatever stands in it.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return text + "'";
}

/// The command that asks about what was read; of a file that names no model, with a place for one.
std::string how_to_estimate(const io::Request& request) {
  std::string asked, flags;
  for (const io::OpenQuestion& question : io::open_questions(request)) {
    const std::string flag = flag_of(question.field);
    asked += "  " + left(flag, 24) + question.text + "\n";
    flags += " " + flag + (question.field == "device" ? " h100-80-sxm" : " …");
  }
  return (asked.empty() ? "" : "\nasked\n" + asked) + "\nplimsoll estimate " + quoted(io::to_query(request)) + flags + "\n";
}

/// Likewise about the model of a file; nothing when the file does not hold a whole one.
std::string how_to_estimate(const io::ModelFile& file, const std::string& path) {
  if (file.request.entries().empty()) return "";
  return path == "-" ? how_to_estimate(file.request) : "\nplimsoll estimate --config " + quoted(path) + " --device h100-80-sxm\n";
}

/// What the command line of an engine became.
std::string command_table(const io::CommandLine& line) {
  std::string table = line.engine + "\n\n";
  for (const io::Entry& entry : line.request.entries()) table += left(entry.name, 20) + entry.text + "\n";
  table += "\n" + format_count(Count{line.read}) + " options read, " + format_count(Count{line.harmless}) + " without effect on memory, " +
           format_count(Count{static_cast<std::int64_t>(line.unread.size())}) + " not in the estimate\n";
  return table + how_to_estimate(line.request);
}

/// What a configuration of training became.
std::string config_table(const io::TrainingConfig& config) {
  std::string table = config.name + "  (keys: " + config.source + ")\n\n";
  for (const io::Entry& entry : config.request.entries()) table += left(entry.name, 24) + entry.text + "\n";
  if (!config.assumed.empty()) table += "\nassumed\n";
  for (const std::string& sentence : config.assumed) table += "  " + sentence + "\n";
  table += "\n" + format_count(Count{config.read}) + " keys read, " + format_count(Count{config.harmless}) + " without effect on memory, " +
           format_count(Count{static_cast<std::int64_t>(config.unread.size())}) + " not in the estimate\n";
  return table + how_to_estimate(config.request);
}

} // namespace

int run_estimate(const io::Catalog& catalog, const ScenarioOptions& options, const EstimateCost& cost) {
  io::Answer answer = answer_of(catalog, options);
  io::Prices prices;
  add_cost(answer, catalog, cost, prices, answer.issues);
  if (options.json) {
    print_line(io::estimate_json(answer));
  } else {
    complain(answer.issues);
    if (answer.ok) print(estimate_table(answer) + cost_lines(answer));
  }
  return status_of(answer);
}

int run_explain(const io::Catalog& catalog, const ScenarioOptions& options) {
  const io::Answer answer = answer_of(catalog, options);
  if (options.json) {
    print_line(io::explain_json(catalog, answer));
  } else {
    complain(answer.issues);
    if (answer.ok) print(explanation_table(catalog, answer));
  }
  return status_of(answer);
}

int run_import(const std::string& path, bool json) {
  Issues issues;
  const FileStart start = read_start(path, issues);
  if (has_errors(issues)) {
    if (json) print_line(io::failure_json(issues));
    else complain(issues);
    return kError;
  }
  const io::ModelFile file = io::read_model_file(start.bytes, start.size, start.name);
  if (!json && file.kind == "command_line") {
    const io::CommandLine line = io::read_command_line(start.bytes);
    complain(line.issues);
    print(command_table(line));
    return file.ok ? kFits : kError;
  }
  if (!json && file.kind == "training_config") {
    const io::TrainingConfig config = io::read_training_config(start.bytes);
    complain(config.issues);
    if (config.ok) print(config_table(config));
    return file.ok ? kFits : kError;
  }
  if (json) {
    print_line(io::import_json(start.bytes, start.size, start.name));
  } else {
    complain(file.issues);
    if (file.ok) print(import_table(file) + how_to_estimate(file, path));
  }
  return file.ok ? kFits : kError;
}

int run_export(const io::Catalog& catalog, const ScenarioOptions& options, const std::string& engine) {
  Issues issues;
  const io::Request request = request_of(options, issues);
  const io::ExportedCommand exported = io::export_scenario(catalog, io::answer(catalog, request, std::move(issues)), engine);
  if (options.json) {
    print_line(io::export_json(exported));
  } else {
    complain(exported.issues);
    print(exported.text);
  }
  return exported.ok ? kFits : kError;
}

int run_catalog(const io::Catalog& catalog, const std::string& what, const std::string& search, bool json) {
  if (json) {
    print_line(io::catalog_json(catalog));
    return kFits;
  }
  std::string text;
  if (what.empty() || what == "models") text += "Models\n" + models_table(catalog, search) + "\n";
  if (what.empty() || what == "devices") text += "Devices\n" + devices_table(catalog, search) + "\n";
  if (what.empty() || what == "weights") text += "Weights\n" + weights_table(catalog, search) + "\n";
  if (what.empty() || what == "profiles") text += "Profiles\n" + profiles_table(catalog, search) + "\n";
  print(text);
  return kFits;
}

int run_fields(const io::Catalog& catalog, bool json) {
  if (json) print_line(io::fields_json(catalog));
  else print(fields_table());
  return kFits;
}

} // namespace plimsoll::cli
