#include "commands.hpp"

#include "files.hpp"
#include "import_table.hpp"
#include "plimsoll/files/import.hpp"
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

/// What an answer is given as.
std::string answer_flag(const io::OpenQuestion& question) {
  if (question.answer == "gpus") return "--gpus N";
  if (question.answer == "command") return "--command N";
  if (question.answer == "set") return "--set " + question.field + "=…";
  if (question.answer == "file") return question.field == "file" ? "FILE" : question.field;
  if (question.field == "vocab_size") return "--vocab gpt2";
  return flag_of(question.field);
}

/// The command that asks about what was read, with what it needs besides.
std::string how_to_estimate(const io::Request& request, const std::vector<io::OpenQuestion>& questions) {
  std::string asked, flags;
  bool again = false;
  for (const io::OpenQuestion& question : questions) {
    asked += "  " + left(answer_flag(question), 24) + question.text + "\n";
    const bool first_is_read = question.answer == "command" && request.find("model") != nullptr;
    again = again || (question.answer != "input" && question.answer != "gpus" && !first_is_read);
    if (question.answer == "input") flags += " " + flag_of(question.field) + (question.field == "device" ? " h100-80-sxm" : " …");
  }
  if (!asked.empty()) asked = "\nasked" + std::string{again ? "  (answer with plimsoll import, beside the same files)" : ""} + "\n" + asked;
  if (again) return asked;
  return asked + "\nplimsoll estimate " + quoted(io::to_query(request)) + flags + "\n";
}
std::string how_to_estimate(const io::Request& request) { return how_to_estimate(request, io::open_questions(request)); }

/// Likewise about the model of a file; nothing when the file does not hold a whole one.
std::string how_to_estimate(const io::ModelFile& file, const std::string& path) {
  if (file.request.entries().empty()) return "";
  return path == "-" ? how_to_estimate(file.request) : "\nplimsoll estimate --config " + quoted(path) + " --device h100-80-sxm\n";
}

/// What a text became.
std::string import_table(const io::ImportedText& text) {
  std::string table = text.name + (text.source.empty() ? "" : "  (keys: " + text.source + ")") + "\n\n";
  for (const io::Entry& entry : text.request.entries()) table += left(entry.name, 24) + entry.text + "\n";
  if (!text.assumed.empty()) table += "\nassumed\n";
  for (const std::string& sentence : text.assumed) table += "  " + sentence + "\n";
  if (!text.measured.empty()) table += "\nmeasured\n";
  for (const io::MeasuredFigure& figure : text.measured)
    table += "  " + left(figure.counter, 22) + figure.value + " " + figure.unit + (figure.rank ? ", rank " + std::to_string(*figure.rank) : "") + (figure.step ? ", step " + std::to_string(*figure.step) : "") + "\n";
  if (!text.commands.empty()) table += "\ncommands\n";
  for (std::size_t i = 0; i < text.commands.size(); ++i)
    table += "  " + std::to_string(i + 1) + "  line " + std::to_string(text.commands[i].line) + ", " + text.commands[i].program + ", " + text.commands[i].purpose + ": " + text.commands[i].text + "\n";
  const char* const what = text.kind == "training_config" ? " keys read, " : " options read, ";
  table += "\n" + format_count(Count{text.read}) + what + format_count(Count{text.harmless}) + " without effect on memory, " +
           format_count(Count{static_cast<std::int64_t>(text.unread.size())}) + " not in the estimate\n";
  return table + how_to_estimate(text.request, text.questions);
}

/// Takes NAME=value apart.
bool add_settings(const std::vector<std::string>& settings, io::ImportAnswers& answers, Issues& issues) {
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals != std::string::npos && equals > 0) answers.variables.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
    else issues.push_back({Severity::error, "set", "--set " + setting + " is no variable with a value.", "Write --set NAME=value."});
  }
  return !has_errors(issues);
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
    print_line(io::explain_json(catalog, answer, true));
  } else {
    complain(answer.issues);
    if (answer.ok) print(explanation_table(catalog, answer));
  }
  return status_of(answer);
}

int run_import(const io::Catalog& catalog, const ImportOptions& options) {
  Issues issues;
  io::ImportAnswers answers = options.answers;
  const std::vector<FileStart> starts = read_starts(options.paths, issues, options.offline);
  if (!add_settings(options.settings, answers, issues) || has_errors(issues)) {
    if (options.json) print_line(io::failure_json(issues));
    else complain(issues);
    return kError;
  }
  const std::vector<io::ImportFile> files = import_files_of(starts);
  if (const io::ImportedText text = io::import_files(catalog, files, answers); text.ok || !text.issues.empty()) {
    if (options.json) {
      print_line(io::imported_text_json(text));
    } else {
      complain(text.issues);
      if (text.ok) print(import_table(text));
    }
    return text.ok ? kFits : kError;
  }
  const io::ModelFile file = io::read_model_files(files);
  if (options.json) {
    print_line(io::import_json(files));
  } else {
    complain(file.issues);
    if (file.ok) print(import_table(file) + how_to_estimate(file, options.paths.front()));
  }
  return file.ok ? kFits : kError;
}

int print_export(const io::Catalog& catalog, const io::Answer& answer, const std::string& to, bool json) {
  const io::ExportedCommand exported = io::export_scenario(catalog, answer, to);
  if (json) {
    print_line(io::export_json(exported));
  } else {
    complain(exported.issues);
    print(exported.text);
  }
  return exported.ok ? kFits : kError;
}

int run_export(const io::Catalog& catalog, const ScenarioOptions& options, const std::string& engine) {
  Issues issues;
  const io::Request request = request_of(options, issues);
  return print_export(catalog, io::answer(catalog, request, std::move(issues)), engine, options.json);
}

int run_picture(const io::Catalog& catalog, const ScenarioOptions& options, const std::function<std::string(const io::Answer&)>& draw) {
  const io::Answer answer = answer_of(catalog, options);
  complain(answer.issues);
  print(draw(answer));
  return status_of(answer);
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
