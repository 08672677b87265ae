#include "commands.hpp"

#include "plimsoll/io/api.hpp"
#include "plimsoll/io/huggingface.hpp"
#include "plimsoll/parameters.hpp"
#include "tables.hpp"

#include <cstdio>

namespace plimsoll::cli {

namespace {

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }
void print_line(const std::string& text) { print(text + "\n"); }
void complain(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

int status_of(const io::Answer& answer) { return !answer.ok ? kError : answer.estimate.fits ? kFits : kDoesNotFit; }

io::Answer answer_of(const io::Catalog& catalog, const ScenarioOptions& options) {
  Issues issues;
  const io::Request request = request_of(options, issues);
  return io::answer(catalog, request, std::move(issues));
}

} // namespace

int run_estimate(const io::Catalog& catalog, const ScenarioOptions& options) {
  const io::Answer answer = answer_of(catalog, options);
  if (options.json) {
    print_line(io::estimate_json(answer));
  } else {
    complain(issues_table(answer.issues));
    if (answer.ok) print(estimate_table(answer));
  }
  return status_of(answer);
}

int run_explain(const io::Catalog& catalog, const ScenarioOptions& options) {
  const io::Answer answer = answer_of(catalog, options);
  if (options.json) {
    print_line(io::explain_json(catalog, answer));
  } else {
    complain(issues_table(answer.issues));
    if (answer.ok) print(explanation_table(catalog, answer));
  }
  return status_of(answer);
}

int run_import(const std::string& path, bool json) {
  Issues issues;
  const std::string text = read_text(path, issues);
  if (has_errors(issues)) {
    if (json) print_line(io::failure_json(issues));
    else complain(issues_table(issues));
    return kError;
  }
  const io::ImportedModel imported = io::import_huggingface_config(text);
  if (json) {
    print_line(io::import_config_json(text));
  } else {
    complain(issues_table(imported.issues));
    if (imported.model) {
      print_line(imported.model->name + ": " + format_exact(count_parameters(model_of(*imported.model)).value, "parameters"));
      print_line("plimsoll estimate '" + io::to_query(io::request_of(*imported.model)) + "' --device h100-80-sxm");
    }
  }
  return imported.model ? kFits : kError;
}

int run_catalog(const io::Catalog& catalog, const std::string& what, const std::string& search, bool json) {
  if (json) {
    print_line(io::catalog_json(catalog));
    return kFits;
  }
  std::string text;
  if (what.empty() || what == "models") text += "Models\n" + models_table(catalog, search) + "\n";
  if (what.empty() || what == "devices") text += "Devices\n" + devices_table(catalog, search) + "\n";
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
