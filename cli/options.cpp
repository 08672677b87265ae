#include "options.hpp"

#include "files.hpp"
#include "plimsoll/files/model_file.hpp"
#include "plimsoll/method/fields.hpp"

#include <algorithm>

namespace plimsoll::cli {

std::string flag_of(std::string_view field) {
  std::string flag = "--" + std::string{field};
  std::ranges::replace(flag, '_', '-');
  return flag;
}

namespace {

std::string help_of(const Field& field) {
  std::string help{field.help};
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
  command.add_option("query", options.query, "A scenario as in the page's URL: model=llama-3-8b&device=rtx4090");
  command.add_option("--config", options.config_path, "A model file as the model: its config.json; - for standard input");
  command.add_flag("--json", options.json, "Print JSON");
  options.texts.resize(fields().size());
  for (std::size_t i = 0; i < fields().size(); ++i) {
    const Field& field = fields()[i];
    if (command.get_option_no_throw(flag_of(field.name)) != nullptr) { // --config takes the file, not its text
      options.flags.push_back(nullptr);
      continue;
    }
    CLI::Option* flag = command.add_option(flag_of(field.name), options.texts[i], help_of(field));
    flag->group(std::string{name_of(field.topic)})->type_name(field.kind == FieldKind::integer ? "NUMBER" : "TEXT");
    flag->take_last();
    options.flags.push_back(flag);
  }
}

namespace {

/// The model of --config in place of the query's.
void take_model(io::Request& request, const std::string& path, Issues& issues) {
  const FileStart start = read_start(path, issues);
  if (has_errors(issues)) return;
  io::ModelFile file = io::read_model_file(start.bytes, start.size, start.name);
  issues.insert(issues.end(), file.issues.begin(), file.issues.end());
  for (const io::Entry& entry : file.request.entries()) io::edit(request, entry.name, entry.text);
  if (file.ok && file.request.entries().empty())
    issues.push_back({Severity::error, "config", "The file " + path + " does not say all that an estimate needs.", "Give the config.json that lies beside it."});
}

} // namespace

io::Request request_of(const ScenarioOptions& options, Issues& issues) {
  io::Request request = io::request_from_query(options.query, issues);
  if (!options.config_path.empty()) take_model(request, options.config_path, issues);
  for (std::size_t i = 0; i < options.flags.size(); ++i)
    if (options.flags[i] != nullptr && options.flags[i]->count() > 0) request.set(fields()[i].name, options.texts[i]);
  return request;
}

} // namespace plimsoll::cli
