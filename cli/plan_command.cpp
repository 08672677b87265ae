#include "plan_command.hpp"

#include "commands.hpp"
#include "plimsoll/method/fields.hpp"
#include "plimsoll/method/format.hpp"
#include "plimsoll/questions/plan.hpp"
#include "plimsoll/questions/serving_plan.hpp"
#include "streams.hpp"
#include "tables.hpp"
#include "text.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace plimsoll::cli {

namespace {

/// Keys of both kinds of plans, each once.
std::vector<io::PlanKey> all_keys() {
  std::vector<io::PlanKey> keys{io::plan_keys().begin(), io::plan_keys().end()};
  for (const io::PlanKey& key : io::serving_plan_keys())
    if (std::ranges::find(keys, key.name, &io::PlanKey::name) == keys.end()) keys.push_back(key);
  return keys;
}

io::Request request_of(const PlanOptions& options, Issues& issues) {
  io::Request request = cli::request_of(options.scenario, issues);
  const std::vector<io::PlanKey> keys = all_keys();
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (options.flags[i]->count() > 0) request.set(keys[i].name, options.texts[i].empty() ? "true" : options.texts[i]);
  return request;
}

/// The longest text of a column, to which the others are filled up.
std::size_t widest(const std::vector<io::PlannedWay>& ways) {
  std::size_t width = 0;
  for (const io::PlannedWay& way : ways) width = std::max(width, width_of(way.text));
  return width;
}

std::string line_of(const io::PlanAnswer& answer, const io::PlannedWay& way, std::size_t width) {
  const Planned& planned = way.planned;
  const io::PricedFleet& fleet = answer.setups[planned.choice.variant].fleets[planned.choice.fleet];
  std::string line = right(planned.timed ? format_duration(planned.time) : "?", 9) + right(planned.timed ? format_duration(planned.step.expected) : "?", 9);
  line += right(planned.timed && fleet.hourly > Money{0} ? format_money(planned.cost) : "?", 12) + right(format_bytes(planned.headroom), 10) + right(format_count(Count{fleet.gpus}), 6);
  return line + " " + left(fleet.device, 14) + " " + left(way.text, width) + "\n";
}

std::string list_of(const io::PlanAnswer& answer, const std::vector<io::PlannedWay>& ways) {
  std::string text = right("time", 9) + right("step", 9) + right("cost", 12) + right("headroom", 10) + right("GPUs", 6) + "\n";
  const std::size_t width = widest(ways);
  for (const io::PlannedWay& way : ways) text += line_of(answer, way, width);
  return text;
}

std::string line_of(const io::ServedWay& way) {
  std::string line = right(way.timed ? format_token_rate(way.rate) : "?", 17) + right(way.timed ? format_token_rate(way.sequence_rate) : "?", 17);
  line += right(way.first_token > Nanoseconds{0} ? format_duration(way.first_token) : "?", 12) + right(way.per_million > Money{0} ? format_money(way.per_million) : "?", 11);
  return line + right(format_bytes(way.headroom), 10) + right(format_count(Count{way.gpus}), 6) + " " + left(way.device, 14) + " " + left(way.engine, 12) + " " + way.text + "\n";
}

int run_serving(const io::Catalog& catalog, const io::Prices& prices, const io::Request& request, Issues issues, const PlanOptions& options) {
  const io::ServingPlan plan = io::plan_serving(catalog, prices, request, std::move(issues));
  if (plan.ok && !plan.best.empty() && !options.to.empty()) return print_export(catalog, io::answer_query(catalog, plan.best.front().query), options.to, options.scenario.json);
  if (options.scenario.json) {
    print(io::serving_plan_json(plan) + "\n");
  } else {
    complain(plan.issues);
    if (!plan.ok) return kError;
    const std::string head = right("all", 17) + right("one sequence", 17) + right("first token", 12) + right("million", 11) + right("headroom", 10) + right("GPUs", 6) + "\n";
    std::string counts = format_count(Count{plan.tried}) + " ways tried: " + format_count(Count{plan.held}) + " hold, " + format_count(Count{plan.too_slow}) + " of them too slow";
    for (std::size_t i = 0; i < plan.refused.size(); ++i)
      if (const std::string_view label = io::label_of(static_cast<Verdict>(i)); !label.empty() && plan.refused[i] > 0) counts += "; " + std::string{label} + ": " + format_count(Count{plan.refused[i]});
    print(counts + "\n\n" + head);
    for (const io::ServedWay& way : plan.best) print(line_of(way));
    if (options.front) print("\nFront of tokens per second, price and the rate of a sequence\n" + head);
    for (const io::ServedWay& way : plan.front)
      if (options.front) print(line_of(way));
  }
  if (!plan.ok) return kError;
  return plan.best.empty() ? kDoesNotFit : kFits;
}

} // namespace

void add_plan_options(CLI::App& command, PlanOptions& options) {
  add_scenario_options(command, options.scenario);
  command.add_option("--threads", options.threads, "Threads that search; 0 for all of the machine. The plans are the same");
  command.add_option("--to", options.to, "In place of the list: the best plan as the command line, configuration or launch manifest that export writes");
  command.add_flag("--front", options.front, "List the front of time, cost and headroom too");
  const std::vector<io::PlanKey> keys = all_keys();
  options.texts.resize(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::string flag = "--" + std::string{keys[i].name};
    std::ranges::replace(flag, '_', '-');
    CLI::Option* const option = command.add_option(flag, options.texts[i], std::string{keys[i].help});
    if (keys[i].name == "exhaustive") option->expected(0, 1);
    options.flags.push_back(option->take_last()->group("plan"));
  }
}

int run_plan(const io::Catalog& catalog, const PlanOptions& options, const std::string& prices_path) {
  Issues issues;
  const io::Prices prices = prices_of(catalog, prices_path, issues);
  const io::Request request = request_of(options, issues);
  if (io::plans_serving(request)) return run_serving(catalog, prices, request, std::move(issues), options);
  const auto start = std::chrono::steady_clock::now();
  io::PlanSession session{catalog, prices, request, std::move(issues)};
  session.finish(options.threads);
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
  const io::PlanAnswer answer = session.answer();
  if (answer.ok && !answer.best.empty() && !options.to.empty()) return print_export(catalog, io::answer_query(catalog, answer.best.front().query), options.to, options.scenario.json);
  if (options.scenario.json) {
    print(io::plan_json(answer) + "\n");
  } else {
    complain(answer.issues);
    if (!answer.ok) return kError;
    print(io::counts_text(answer, format_decimal(took.count(), 3) + " s") + "\n\n" + std::string{"Plans, "} + std::string{text_of(answer.objective).label} + " first, for " + format_count(Count{answer.tokens}) +
          " tokens in steps of " + format_count(Count{answer.global_batch}) + " sequences\n" + list_of(answer, answer.best));
    if (options.front) print("\nFront of time, cost and headroom\n" + list_of(answer, answer.front));
    if (const std::string reason = io::reason_text(answer); !reason.empty()) print("\n" + reason + "\n");
    if (const std::string choice = io::choice_text(answer); !choice.empty()) print("\n" + choice + "\n");
    if (!answer.best.empty()) print("\n" + answer.best.front().query + "\n");
  }
  if (!answer.ok) return kError;
  return answer.best.empty() ? kDoesNotFit : kFits;
}

} // namespace plimsoll::cli
