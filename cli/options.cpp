#include "options.hpp"

#include "plimsoll/fields.hpp"
#include "plimsoll/io/huggingface.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>

namespace plimsoll::cli {

namespace {

std::string flag_of(const Field& field) {
  std::string flag = "--" + std::string{field.name};
  std::ranges::replace(flag, '_', '-');
  return flag;
}

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
  command.add_option("--config", options.config_path, "A Hugging Face config.json as the model, or - for standard input");
  command.add_flag("--json", options.json, "Print JSON");
  options.texts.resize(fields().size());
  for (std::size_t i = 0; i < fields().size(); ++i) {
    const Field& field = fields()[i];
    CLI::Option* flag = command.add_option(flag_of(field), options.texts[i], help_of(field));
    flag->group(std::string{name_of(field.topic)})->type_name(field.kind == FieldKind::integer ? "NUMBER" : "TEXT");
    flag->take_last();
    options.flags.push_back(flag);
  }
}

std::string read_text(const std::string& path, Issues& issues) {
  if (path == "-") return {std::istreambuf_iterator<char>{std::cin}, {}};
  std::ifstream file{path, std::ios::binary};
  std::string text{std::istreambuf_iterator<char>{file}, {}};
  if (!file.is_open() || file.bad())
    issues.push_back({Severity::error, "", "The file " + path + " cannot be read.", "Give the path of a config.json, or - for standard input."});
  return text;
}

io::Request request_of(const ScenarioOptions& options, Issues& issues) {
  io::Request request = io::request_from_query(options.query, issues);
  if (!options.config_path.empty()) {
    const std::string text = read_text(options.config_path, issues);
    if (!has_errors(issues)) {
      io::ImportedModel imported = io::import_huggingface_config(text);
      issues.insert(issues.end(), imported.issues.begin(), imported.issues.end());
      if (imported.model) {
        const io::Request model = io::request_of(*imported.model);
        for (const io::Entry& entry : model.entries()) io::edit(request, entry.name, entry.text);
      }
    }
  }
  for (std::size_t i = 0; i < options.flags.size(); ++i)
    if (options.flags[i]->count() > 0) request.set(fields()[i].name, options.texts[i]);
  return request;
}

} // namespace plimsoll::cli
