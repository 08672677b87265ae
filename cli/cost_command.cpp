#include "cost_command.hpp"

#include "commands.hpp"
#include "files.hpp"
#include "plimsoll/answer/costs.hpp"
#include "plimsoll/catalog/device_file.hpp"
#include "plimsoll/method/fields.hpp"
#include "plimsoll/method/format.hpp"
#include "plimsoll/method/rules.hpp"
#include "plimsoll/results/api.hpp"
#include "streams.hpp"
#include "tables.hpp"
#include "text.hpp"

#include <algorithm>
#include <ctime>
#include <iterator>
#include <utility>

namespace plimsoll::cli {

namespace {

/// Names of what a question may say: its own keys, then the fields of the topic cost.
struct Name {
  std::string_view name, help;
};
std::vector<Name> names() {
  std::vector<Name> names;
  for (const io::CostKey& key : io::cost_keys()) names.push_back({key.name, key.help});
  for (const Field& field : fields())
    if (field.topic == Topic::cost) names.push_back({field.name, help_of(field)});
  return names;
}

io::Request request_of(const CostOptions& options, Issues& issues) {
  io::Request request = request_of_text(options.query, issues);
  for (const io::Entry& entry : options.others.entries()) request.set(entry.name, entry.text);
  const std::vector<Name> all = names();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (options.flags[i]->count() > 0) request.set(all[i].name, options.texts[i]);
  if (request.find("today") == nullptr) request.set("today", date_of_today());
  return request;
}

/// Hundredths of an hour are 36 seconds.
std::string hours(Count seconds) { return format_decimal(ceil_div(seconds, Count{36}).value, 2) + " h"; }

std::string range(const std::string& low, const std::string& high) { return low == high ? "" : ", likely " + low + " to " + high; }

std::string way_text(const io::CostAnswer& answer, std::size_t i) {
  const io::DeploymentOption& way = answer.question.ways[i];
  const io::WayEnergy& energy = answer.energy[i];
  std::string text = format_count(way.gpus) + " × " + way.device + " for " + hours(way.seconds) + " = " + hours(way.gpus * way.seconds) + " of GPU time\n";
  const auto line = [&](const char* label, const Term& term) {
    const std::string_view unit = term.formula->written().unit;
    text += "  " + left(label, 12) + format_amount(term.amount, unit) + range(format_amount(term.low, unit), format_amount(term.high, unit)) + ", " + name_of(energy.power.formula->written().basis) + "\n"; // no surer than the power
  };
  if (energy.energy.amount > 0) line("energy", energy.energy);
  if (answer.question.billing.grid_intensity > 0) line("carbon", energy.emissions);
  if (i < answer.own.size()) {
    const io::OwnPrice& own = answer.own[i];
    text += "  " + left("your price", 12) + format_money(own.total) + range(format_money(own.low), format_money(own.high));
    if (own.electricity) text += ", of it " + format_money(Money{own.electricity->amount}) + " for electricity";
    if (own.per_million_tokens) text += ", " + format_money(own.per_million_tokens->expected) + " for a million tokens";
    text += "\n";
  }
  return text;
}

/// Sources in the order in which offers name them.
class Sources {
public:
  std::string mark(const std::string& source) {
    auto at = std::ranges::find(sources_, source);
    if (at == sources_.end()) at = sources_.insert(at, source);
    return "[" + std::to_string(at - sources_.begin() + 1) + "]";
  }
  std::string list() const {
    std::string text;
    for (std::size_t i = 0; i < sources_.size(); ++i) text += "[" + std::to_string(i + 1) + "] " + sources_[i] + "\n";
    return text;
  }

private:
  std::vector<std::string> sources_;
};

std::string date_text(const io::PriceSource& row) { return row.dated ? row.date : row.date + " (read; undated)"; }

std::string option_text(const io::PricedOption& priced, Sources& sources) {
  const io::PriceRow& row = *priced.row;
  std::string text = right(format_money(priced.option.total), 14) + "  " + right(format_money(priced.option.hourly) + "/h", 14) + "  ";
  text += format_count(priced.option.instances) + " × " + row.cloud + " " + row.instance + " (" + format_count(row.gpus) + " × " + row.gpu + "), " + row.region + ", " + date_text(row) + " " + sources.mark(row.source);
  if (const auto& tokens = priced.per_million_tokens)
    text += ", " + format_money(tokens->expected) + " for a million tokens" + range(format_money(tokens->low), format_money(tokens->high));
  return text + "\n" + (priced.warning.empty() ? "" : std::string(32, ' ') + priced.warning + "\n");
}

std::string cost_table(const io::CostAnswer& answer, std::size_t most) {
  std::string text;
  Sources sources;
  for (std::size_t i = 0; i < answer.question.ways.size(); ++i) text += way_text(answer, i);
  if (answer.fastest) text += "\nFastest within " + format_money(*answer.question.budget) + "\n" + option_text(answer.options[*answer.fastest], sources);
  if (answer.options.empty()) return text;
  text += "\nCheapest first, " + std::string{name_of(answer.question.kind)} + ", " + format_count(Count{static_cast<std::int64_t>(answer.options.size())}) + " offers fit\n";
  for (std::size_t i = 0; i < answer.options.size() && i < most; ++i) text += option_text(answer.options[i], sources);
  return text + "\n" + sources.list();
}

std::string rules_table(const io::Catalog& catalog, const io::Answer& answer) {
  std::string text;
  for (const RuleOfThumb& one : rules_of_thumb(answer.scenario, answer.estimate)) {
    const Component& rule = one.rule;
    text += rule.label + ": " + format_amount(rule.amount, rule.unit) + " = " + std::string{rule.formula} + "\n";
    text += "  here       " + format_amount(one.estimate, rule.unit) + ", " + std::string{one.against};
    if (one.permille > 0) text += ": the rule says " + format_decimal(one.permille, 1) + " % of it";
    text += "\n  leaves out " + std::string{one.leaves_out} + "\n";
    if (const io::CitationRow* row = catalog.find_citation(rule.citation)) text += "  source     " + row->text + "\n";
  }
  return text;
}

/// Of a list of prices, those whose id, or what they are of, has the letters: as JSON, or a line each with its date and source.
template <class Row>
int list_rows(const io::Catalog& catalog, const std::string& prices_path, bool json, const std::string& search, const std::vector<Row>& (io::Prices::*of)() const noexcept,
              std::string Row::*what, auto as_json, auto line) {
  Issues issues;
  const io::Prices all = prices_of(catalog, prices_path, issues);
  std::string letters = search;
  std::ranges::transform(letters, letters.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  std::vector<Row> rows;
  std::ranges::copy_if((all.*of)(), std::back_inserter(rows), [&](const Row& row) { return row.id.find(letters) != row.id.npos || (row.*what).find(letters) != std::string::npos; });
  if (json) {
    print(as_json(std::move(rows)) + "\n");
    return has_errors(issues) ? kError : kFits;
  }
  complain(issues);
  std::string text;
  Sources sources;
  for (const Row& row : rows) text += line(row) + ", " + date_text(row) + " " + sources.mark(row.source) + "\n";
  print(text + "\n" + sources.list());
  return has_errors(issues) ? kError : kFits;
}

} // namespace

std::string date_of_today() {
  const std::time_t now = std::time(nullptr);
  char text[16] = {};
  if (const std::tm* day = std::gmtime(&now)) std::strftime(text, sizeof text, "%Y-%m-%d", day);
  return text;
}

io::Prices prices_of(const io::Catalog& catalog, const std::string& path, Issues& issues) {
  if (path.empty()) return io::Prices::load(catalog);
  const std::string text = read_whole(path, issues);
  if (has_errors(issues)) return {};
  io::ReadPrices read = io::read_prices(catalog, text);
  std::ranges::move(read.issues, std::back_inserter(issues));
  return std::move(read).prices();
}

void add_cost_options(CLI::App& command, CostOptions& options) {
  command.add_option("query", options.query, "The question as a query: device=h100-80-sxm&gpus=64&hours=100");
  command.add_flag("--json", options.json, "Print JSON");
  command.add_option("--most", options.most, "How many offers to list");
  const std::vector<Name> all = names();
  options.texts.resize(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::string flag = "--" + std::string{all[i].name};
    std::ranges::replace(flag, '_', '-');
    options.flags.push_back(command.add_option(flag, options.texts[i], std::string{all[i].help})->take_last());
  }
}

int run_cost(const io::Catalog& catalog, const CostOptions& options, const std::string& prices_path) {
  Issues issues;
  const io::Prices prices = prices_of(catalog, prices_path, issues);
  const io::Request request = request_of(options, issues);
  const bool is_scenario = request.find("model") != nullptr;
  io::CostQuestion question = is_scenario ? io::scenario_cost_question(catalog, prices, request, issues) : io::cost_question(catalog, request, issues);
  const io::CostAnswer answer = io::answer_cost(catalog, prices, std::move(question), std::move(issues));
  if (options.json) {
    print(io::cost_json(catalog, answer, options.most) + "\n");
  } else {
    complain(answer.issues);
    if (answer.ok) print(cost_table(answer, options.most));
  }
  return answer.ok ? kFits : kError;
}

int run_prices(const io::Catalog& catalog, const std::string& search, bool json, const std::string& prices_path) {
  const auto as_json = [](std::vector<io::PriceRow> rows) { return io::prices_json(io::Prices{std::move(rows)}, date_of_today()); };
  return list_rows(catalog, prices_path, json, search, &io::Prices::rows, &io::PriceRow::gpu, as_json, [](const io::PriceRow& row) {
    return right(format_money(row.hourly) + "/h", 14) + "  " + row.id + ", " + format_count(row.gpus) + " × " + row.gpu;
  });
}

int run_api_prices(const io::Catalog& catalog, const std::string& search, bool json, const std::string& prices_path) {
  const auto as_json = [](std::vector<io::ApiPriceRow> rows) { return io::api_prices_json(io::Prices{{}, std::move(rows)}, date_of_today()); };
  return list_rows(catalog, prices_path, json, search, &io::Prices::apis, &io::ApiPriceRow::model, as_json, [](const io::ApiPriceRow& row) {
    return right(format_money(row.million.in), 8) + " in, " + format_money(row.million.cached) + " cached, " + format_money(row.million.out) + " out, a million tokens of " + row.model + ", " + row.cloud;
  });
}

int run_rules(const io::Catalog& catalog, const ScenarioOptions& options) {
  Issues issues;
  const io::Request request = cli::request_of(options, issues);
  const io::Answer answer = io::answer(catalog, request, std::move(issues));
  if (options.json) {
    print(io::rules_json(catalog, answer) + "\n");
  } else {
    complain(answer.issues);
    if (answer.ok) print(rules_table(catalog, answer));
  }
  return answer.ok ? kFits : kError;
}

void add_cost(io::Answer& answer, const io::Catalog& catalog, const EstimateCost& options, io::Prices& prices, Issues& issues) {
  if (!options.asked) return;
  prices = prices_of(catalog, options.prices_path, issues);
  io::add_cost(answer, catalog, prices, options.today.empty() ? date_of_today() : options.today);
}

std::string cost_lines(const io::Answer& answer) { return answer.cost ? "\n" + cost_table(*answer.cost, 1) : std::string{}; }

io::Catalog with_devices(io::Catalog catalog, const std::string& path, Issues& issues) {
  if (path.empty()) return catalog;
  const std::string text = read_whole(path, issues);
  if (has_errors(issues)) return catalog;
  return io::catalog_with(std::move(catalog), text, issues);
}

} // namespace plimsoll::cli
