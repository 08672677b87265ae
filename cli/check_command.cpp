#include "check_command.hpp"

#include "commands.hpp"
#include "cost_command.hpp"
#include "files.hpp"
#include "plimsoll/answer/answer.hpp"
#include "plimsoll/files/model_file.hpp"
#include "plimsoll/files/questions.hpp"
#include "plimsoll/method/format.hpp"
#include "plimsoll/text/dollars.hpp"
#include "streams.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace plimsoll::cli {

namespace {

/// As GitHub's workflow commands want it; names of files are properties, which colons and commas would end.
std::string escaped(const std::string& text, bool is_property) {
  std::string result;
  for (const char c : text) {
    if (c == '%') result += "%25";
    else if (c == '\r') result += "%0D";
    else if (c == '\n') result += "%0A";
    else if (is_property && c == ':') result += "%3A";
    else if (is_property && c == ',') result += "%2C";
    else result += c;
  }
  return result;
}

struct Finding {
  Severity severity = Severity::note;
  std::string text;
};

std::string line_of(const Finding& finding, const std::string& path, bool for_github) {
  const std::string_view level = finding.severity == Severity::error ? "error" : finding.severity == Severity::warning ? "warning" : "notice";
  if (for_github) return "::" + std::string{level} + " file=" + escaped(path, true) + ",title=Plimsoll::" + escaped(finding.text, false) + "\n";
  return path + ": " + (finding.severity == Severity::note ? "" : std::string{level} + ": ") + finding.text + "\n";
}

/// Issues and questions of an import as findings; errors keep it from an answer.
void add(std::vector<Finding>& findings, const Issues& issues) {
  for (const Issue& issue : issues) {
    if (issue.severity == Severity::note) continue;
    const Finding finding{issue.severity, issue.message + " " + issue.remedy};
    if (std::ranges::none_of(findings, [&](const Finding& other) { return other.text == finding.text; })) findings.push_back(finding);
  }
}

class Check {
public:
  Check(const io::Catalog& catalog, const CheckOptions& options, const io::Prices& prices, std::optional<Money> most, io::Request set)
      : catalog_(catalog), options_(options), prices_(prices), most_(most), set_(std::move(set)) {}

  int run(const std::string& path, std::vector<Finding>& findings) const {
    Issues issues;
    const io::Request request = read(path, issues);
    add(findings, issues);
    if (has_errors(issues)) return kError;
    io::Answer answer = io::answer(catalog_, request);
    io::add_footprint(answer);
    add(findings, answer.issues);
    if (!answer.ok) return kError;
    const bool tight = answer.footprint && answer.footprint->tight;
    const bool holds = answer.judgement.holds();
    const Severity severity = !holds ? Severity::error : tight ? Severity::warning : Severity::note;
    findings.push_back({severity, answer.headline.verdict + " " + answer.headline.rest + " " + answer.headline.detail});
    const bool dear = most_ && !is_within_budget(answer, findings);
    return holds && !dear ? kFits : kDoesNotFit;
  }

private:
  /// What the file says, with what is told besides.
  io::Request read(const std::string& path, Issues& issues) const {
    const std::vector<FileStart> starts = read_starts({path}, issues, options_.offline);
    if (has_errors(issues)) return {};
    const std::vector<io::ImportFile> files = import_files_of(starts);
    io::ImportedText text = io::import_files(files, options_.answers);
    io::Request request;
    if (text.ok || !text.issues.empty()) {
      issues = std::move(text.issues);
      for (const io::OpenQuestion& question : text.questions)
        if (set_.find(question.field) == nullptr) issues.push_back({Severity::error, question.field, question.text, remedy_of(question)});
      request = std::move(text.request);
    } else {
      io::ModelFile model = io::read_model_files(files);
      issues = std::move(model.issues);
      if (!has_errors(issues) && model.request.entries().empty()) issues.push_back({Severity::error, "", "The file does not say all that an estimate needs.", "Name the config.json that lies beside it."});
      request = std::move(model.request);
      if (!options_.answers.device.empty()) request.set("device", options_.answers.device);
      else if (set_.find("device") == nullptr) issues.push_back({Severity::error, "device", "The device is not stated.", "Give --device."});
      if (options_.answers.gpus > 0) request.set("gpus", std::to_string(options_.answers.gpus));
      if (options_.answers.context > 0) request.set("context_tokens", std::to_string(options_.answers.context));
    }
    for (const io::Entry& entry : set_.entries()) request.set(entry.name, entry.text);
    return request;
  }

  static std::string remedy_of(const io::OpenQuestion& question) {
    if (question.answer == "gpus") return "Give --gpus.";
    if (question.field == "device") return "Give --device.";
    return "Give --set " + question.field + "=VALUE.";
  }

  /// Of a training the whole job, of serving an hour.
  bool is_within_budget(io::Answer& answer, std::vector<Finding>& findings) const {
    io::add_cost(answer, catalog_, prices_, date_of_today());
    const io::CostAnswer* const cost = answer.cost ? &*answer.cost : nullptr;
    std::optional<Money> asked;
    if (cost != nullptr && !cost->own.empty()) asked = cost->own.front().total;
    else if (cost != nullptr && !cost->options.empty()) asked = cost->options.front().option.total;
    if (!asked) {
      findings.push_back({Severity::error, "There is no price or no time of it, so that nothing can be compared with --max-cost. State price_per_gpu_hour, or train_tokens of a training."});
      return false;
    }
    if (*asked <= *most_) return true;
    findings.push_back({Severity::error, "It costs " + format_money(*asked) + ", more than " + format_money(*most_) + "."});
    return false;
  }

  const io::Catalog& catalog_;
  const CheckOptions& options_;
  const io::Prices& prices_;
  std::optional<Money> most_;
  io::Request set_;
};

/// Takes NAME=value apart.
io::Request inputs_of(const CheckOptions& options, Issues& issues) {
  io::Request inputs;
  for (const std::string& text : options.set) {
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos && equals > 0) inputs.set(text.substr(0, equals), text.substr(equals + 1));
    else issues.push_back({Severity::error, "set", "--set " + text + " is no input with a value.", "Write --set NAME=value; plimsoll fields lists the inputs."});
  }
  return inputs;
}

} // namespace

void add_check_options(CLI::App& command, CheckOptions& options) {
  command.add_option("files", options.paths, "Files or addresses, each a question of its own: a model, a training configuration, a script that starts an engine")->required();
  command.add_option("--device", options.answers.device, "The GPU, by its catalogue id");
  command.add_option("--gpus", options.answers.gpus, "GPUs in all")->check(CLI::Range(1, 1'000'000));
  command.add_option("--context-tokens", options.answers.context, "Tokens of a sequence")->check(CLI::Range(1, 100'000'000));
  command.add_option("--set", options.set, "Another input, as NAME=value")->allow_extra_args(false);
  command.add_option("--max-cost", options.max_cost, "Dollars that the cheapest offer may ask at most: for the whole training, or for an hour of serving");
  command.add_option("--format", options.format, "How findings are written: text, or github for annotations")->check(CLI::IsMember({"text", "github"}));
  command.add_flag("--offline", options.offline, "Fetch nothing: of addresses, take what was fetched before");
}

int run_check(const io::Catalog& catalog, const CheckOptions& options, const std::string& prices_path) {
  Issues issues;
  const io::Prices prices = prices_of(catalog, prices_path, issues);
  std::optional<Money> most;
  if (!options.max_cost.empty() && !(most = io::dollars_of(options.max_cost)))
    issues.push_back({Severity::error, "max-cost", "--max-cost " + options.max_cost + " is no amount of money.", "Write dollars, such as 250 or 2.50."});
  const Check check{catalog, options, prices, most, inputs_of(options, issues)};
  complain(issues);
  if (has_errors(issues)) return kError;
  int worst = kFits;
  for (const std::string& path : options.paths) {
    std::vector<Finding> findings;
    const int status = check.run(path, findings);
    for (const Finding& finding : findings) print(line_of(finding, path, options.format == "github"));
    worst = status == kError || worst == kError ? kError : std::max(worst, status);
  }
  return worst;
}

} // namespace plimsoll::cli
