// plimsoll estimate|explain|check|sweep|fit|load|plan|export|cost|rules|catalog|fields|import|accuracy|badge|card|report|completion|man
// Exit status: 0 the scenario fits (or the command did its work), 1 an error, 3 the scenario does not fit.
#include "program.hpp"

#include "accuracy_command.hpp"
#include "check_command.hpp"
#include "commands.hpp"
#include "cost_command.hpp"
#include "described.hpp"
#include "fit_command.hpp"
#include "load_command.hpp"
#include "many_command.hpp"
#include "plan_command.hpp"
#include "plimsoll/method/fields.hpp"
#include "plimsoll/method/format.hpp"
#include "plimsoll/text/other_names.hpp"
#include "streams.hpp"
#include "tables.hpp"
#include "version.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll::cli {

namespace {

/// What people know and files leave open.
void add_answers(CLI::App& app, io::ImportAnswers& answers) {
  app.add_option("--gpus", answers.gpus, "GPUs in all")->check(CLI::Range(1, 1'000'000));
  app.add_option("--device", answers.device, "The GPU, by its catalogue id");
  app.add_option("--vocab", answers.vocab, "The tokenizer's vocabulary: a number of tokens, or gpt2, llama2, llama3, mistral, gemma2 and others by name");
  app.add_option("--context-tokens", answers.context, "Tokens of a sequence")->check(CLI::Range(1, 100'000'000));
}

void add_accuracy_options(CLI::App& app, AccuracyOptions& options) {
  CLI::Option* files = app.add_option("files", options.paths, "Files of rows, logs of engines and training programs, or - for standard input");
  CLI::Option* operators = app.add_option("--operators", options.operators, "In place of files: a folder of measured kernels, gemm.csv.gz and its like")->excludes(files);
  app.add_option("--left-out", options.left_out, "Of those: fit anew without some shapes or each GPU, and judge what was left out")->check(CLI::IsMember({"shapes", "gpus"}))->needs(operators);
  app.callback([&options] {
    if (options.paths.empty() && options.operators.empty()) throw CLI::RequiredError("files or --operators");
  });
  CLI::Option* json = app.add_flag("--json", options.json, "Print JSON: the rows, or with --summary the summaries");
  app.add_flag("--by-file", options.by_file, "Print JSON: the rows of each file under its name; a folder of models is one")->excludes(json);
  app.add_flag("--markdown", options.markdown, "Print the summary as Markdown")->excludes(json);
  app.add_flag("--summary", options.summary, "Only the summary: errors by metric, group, feature and profile, and what is not covered");
  app.add_option("--by", options.by, "Only the summaries by metric, group, feature or profile")->check(CLI::IsMember({"metric", "group", "feature", "profile"}));
  app.add_option("--group", options.group, "Only the rows of this group, such as a framework");
  add_answers(app, options.answers); // of logs
  app.add_option("--worst", options.worst, "Only this many rows, the worst first");
}

/// The parser's message; where options of other tools are the reason, ours follow.
std::string failure_message(const CLI::App* app, const CLI::Error& error) {
  std::string text = CLI::FailureMessage::simple(app, error);
  for (const std::string& rest : app->remaining(true)) {
    if (!rest.starts_with("--")) continue;
    const std::string_view meant = io::meant_by(std::string_view{rest}.substr(2, rest.find('=') - 2));
    if (!meant.empty()) text += rest + ": did you mean " + std::string{meant} + "? In options \"-\" stands for \"_\".\n";
  }
  const bool prices = !app->get_subcommands().empty() && app->get_subcommands().front()->get_name() == "cost";
  if (prices && std::ranges::any_of(app->remaining(true), [](const std::string& rest) { return rest.starts_with("--") && find_field(io::spelled(std::string_view{rest}.substr(2))) != nullptr; }))
    text += "cost prices GPUs for a time. What a scenario costs is told by plimsoll estimate --cost, with the same options.\n";
  return text;
}

int run(std::vector<std::string> words) {
  CLI::App app{"Plimsoll: what a large language model needs, before you rent the GPU.", "plimsoll"};
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  std::string units;
  app.add_option("--units", units, "How memory is written: gib (binary, as tools print it) or gb (decimal, as vendors do)")->transform(CLI::IsMember({"gib", "gb"}, CLI::ignore_case));

  ScenarioOptions estimate_options, explain_options;
  CLI::App* estimate = app.add_subcommand("estimate", "Memory of one GPU, and whether it fits. Status 0 fits, 1 error, 3 does not fit");
  add_scenario_options(*estimate, estimate_options);
  CLI::App* explain = app.add_subcommand("explain", "The same, with the formula, symbols and source of every number");
  add_scenario_options(*explain, explain_options);
  ManyOptions each_options, sweep_options;
  CLI::Option* const each = estimate->add_option("--each", each_options.each, "A file with a question in each line, as JSON or as a query: a row for each (docs/many.md); - for standard input");
  add_many_options(*estimate, each_options);
  CLI::App* sweep = app.add_subcommand("sweep", "All questions of a query some of whose inputs have several values: a row for each. Status 0 all answered, 1 error");
  add_sweep_options(*sweep, sweep_options);
  CheckOptions check_options;
  CLI::App* check = app.add_subcommand("check", "Whether what files say fits, and costs no more than it may: for continuous integration. Status 0 all do, 1 error, 3 one does not");
  add_check_options(*check, check_options);
  FitOptions fit_options;
  CLI::App* fit = app.add_subcommand("fit", "The largest or smallest input that still fits: context, batch, weights, device, GPUs, layers on the GPU");
  add_fit_options(*fit, fit_options);

  LoadOptions load_options;
  CLI::App* load = app.add_subcommand("load", "A server under load, step by step: what users wait for, tokens per second, and the highest load within limits");
  add_load_options(*load, load_options);

  PlanOptions plan_options;
  CLI::App* plan = app.add_subcommand("plan", "Which way of training on so many GPUs is the fastest, cheapest or roomiest. Status 0 a plan, 1 error, 3 nothing fits");
  add_plan_options(*plan, plan_options);

  ScenarioOptions export_options;
  std::string engine;
  CLI::App* export_command = app.add_subcommand("export", "The scenario as the command line that starts an inference engine, the file that starts training, the manifest that launches either, or its memory over time");
  add_scenario_options(*export_command, export_options);
  export_command->add_option("--to", engine, "vllm, sglang, llama_cpp, tensorrt_llm; deepspeed, accelerate, trainer, axolotl, llama_factory, ms_swift, trl, torchtune, torchtitan, megatron or nemo; kubernetes, leaderworkerset, kserve, llm_d, dynamo, ray_serve, compose, modelfile, slurm, skypilot or dstack, with an engine as in kubernetes:sglang; trace (Chrome, Perfetto) or snapshot (PyTorch's memory visualiser) for memory over time")->required();

  ScenarioOptions badge_options;
  CLI::App* badge = app.add_subcommand("badge", "The verdict as a badge for a README or a model card, SVG");
  add_scenario_options(*badge, badge_options);
  ScenarioOptions card_options;
  CLI::App* card = app.add_subcommand("card", "The bars under the load line as a picture, SVG; rsvg-convert makes a PNG of it");
  add_scenario_options(*card, card_options);
  ScenarioOptions report_options;
  CLI::App* report = app.add_subcommand("report", "The answer on one sheet of A4, HTML that a browser prints or keeps as PDF");
  add_scenario_options(*report, report_options);

  bool json = false;
  std::string what, search;
  CLI::App* catalog_command = app.add_subcommand("catalog", "Models, devices, weight formats, profiles and prices that are built in");
  ScenarioOptions rules_options;
  CLI::App* rules_command = app.add_subcommand("rules", "Rules of thumb beside the estimate: what each leaves out, and how far off it is here");
  add_scenario_options(*rules_command, rules_options);
  CostOptions cost_options;
  CLI::App* cost_command = app.add_subcommand("cost", "Money, energy and carbon of GPUs for a time: every offer that fits, the cheapest first");
  add_cost_options(*cost_command, cost_options);
  std::string prices_path, devices_path;
  EstimateCost estimate_cost;
  estimate->add_flag("--cost", estimate_cost.asked, "Tell what it costs too: the training job, or an hour of serving and a million tokens");
  estimate->add_option("--today", estimate_cost.today, "The date as YYYY-MM-DD, in place of the clock's: older prices come with a warning");
  for (CLI::App* command : {estimate, check, cost_command, catalog_command, plan})
    command->add_option("--prices", prices_path, "A file of prices in place of those that are built in (docs/prices.md)");

  catalog_command->add_option("what", what, "models, devices, weights, profiles, prices or api-prices")->check(CLI::IsMember({"models", "devices", "weights", "profiles", "prices", "api-prices"}));
  catalog_command->add_option("--search", search, "Only what these letters find: ids, names and aliases that begin with them first");
  catalog_command->add_flag("--json", json, "Print JSON");
  CLI::App* fields_command = app.add_subcommand("fields", "Every input with its range and meaning");
  fields_command->add_flag("--json", json, "Print JSON");
  CLI::App* import_command = app.add_subcommand("import", "Read a model file (config.json, safetensors or its index, GGUF), a script or command line that starts an engine or a training, its configuration, a log. Several files make one question");
  ImportOptions import_options;
  import_options.paths = {"-"};
  import_command->add_option("file", import_options.paths, "The files or addresses (hf:owner/name), of any size: only headers of weights are read; or - for standard input");
  import_command->add_flag("--offline", import_options.offline, "Fetch nothing: of addresses, take what was fetched before");
  import_command->add_flag("--json", import_options.json, "Print JSON");
  add_answers(*import_command, import_options.answers);
  import_command->add_option("--command", import_options.answers.command, "Which of several commands, by its number");
  import_command->add_option("--set", import_options.settings, "A variable that the script does not set, as NAME=value")->allow_extra_args(false);

  std::string shell;
  CLI::App* completion = app.add_subcommand("completion", "What a shell completes: source it, or put it where the shell looks");
  completion->add_option("shell", shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  CLI::App* manual = app.add_subcommand("man", "The manual page, for man -l -");

  AccuracyOptions accuracy_options;
  CLI::App* accuracy_command = app.add_subcommand("accuracy", "What was measured or published beside what is predicted, for files of rows");
  add_accuracy_options(*accuracy_command, accuracy_options);

  for (CLI::App* command : {estimate, explain, check, sweep, rules_command, cost_command, catalog_command})
    command->add_option("--devices", devices_path, "A file of devices that replace those of their ids, or join them (docs/prices.md)");

  for (CLI::App* command : app.get_subcommands({})) command->fallthrough(); // options of all commands may stand behind theirs
  app.failure_message(failure_message);
  const io::Request others = take_other_names(words);
  for (ScenarioOptions* options : {&estimate_options, &explain_options, &fit_options.scenario, &load_options.scenario, &plan_options.scenario, &export_options, &rules_options, &badge_options, &card_options, &report_options}) options->others = others;
  cost_options.others = others;
  std::ranges::reverse(words); // as the parser takes them
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kFits : kError;
  }
  if (const auto chosen = byte_units_named(units)) set_byte_units(*chosen);
  if (*completion || *manual) {
    print(*manual ? manual_of(commands_of(app), app.get_description(), version_text()) : completion_of(commands_of(app), shell));
    return kFits;
  }
  Issues issues;
  const io::Catalog catalog = with_devices(io::Catalog::load(), devices_path, issues);
  if (const std::string text = issues_table(issues); !text.empty()) complain(text);
  if (has_errors(issues)) return kError;
  if (*import_command) return run_import(catalog, import_options);
  if (*accuracy_command) return run_accuracy(catalog, accuracy_options);
  if (*cost_command) return run_cost(catalog, cost_options, prices_path);
  if (*rules_command) return run_rules(catalog, rules_options);
  estimate_cost.prices_path = prices_path;
  if (*check) return run_check(catalog, check_options, prices_path);
  if (*sweep) return run_many(catalog, sweep_options);
  if (*each) {
    Issues said;
    const io::Request besides = request_of(estimate_options, said);
    complain(said);
    return has_errors(said) ? kError : run_many(catalog, each_options, besides);
  }
  if (*estimate) return run_estimate(catalog, estimate_options, estimate_cost);
  if (*explain) return run_explain(catalog, explain_options);
  if (*fit) return run_fit(catalog, fit_options);
  if (*load) return run_load(catalog, load_options);
  if (*plan) return run_plan(catalog, plan_options, prices_path);
  if (*export_command) return run_export(catalog, export_options, engine);
  if (*badge) return run_picture(catalog, badge_options, io::badge_svg);
  if (*card) return run_picture(catalog, card_options, [&](const io::Answer& answer) { return io::result_file(catalog, answer, io::ResultFormat::svg); });
  if (*report) return run_picture(catalog, report_options, [&](const io::Answer& answer) { return io::result_file(catalog, answer, io::ResultFormat::html); });
  if (*catalog_command && what == "prices") return run_prices(catalog, search, json, prices_path);
  if (*catalog_command && what == "api-prices") return run_api_prices(catalog, search, json, prices_path);
  if (*catalog_command) return run_catalog(catalog, what, search, json);
  return run_fields(catalog, json);
}

} // namespace

int run_program(std::vector<std::string> words) noexcept {
  try {
    return run(std::move(words));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "plimsoll: %s\n", error.what());
    return kError;
  }
}

} // namespace plimsoll::cli
