#include "plimsoll/questions/load.hpp"
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
              {"running_thousandths", load.running.value},
              {"waiting_thousandths", load.waiting.value},
              {"cache_permille", load.cache_permille.value},
              {"preemptions", load.preemptions.value},
              {"steps", load.steps.value},
              {"simulated_requests", load.simulated.value},
              {"measured_on_its_class", load.own_class}};
}

Json range_json(const TimeRange& range) { return Json{{"expected_ns", range.expected.value}, {"low_ns", range.low.value}, {"high_ns", range.high.value}}; }

std::string padded(std::string text) {
  constexpr std::size_t kWidth = 26;
  return text.append(text.size() < kWidth ? kWidth - text.size() : 1, ' ');
}

std::string waits_line(const char* label, const Waits& waits) {
  return padded(label) + format_duration(waits.mean) + " on average; P50 " + format_duration(waits.p50) + ", P90 " + format_duration(waits.p90) + ", P99 " + format_duration(waits.p99) + "\n";
}

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
}

std::string money_text(const LoadReport& report) {
  const LoadMoney& money = report.money;
  std::string text;
  if (money.per_million_answers)
    text += padded("a million tokens") + dollars(*money.per_million_answers) + " of answers, " + dollars(*money.per_million_tokens) + " of prompts and answers, on " + std::to_string(report.gpus.value) + " GPUs\n";
  if (money.per_million_in && money.per_million_out) text += padded("") + dollars(*money.per_million_in) + " in, " + dollars(*money.per_million_out) + " out, by the time that each takes\n";
  if (money.energy_per_million) text += padded("") + format_decimal(money.energy_per_million->value / 1000, 0) + " Wh for a million tokens of answers\n";
  if (money.api_hourly) text += padded("the same from an API") + dollars(*money.api_hourly) + " an hour\n";
  if (!money.break_even) return text;
  text += padded("") + "these GPUs are cheaper from " + format_decimal(money.break_even->value, 3) + " requests per second on";
  return text + (*money.break_even > report.load.requests ? ": more than they answer at this load\n" : "\n");
}

} // namespace

std::string load_json(const LoadReport& report) {
  Json issues = Json::array();
  for (const Issue& issue : report.issues)
    issues.push_back(Json{{"severity", issue.severity == Severity::error ? "error" : "warning"}, {"field", issue.field}, {"message", issue.message}, {"remedy", issue.remedy}});
  Json result{{"ok", report.ok}, {"issues", std::move(issues)}, {"query", report.query}};
  result["load"] = report.ok ? load_result(report.load) : Json(nullptr);
  if (!report.ok) return dump(result);
  result["first_token"] = range_json(report.first_token);
  result["per_token"] = range_json(report.per_token);
  result["steady"] = report.steady ? Json{{"first_token_ns", report.steady->first_token.mean.value}, {"per_token_ns", report.steady->per_token.mean.value}} : Json(nullptr);
  result["gpus"] = report.gpus.value;
  add_money(report.money, result);
  if (report.highest) result["highest"] = Json{{"field", report.asked}, {"value", report.highest->value}, {"load", report.highest->value > 0 ? load_result(report.at_highest) : Json(nullptr)}};
  return dump(result);
}

std::string load_text(const LoadReport& report) {
  if (!report.ok) return "";
  const Load& load = report.load;
  std::string text = waits_line("to the first token", load.first_token);
  text += padded("") + "likely " + format_duration(report.first_token.low) + " to " + format_duration(report.first_token.high) + "\n";
  text += waits_line("from token to token", load.per_token);
  text += padded("") + "likely " + format_duration(report.per_token.low) + " to " + format_duration(report.per_token.high) + "\n";
  text += waits_line("whole request", load.whole);
  text += padded("requests") + format_decimal(load.requests.value, 3) + " per second\n";
  text += padded("tokens of answers") + format_decimal(load.answer_tokens.value / 100, 1) + " per second; of prompts " + format_decimal(load.prompt_tokens.value / 100, 1) + "\n";
  text += padded("of one replica") + format_decimal(load.running.value / 100, 1) + " requests running, " + format_decimal(load.waiting.value / 100, 1) + " waiting";
  if (load.cache_permille > Count{0}) text += "; " + format_decimal(load.cache_permille.value, 1) + " % of the cache in use";
  text += load.preemptions > Count{0} ? ", " + std::to_string(load.preemptions.value) + " requests began again\n" : "\n";
  text += money_text(report);
  if (report.steady)
    text += padded("in closed form") + format_duration(report.steady->first_token.mean) + " to the first token, " + format_duration(report.steady->per_token.mean) + " from token to token\n";
  if (!load.own_class) text += padded("kernels") + "of GPUs like it: nobody has measured all of them on this one's own class\n";
  if (!report.highest) return text;
  const std::int64_t highest = report.highest->value;
  text += padded("within the limits") + (highest <= 0                      ? "nothing: even the least load breaks them"
                                         : report.asked == "concurrency" ? "up to " + std::to_string(highest) + " requests at once"
                                                                         : "up to " + format_decimal(highest, 3) + " requests per second") + "\n";
  if (highest > 0) text += padded("") + format_decimal(report.at_highest.answer_tokens.value / 100, 1) + " tokens of answers per second then\n";
  return text;
}

} // namespace plimsoll::io
