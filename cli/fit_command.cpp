#include "fit_command.hpp"

#include "commands.hpp"
#include "cost_command.hpp"
#include "plimsoll/method/plan.hpp"
#include "plimsoll/questions/changes.hpp"
#include "plimsoll/questions/sensitivity.hpp"
#include "plimsoll/questions/solve.hpp"
#include "streams.hpp"
#include "tables.hpp"
#include "text.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::cli {

namespace {

std::string value_text(const io::SolvedStep& step) {
  const bool number = step.value.find_first_not_of("0123456789") == std::string::npos;
  return number ? format_count(Count{std::stoll(step.value)}) : step.value;
}

/// Why the next step is none.
std::string reason(const io::SolvedStep& next) {
  const Trial& trial = next.trial;
  switch (trial.verdict()) {
    case Verdict::invalid: return trial.issues.empty() ? "is not valid" : trial.issues.front().message;
    case Verdict::start:
    case Verdict::pool:
      return format_bytes(trial.estimate.at_peak().parts[static_cast<std::size_t>(Part::kv_cache)]) + " of cache, and the engine takes " +
             format_bytes(trial.judgement.pool.bytes.expected);
    case Verdict::sequences: return "more than one pass takes";
    case Verdict::host: return format_bytes(trial.judgement.host) + " for the host";
    case Verdict::device:
    case Verdict::holds: break;
  }
  return format_bytes(trial.needs) + " of " + format_bytes(trial.usable);
}

std::string line_of(const io::Solved& solved) {
  const std::string what = std::string{solved.question.goal == Goal::largest ? "largest " : "smallest "} + solved.question.field;
  std::string line = left(what, 28) + right(solved.answer ? value_text(*solved.answer) : "none", 18);
  if (solved.answer)
    line += "  " + left(format_bytes(solved.answer->trial.needs) + " of " + format_bytes(solved.answer->trial.usable), 24);
  if (solved.next) line += "  " + std::string{solved.answer ? "next " : "tried "} + value_text(*solved.next) + ": " + reason(*solved.next);
  return line + "  (" + std::string{name_of(solved.method)} + ", " + format_count(Count{solved.tried}) + " tried)\n";
}

/// Of GPUs that were chosen: how they divide the work, what the cheapest offer of them asks, and how long the work takes.
std::string chosen_text(const io::Catalog& catalog, const io::Solved& solved, const io::Prices& prices) {
  const std::string& field = solved.question.field;
  if (!solved.ok() || (field != "device" && field != "gpus" && field != "instance")) return "";
  Issues ignored;
  io::Request request = io::request_from_query(solved.query, ignored);
  io::Answer answer = io::answer(catalog, request);
  if (!answer.ok) return "";
  const Task task = answer.inputs.workload.task;
  const char* const job = task == Task::pretrain ? "train_tokens" : "dataset_tokens";
  const bool assumes = trains(task) && request.find(job) == nullptr;
  if (assumes) {
    request.set(job, std::to_string(PlanQuestion{}.tokens)); // as a plan does
    answer = io::answer(catalog, request);
  }
  io::add_cost(answer, catalog, prices, "");
  std::string text = "  " + format_count(answer.estimate.gpus) + " × " + answer.inputs.hardware.name + ": ";
  std::string layout;
  for (const auto& [name, word] : {std::pair{"tensor_parallel", "tensor"}, std::pair{"pipeline_parallel", "pipeline"}, std::pair{"context_parallel", "context"},
                                   std::pair{"expert_parallel", "expert"}, std::pair{"data_parallel", "data"}}) {
    const Field& degree = *find_field(name);
    if (applies(degree, answer.inputs.workload.task) && degree.get(answer.inputs) > 1) layout += (layout.empty() ? "" : ", ") + std::string{word} + " " + format_count(Count{degree.get(answer.inputs)});
  }
  for (const char* name : {"sharding", "recompute", "offload"})
    if (const io::FieldState* const state = answer.find_field(name); state != nullptr && state->applies && state->changed) layout += (layout.empty() ? "" : ", ") + std::string{name} + " " + io::value_text(answer, *state->field);
  text += (layout.empty() ? std::string{"no parallelism"} : layout) + "\n";
  if (assumes) text += "  times and costs are those of " + format_count(Count{PlanQuestion{}.tokens}) + " tokens\n";
  const std::string cost = cost_lines(answer);
  text += cost.empty() ? "  no price or time is known of it\n" : cost;
  return text + "  plimsoll estimate \"" + solved.query + "\"\n";
}

std::vector<io::SolveQuestion> questions_of(const io::Catalog& catalog, const FitOptions& options, const io::Request& request) {
  std::vector<io::SolveQuestion> questions;
  for (const std::string& field : options.largest) questions.push_back({Goal::largest, field});
  for (const std::string& field : options.smallest) questions.push_back({Goal::smallest, field});
  return questions.empty() ? io::usual_questions(io::answer(catalog, request)) : questions;
}

std::string times(std::int64_t permille) { return permille > 0 ? "× " + format_decimal((permille + 5) / 10, 2) : "?"; }

std::string line_of(const io::TriedChange& change) {
  std::string text;
  for (const io::InputChange& part : change.changes) text += (text.empty() ? "" : "; ") + part.text;
  return right(times(change.gpu_time_permille), 9) + right(times(change.time_permille), 9) + right(format_bytes(change.saved), 11) + right(format_bytes(change.headroom), 11) +
         right(format_count(change.gpus), 7) + "  " + text + "\n";
}

std::string line_of(const io::InputLimit& limit) {
  std::string text = left(limit.field, 20) + "now " + left(limit.now, 10) + (limit.goal == Goal::largest ? "fits up to " : "fits down to ") + left(limit.last, 10);
  return text + (limit.beyond.empty() ? "" : limit.beyond + " needs " + format_bytes(limit.needs)) + "\n";
}

int run_advice(const io::Catalog& catalog, const io::Request& request, Issues issues, bool json) {
  const io::FitAdvice advice = io::advise(catalog, request, std::move(issues));
  if (json) {
    print(io::advice_json(advice) + "\n");
    return !advice.ok ? kError : advice.fits ? kFits : kDoesNotFit;
  }
  const std::string said = issues_table(advice.issues);
  complain(said);
  if (!advice.ok) return kError;
  print(advice.headline.verdict + " " + advice.headline.rest + "\n" + advice.headline.detail + "\n");
  if (advice.fits) print("What would break it, the nearest first\n");
  else if (advice.changes.empty()) print("None of " + format_count(Count{advice.tried}) + " changes and pairs of them makes it fit\n");
  else print("Of " + format_count(Count{advice.tried}) + " changes and pairs of them, these make it fit, the cheapest in time first\n" + right("GPU time", 9) + right("time", 9) +
             right("saved", 11) + right("headroom", 11) + right("GPUs", 7) + "\n");
  for (const io::TriedChange& change : advice.changes) print(line_of(change));
  for (const io::InputLimit& limit : advice.limits) print(line_of(limit));
  return advice.fits ? kFits : kDoesNotFit;
}

int run_sensitivity(const io::Catalog& catalog, const io::Request& request, Issues issues, bool json) {
  const io::Sensitivity moves = io::sensitivity(catalog, request, std::move(issues));
  if (json) {
    print(io::sensitivity_json(moves) + "\n");
    return moves.ok ? kFits : kError;
  }
  const std::string said = issues_table(moves.issues);
  complain(said);
  if (!moves.ok) return kError;
  print(right("memory", 11) + right("time", 10) + "  input\n");
  constexpr std::size_t kShown = 25;
  for (std::size_t i = 0; i < std::min(kShown, moves.inputs.size()); ++i)
    print(right(format_change(moves.inputs[i].change), 11) + right(times(moves.inputs[i].time_permille), 10) + "  " + moves.inputs[i].text + "\n");
  print("\n" + right("less", 11) + right("more", 11) + right("share", 9) + "  uncertainty\n");
  for (const io::UncertaintyMove& move : moves.uncertainties)
    print(right(format_bytes(move.uncertainty.less), 11) + right(format_bytes(move.uncertainty.more), 11) + right(format_decimal(move.share_permille, 1) + " %", 9) + "  " +
          move.uncertainty.label + "\n");
  return kFits;
}

} // namespace

void add_fit_options(CLI::App& command, FitOptions& options) {
  add_scenario_options(command, options.scenario);
  command.add_option("--largest", options.largest, "The largest value of this input that fits: context_tokens, batch, rank, gpu_layers, weights, model (of the family), ...");
  command.add_flag("--sensitivity", options.sensitivity, "Which inputs and which named uncertainties move the result most");
  command.add_flag("--advice", options.advice, "What to change, once or twice, to make it fit; where it fits, what would break it first");
  command.add_option("--smallest", options.smallest, "The smallest value of this input that fits: device, gpus, instance (the cheapest an hour), ...");
}

int run_fit(const io::Catalog& catalog, const FitOptions& options) {
  Issues issues;
  const io::Request request = request_of(options.scenario, issues);
  if (options.sensitivity) return run_sensitivity(catalog, request, std::move(issues), options.scenario.json);
  if (options.advice) return run_advice(catalog, request, std::move(issues), options.scenario.json);
  std::vector<io::Solved> answers;
  for (const io::SolveQuestion& question : questions_of(catalog, options, request)) answers.push_back(io::solve(catalog, request, question, issues));
  const bool several = answers.size() != 1;
  if (options.scenario.json) {
    std::string text = several ? "[" : "";
    for (const io::Solved& solved : answers) text += (text.size() > 1 ? ",\n" : "") + io::solve_json(solved);
    print(text + (several ? "]\n" : "\n"));
  } else {
    std::string said;
    for (const io::Solved& solved : answers) {
      const std::string table = issues_table(solved.issues);
      if (said.find(table) == std::string::npos) said += table; // one scenario, asked about several times
    }
    complain(said);
    const io::Prices prices = options.smallest.empty() ? io::Prices{} : io::Prices::load(catalog);
    for (const io::Solved& solved : answers) {
      if (solved.answer || solved.next) print(line_of(solved));
      if (!options.smallest.empty()) print(chosen_text(catalog, solved, prices));
    }
  }
  if (std::ranges::all_of(answers, &io::Solved::ok)) return kFits;
  return std::ranges::any_of(answers, [](const io::Solved& solved) { return !solved.ok() && !solved.next; }) ? kError : kDoesNotFit;
}

} // namespace plimsoll::cli
