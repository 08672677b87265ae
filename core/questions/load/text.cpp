#include "plimsoll/questions/load.hpp"

#include "plimsoll/request/request_text.hpp"
#include "text/issues_json.hpp"
#include "text/json.hpp"

#include <string>

namespace plimsoll::io {

namespace {

Json waits_json(const Waits& waits) {
  return Json{{"mean_ns", waits.mean.value}, {"p50_ns", waits.p50.value}, {"p90_ns", waits.p90.value}, {"p99_ns", waits.p99.value}};
}

Json load_result(const Load& load) {
  return Json{{"first_token", waits_json(load.first_token)},
              {"per_token", waits_json(load.per_token)},
              {"whole", waits_json(load.whole)},
              {"requests_per_s_thousandths", load.requests.value},
              {"prompt_tokens_per_s_thousandths", load.prompt_tokens.value},
              {"answer_tokens_per_s_thousandths", load.answer_tokens.value},
              {"found_prompt_tokens_per_s_thousandths", load.found_tokens.value},
              {"running_thousandths", load.running.value},
              {"waiting_thousandths", load.waiting.value},
              {"cache_permille", load.cache_permille.value},
              {"prefill_busy_permille", load.prefill_permille.value},
              {"decode_busy_permille", load.decode_permille.value},
              {"transfer_ns", load.transfer.value},
              {"preemptions", load.preemptions.value},
              {"steps", load.steps.value},
              {"simulated_requests", load.simulated.value},
              {"by_measured_kernels", load.measured},
              {"measured_on_its_class", load.measured && load.own_class}};
}

Json servers_json(const LoadServers& servers) {
  return Json{{"servers", servers.servers.value}, {"gpus_each", servers.gpus.value}, {"memory_bytes", servers.memory.value}, {"memory_text", format_bytes(servers.memory)}};
}

Json splits_json(const std::vector<LoadSplit>& splits) {
  Json all = Json::array();
  for (const LoadSplit& split : splits)
    all.push_back(Json{{"prefill_replicas", split.reading.value}, {"data_parallel", split.answering.value}, {"within_limits", split.within}, {"load", load_result(split.load)}});
  return all;
}

Json range_json(const TimeRange& range) { return Json{{"expected_ns", range.expected.value}, {"low_ns", range.low.value}, {"high_ns", range.high.value}}; }

std::string waits_text(const Waits& waits) {
  return format_duration(waits.mean) + " on average; P50 " + format_duration(waits.p50) + ", P90 " + format_duration(waits.p90) + ", P99 " + format_duration(waits.p99);
}

std::string likely_text(const TimeRange& range) { return "likely " + format_duration(range.low) + " to " + format_duration(range.high); }

std::string dollars(Money money) { return "$ " + format_decimal((money.value + 500) / 1000, 3); }

template <class Amount> Json known(const std::optional<Amount>& amount) { return amount ? Json(amount->value) : Json(nullptr); }

void add_money(const LoadMoney& money, Json& result) {
  result["micro_usd_per_million_answer_tokens"] = known(money.per_million_answers);
  result["micro_usd_per_million_tokens"] = known(money.per_million_tokens);
  result["micro_usd_per_million_prompt_tokens_by_time"] = known(money.per_million_in);
  result["micro_usd_per_million_answer_tokens_by_time"] = known(money.per_million_out);
  result["milliwatt_hours_per_million_answer_tokens"] = known(money.energy_per_million);
  result["micro_usd_per_hour_of_api"] = known(money.api_hourly);
  result["break_even_requests_per_s_thousandths"] = known(money.break_even);
  const auto named = [](const PriceSource* row) { return row != nullptr ? Json{{"id", row->id}, {"date", row->date}} : Json(nullptr); };
  result["api_price"] = named(money.api);
  result["micro_usd_per_hour"] = money.fleet.hourly > Money{0} ? Json(money.fleet.hourly.value) : Json(nullptr);
  result["price"] = named(money.fleet.row);
}

void add_money(const LoadReport& report, std::vector<LoadLine>& lines) {
  const LoadMoney& money = report.money;
  if (money.per_million_answers) {
    const PriceRow* const row = money.fleet.row;
    const bool is_part = row != nullptr && row->gpus > report.gpus; // an instance is paid as a whole
    const std::string gpus = std::to_string(report.gpus.value) + (is_part ? " of " + std::to_string(row->gpus.value) + " GPUs" : report.gpus == Count{1} ? " GPU" : " GPUs");
    lines.push_back({"a million tokens", dollars(*money.per_million_answers) + " of answers, " + dollars(*money.per_million_tokens) + " of prompts and answers, on " + gpus + " at " + dollars(money.fleet.hourly) + " an hour" +
                                             (row != nullptr ? ", " + row->cloud + " " + row->instance + " of " + row->date : "")});
  }
  if (money.per_million_in && money.per_million_out) lines.push_back({"", dollars(*money.per_million_in) + " in, " + dollars(*money.per_million_out) + " out, by the time that each takes"});
  if (money.energy_per_million) lines.push_back({"", format_decimal(money.energy_per_million->value / 1000, 0) + " Wh for a million tokens of answers"});
  if (money.api_hourly)
    lines.push_back({"the same from an API", dollars(*money.api_hourly) + " an hour" +
                                                 (money.api != nullptr ? ", " + money.api->cloud + (money.api->dated ? " of " : ", undated, read in ") + money.api->date : "")});
  if (!money.break_even) return;
  const std::string too_many = *money.break_even > report.load.requests ? ": more than they answer at this load" : "";
  lines.push_back({"", "these GPUs are cheaper from " + format_decimal(money.break_even->value, 3) + " requests per second on" + too_many});
}

std::string servers_text(const LoadServers& servers) {
  return std::to_string(servers.servers.value) + (servers.gpus == Count{1} ? " of one GPU" : " of " + std::to_string(servers.gpus.value) + " GPUs") + ", busy for " + format_decimal(servers.busy_permille.value, 1) +
         " % of the time, " + format_bytes(servers.memory) + " on each GPU";
}

void add_servers(const LoadReport& report, std::vector<LoadLine>& lines) {
  if (!report.reading || !report.answering) return;
  lines.push_back({"prefill servers", servers_text(*report.reading)});
  lines.push_back({"decode servers", servers_text(*report.answering)});
  lines.push_back({"", "a cache is on its way for " + format_duration(report.load.transfer)});
  constexpr std::size_t kMost = 3;
  for (std::size_t i = 0; i < report.splits.size() && i < kMost; ++i) {
    const LoadSplit& split = report.splits[i];
    lines.push_back({i == 0 ? "best division" : "", std::to_string(split.reading.value) + " prefill, " + std::to_string(split.answering.value) + " decode: " + format_decimal(split.load.answer_tokens.value / 100, 1) + " tokens of answers per second, " +
                                                         format_duration(split.load.first_token.mean) + " to the first token, " + format_duration(split.load.per_token.mean) + " from token to token" + (split.within ? "" : "; beyond the limits")});
  }
}

void add_highest(const LoadReport& report, std::vector<LoadLine>& lines) {
  if (!report.highest) return;
  const std::int64_t highest = report.highest->value;
  lines.push_back({"within the limits", highest <= 0                      ? "nothing: even the least load breaks them"
                                        : report.asked == "concurrency" ? "up to " + std::to_string(highest) + " requests at once"
                                                                        : "up to " + format_decimal(highest, 3) + " requests per second"});
  if (highest > 0) lines.push_back({"", format_decimal(report.at_highest.answer_tokens.value / 100, 1) + " tokens of answers per second then"});
}

} // namespace

std::string load_json(const LoadReport& report) {
  Json result{{"ok", report.ok}, {"issues", issues_result(report.issues)}, {"query", report.query}};
  result["load"] = report.ok ? load_result(report.load) : Json(nullptr);
  if (!report.ok) return dump(result);
  result["first_token"] = range_json(report.first_token);
  result["per_token"] = range_json(report.per_token);
  result["steady"] = report.steady ? Json{{"first_token_ns", report.steady->first_token.mean.value}, {"per_token_ns", report.steady->per_token.mean.value}} : Json(nullptr);
  result["gpus"] = report.gpus.value;
  if (report.reading && report.answering) result["disaggregation"] = Json{{"prefill", servers_json(*report.reading)}, {"decode", servers_json(*report.answering)}};
  if (!report.splits.empty()) result["splits"] = splits_json(report.splits);
  add_money(report.money, result);
  if (report.highest) result["highest"] = Json{{"field", report.asked}, {"value", report.highest->value}, {"load", report.highest->value > 0 ? load_result(report.at_highest) : Json(nullptr)}};
  Json lines = Json::array();
  for (const LoadLine& line : load_lines(report)) lines.push_back(Json{{"label", line.label}, {"text", line.text}});
  result["lines"] = std::move(lines);
  return dump(result);
}

std::string load_json(const Catalog& catalog, const Prices& prices, std::string_view scenario, bool is_json, const LatencyLimits& limits) {
  Issues issues;
  LoadReport report = load_report(catalog, prices, request_from_text(scenario, is_json, issues), limits);
  report.issues.insert(report.issues.begin(), issues.begin(), issues.end());
  if (has_errors(report.issues)) report.ok = false;
  return load_json(report);
}

std::vector<LoadLine> load_lines(const LoadReport& report) {
  if (!report.ok) return {};
  const Load& load = report.load;
  std::vector<LoadLine> lines{{"to the first token", waits_text(load.first_token)}, {"", likely_text(report.first_token)}, {"from token to token", waits_text(load.per_token)}, {"", likely_text(report.per_token)},
                              {"whole request", waits_text(load.whole)}, {"requests", format_decimal(load.requests.value, 3) + " per second"},
                              {"tokens of answers", format_decimal(load.answer_tokens.value / 100, 1) + " per second; of prompts " + format_decimal(load.prompt_tokens.value / 100, 1)}};
  if (load.found_tokens > Count{0})
    lines.push_back({"", format_decimal((load.found_tokens * Count{1000}).value / load.prompt_tokens.value, 1) + " % of the prompts' tokens are in the cache when they come"});
  std::string replica = format_decimal(load.running.value / 100, 1) + " requests running, " + format_decimal(load.waiting.value / 100, 1) + " waiting";
  if (load.cache_permille > Count{0}) replica += "; " + format_decimal(load.cache_permille.value, 1) + " % of the cache in use";
  if (load.preemptions > Count{0}) replica += ", " + std::to_string(load.preemptions.value) + " requests began again";
  lines.push_back({"of one replica", replica});
  add_servers(report, lines);
  add_money(report, lines);
  if (report.steady)
    lines.push_back({"in closed form", format_duration(report.steady->first_token.mean) + " to the first token, " + format_duration(report.steady->per_token.mean) + " from token to token"});
  if (!load.measured) lines.push_back({"times", "by the device's rates and what the engine reaches of them: nobody has measured its kernels here"});
  else if (!load.own_class) lines.push_back({"kernels", "of GPUs like it: nobody has measured all of them on this one's own class"});
  add_highest(report, lines);
  return lines;
}

std::string load_text(const LoadReport& report) {
  constexpr std::size_t kWidth = 26;
  std::string text;
  for (LoadLine& line : load_lines(report)) text += line.label.append(line.label.size() < kWidth ? kWidth - line.label.size() : 1, ' ') + line.text + "\n";
  return text;
}

} // namespace plimsoll::io
