#include "options.hpp"

#include "files.hpp"
#include "plimsoll/files/model_file.hpp"
#include "plimsoll/method/fields.hpp"
#include "plimsoll/text/other_names.hpp"
#include "web/address.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

namespace plimsoll::cli {

std::string flag_of(std::string_view field) {
  std::string flag = "--" + std::string{field};
  std::ranges::replace(flag, '_', '-');
  return flag;
}

namespace {

std::string help_with_choices(const Field& field) {
  std::string help{help_of(field)};
  if (!field.choices.empty()) {
    help += " One of:";
    for (const Choice& choice : field.choices) help += " " + std::string{choice.name};
    help += ".";
  }
  if (!field.unit.empty()) help += " In " + std::string{field.unit} + ".";
  return help;
}

} // namespace

void add_scenario_options(CLI::App& command, ScenarioOptions& options) {
  command.add_option("query", options.query, "A scenario as in the page's URL: model=llama-3-8b&device=rtx4090; or a line like \"vllm serve …\", a file that import reads, hf:owner/name, or a model");
  command.add_option("--config", options.config_path, "A model file as the model: its config.json, hf:owner/name[@revision][/file], an address; - for standard input");
  command.add_option("words", options.words, "More of it, where it is not quoted: a GPU, name=value, the words of a line");
  command.add_flag("--offline", options.offline, "Fetch nothing: of addresses, take what was fetched before");
  command.add_flag("--json", options.json, "Print JSON");
  options.texts.resize(fields().size());
  for (std::size_t i = 0; i < fields().size(); ++i) {
    const Field& field = fields()[i];
    if (command.get_option_no_throw(flag_of(field.name)) != nullptr) { // --config takes the file, not its text
      options.flags.push_back(nullptr);
      continue;
    }
    CLI::Option* flag = command.add_option(flag_of(field.name), options.texts[i], help_with_choices(field));
    flag->group(std::string{name_of(field.topic)})->type_name(field.kind == FieldKind::integer ? "NUMBER" : "TEXT");
    flag->take_last();
    options.flags.push_back(flag);
  }
}

namespace {

std::string any_of(const std::vector<std::string>& choices) {
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i) text += (i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ") + choices[i];
  return text;
}

/// What files say that belong together; `name` is how people call them.
io::Request request_of_files(const std::string& name, const std::vector<FileStart>& starts, Issues& issues) {
  if (has_errors(issues)) return {};
  io::ModelFile file = io::read_model_files(import_files_of(starts));
  issues.insert(issues.end(), file.issues.begin(), file.issues.end());
  if (file.ok && file.request.entries().empty())
    issues.push_back({Severity::error, "config", "The file " + name + " does not say all that an estimate needs.", "Give the config.json that lies beside it."});
  // What people name and nobody knows which is asked back: an answer for something else would be taken for theirs.
  for (const io::OpenQuestion& question : file.questions)
    if (find_field(question.field) != nullptr || question.field == "gpus")
      issues.push_back({Severity::error, question.field, question.text, question.choices.empty() ? "State " + question.field + "=…" : "Write " + any_of(question.choices) + "."});
  return std::move(file.request);
}

io::Request model_of(const std::string& path, Issues& issues, bool offline) { return request_of_files(path, read_starts({path}, issues, offline), issues); }

} // namespace

io::Request take_other_names(std::vector<std::string>& words) {
  io::Request taken;
  constexpr std::array<std::string_view, 11> kAsking{"estimate", "explain", "fit", "load", "plan", "export", "rules", "cost", "badge", "card", "report"};
  if (words.empty() || std::ranges::find(kAsking, words.front()) == kAsking.end()) return taken;
  const bool counts_itself = words.front() == "plan" || words.front() == "cost"; // these have --gpus
  for (std::size_t i = 1; i < words.size();) {
    const std::string_view word = words[i];
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string name{word.starts_with("--") ? word.substr(2, equals - std::min<std::size_t>(equals, 2)) : std::string_view{}};
    const Field* const field = find_field(io::spelled(name));
    const bool is_other = field != nullptr ? flag_of(io::spelled(name)) != "--" + name || field->name != io::spelled(name)
                                           : !io::same_as(name).empty() && !(counts_itself && name == "gpus");
    const bool is_switch = (name == "lora" || name == "qlora") && (i + 1 == words.size() || words[i + 1].starts_with("--")); // by itself it says which method
    if (is_switch && equals == word.size()) {
      taken.set(name, "true");
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    const bool has_value = equals < word.size() || i + 1 < words.size();
    if (name.empty() || !is_other || !has_value) {
      ++i;
      continue;
    }
    const auto at = words.begin() + static_cast<std::ptrdiff_t>(i);
    taken.set(name, equals < word.size() ? std::string{word.substr(equals + 1)} : words[i + 1]);
    words.erase(at, at + (equals < word.size() ? 1 : 2));
  }
  return taken;
}

namespace {

/// A query has a name before its first '='; variables before a command have capitals, and a space behind their value.
bool is_query(std::string_view text) {
  if (is_address(text)) return false; // it may have a query of its own
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return text.empty() || text.find('&') != std::string_view::npos;
  const std::string_view name = text.substr(0, equals);
  const bool is_name = name.find_first_of(" \t\n/") == std::string_view::npos;
  return is_name && (text.find(' ') == std::string_view::npos || std::ranges::none_of(name, [](char c) { return c >= 'A' && c <= 'Z'; }));
}

bool is_file(const std::string& path) {
  std::error_code failed;
  return path == "-" || std::filesystem::is_regular_file(path, failed);
}

} // namespace

io::Request request_of_text(const std::string& text, Issues& issues, bool offline) {
  if (is_query(text)) return io::request_from_query(text, issues);
  io::Request request;
  if (!is_file(text) && !is_address(text) && text.find_first_of(" \n") == std::string::npos) {
    request.set("model", text);
    return request;
  }
  std::vector<FileStart> starts{{text, text.size(), ""}};
  if (is_file(text) || is_address(text)) starts = read_starts({text}, issues, offline);
  return request_of_files(text, starts, issues);
}

void take_model_at_address(io::Request& request, Issues& issues, bool offline) {
  const std::string* const model = request.find("model");
  if (model == nullptr || !is_address(*model)) return;
  const io::Request there = model_of(*model, issues, offline);
  request.erase("model");
  for (const io::Entry& entry : there.entries())
    if (request.find(entry.name) == nullptr) request.set(entry.name, entry.text); // what is stated besides holds
}

namespace {

/// What a flag states takes the place of what was assumed because the text does not state it, and of the note about that.
void state(io::Request& request, std::string_view name, const std::string& text, Issues& issues) {
  const std::string_view other = io::same_as(name);
  const std::string own = other.empty() ? io::spelled(name) : std::string{other};
  if (std::erase_if(issues, [&](const Issue& issue) { return issue.severity == Severity::note && issue.field == own; }) > 0) request.erase(own);
  std::erase_if(issues, [&](const Issue& issue) { return issue.severity == Severity::error && issue.field == own; }); // asked back, and answered here
  request.set(std::string{name}, text);
}

/// "llama-3.1-8b h100 batch=4" and "vllm serve org/model" as people type them, without quotes.
io::Request request_of_words(const ScenarioOptions& options, Issues& issues) {
  if (options.words.empty()) return request_of_text(options.query, issues, options.offline);
  if (is_file(options.query) && std::ranges::all_of(options.words, is_file)) { // the files of one model
    std::vector<std::string> paths{options.query};
    paths.insert(paths.end(), options.words.begin(), options.words.end());
    return request_of_files(options.query, read_starts(std::move(paths), issues), issues);
  }
  std::string text = options.query;
  io::Request stated;
  for (const std::string& word : options.words) {
    const std::size_t equals = word.find('=');
    const std::string name = equals == std::string::npos ? "" : word.substr(0, equals);
    if (find_field(io::spelled(name)) != nullptr || !io::same_as(name).empty()) stated.set(name, word.substr(equals + 1));
    else text += word.find(' ') == std::string::npos ? " " + word : " '" + word + "'";
  }
  io::Request request = request_of_text(text, issues, options.offline);
  for (const io::Entry& entry : stated.entries()) {
    std::erase_if(issues, [&](const Issue& issue) { return issue.severity == Severity::error && issue.field == entry.name; });
    io::edit(request, entry.name, entry.text);
  }
  return request;
}

} // namespace

io::Request request_of(const ScenarioOptions& options, Issues& issues) {
  io::Request request = request_of_words(options, issues);
  if (!options.config_path.empty()) {
    const io::Request model = model_of(options.config_path, issues, options.offline); // in place of the query's
    for (const io::Entry& entry : model.entries()) io::edit(request, entry.name, entry.text);
  }
  for (const io::Entry& entry : options.others.entries()) state(request, entry.name, entry.text, issues);
  for (std::size_t i = 0; i < options.flags.size(); ++i)
    if (options.flags[i] != nullptr && options.flags[i]->count() > 0) state(request, fields()[i].name, options.texts[i], issues);
  take_model_at_address(request, issues, options.offline);
  return request;
}

} // namespace plimsoll::cli
