#include "plimsoll/answer/costs.hpp"

#include "method/explain/tree.hpp"
#include "plimsoll/catalog/device_file.hpp"
#include "plimsoll/method/format.hpp"
#include "plimsoll/request/request_text.hpp"
#include "results/result_json.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace plimsoll::io {

namespace {

Json money(Money amount) { return {{"micro_dollars", amount.value}, {"text", format_money(amount)}}; }

Json money_range(Money amount, Money low, Money high) {
  Json result = money(amount);
  result["low_micro_dollars"] = low.value;
  result["high_micro_dollars"] = high.value;
  result["low_text"] = format_money(low);
  result["high_text"] = format_money(high);
  return result;
}

Json optional_range(const std::optional<MoneyRange>& range) { return range ? money_range(range->expected, range->low, range->high) : Json(nullptr); }

Json own_result(const Catalog& catalog, const OwnPrice& own) {
  return {{"hourly", component_result(catalog, component_of(own.hourly))},
          {"electricity", own.electricity ? component_result(catalog, component_of(*own.electricity)) : Json(nullptr)},
          {"total", money_range(own.total, own.low, own.high)},
          {"per_million_tokens", optional_range(own.per_million_tokens)}};
}

Json way_result(const Catalog& catalog, const CostAnswer& answer, std::size_t i) {
  const DeploymentOption& way = answer.question.ways[i];
  const WayEnergy& energy = answer.energy[i];
  const bool asks_carbon = answer.question.billing.grid_intensity > 0;
  return {{"device", way.device},
          {"gpus", way.gpus.value},
          {"seconds", way.seconds.value},
          {"gpu_seconds", (way.gpus * way.seconds).value},
          {"power", component_result(catalog, component_of(energy.power))},
          {"energy", component_result(catalog, component_of(energy.energy))},
          {"emissions", asks_carbon ? component_result(catalog, component_of(energy.emissions)) : Json(nullptr)},
          {"own", i < answer.own.size() ? own_result(catalog, answer.own[i]) : Json(nullptr)}};
}

Json price_result(const PriceRow& row, const std::string& warning) {
  return {{"id", row.id}, {"cloud", row.cloud}, {"region", row.region}, {"instance", row.instance}, {"gpu", row.gpu}, {"gpus", row.gpus.value}, {"alone", row.alone},
          {"kind", name_of(row.kind)}, {"hourly", money(row.hourly)}, {"date", row.date}, {"dated", row.dated}, {"source", row.source},
          {"evidence", row.evidence}, {"note", row.note}, {"warning", warning}};
}

Json option_result(const PricedOption& priced) {
  return {{"price", price_result(*priced.row, priced.warning)},
          {"way", priced.option.way},
          {"instances", priced.option.instances.value},
          {"seconds", priced.option.seconds.value},
          {"hourly", money(priced.option.hourly)},
          {"total", money_range(priced.option.total, priced.low, priced.high)},
          {"per_million_tokens", optional_range(priced.per_million_tokens)}};
}

} // namespace

std::vector<Component> cost_components(const CostAnswer& answer, std::size_t way) {
  std::vector<Component> components;
  if (!answer.ok || way >= answer.energy.size()) return components;
  const WayEnergy& energy = answer.energy[way];
  if (energy.power.amount > 0) {
    components = {component_of(energy.power), component_of(energy.energy)};
    if (answer.question.billing.grid_intensity > 0) components.push_back(component_of(energy.emissions));
  }
  if (way >= answer.own.size()) return components;
  components.push_back(component_of(answer.own[way].hourly));
  if (answer.own[way].electricity) components.push_back(component_of(*answer.own[way].electricity));
  return components;
}

Json cost_result(const Catalog& catalog, const CostAnswer& answer, std::size_t most) {
  Json ways = Json::array(), options = Json::array();
  for (std::size_t i = 0; answer.ok && i < answer.question.ways.size(); ++i) ways.push_back(way_result(catalog, answer, i));
  for (std::size_t i = 0; i < answer.options.size() && i < most; ++i) options.push_back(option_result(answer.options[i]));
  const bool any = !answer.options.empty();
  return {{"ok", answer.ok},
          {"issues", issues_result(answer.issues)},
          {"today", answer.question.today.empty() ? Json(nullptr) : Json(answer.question.today)},
          {"ways", std::move(ways)},
          {"options_found", answer.options.size()},
          {"options", std::move(options)},
          {"cheapest", any ? option_result(answer.options.front()) : Json(nullptr)},
          {"fastest", answer.fastest ? option_result(answer.options[*answer.fastest]) : Json(nullptr)}};
}

Json cost_summary(const CostAnswer& answer) {
  if (!answer.ok || answer.energy.empty()) return nullptr;
  const auto range = [](const Term& term) {
    return Json{{"amount", term.amount}, {"low", term.low}, {"high", term.high}, {"unit", term.formula->written().unit}, {"text", format_amount(term.amount, term.formula->written().unit)}};
  };
  const WayEnergy& energy = answer.energy.front();
  const OwnPrice* const own = answer.own.empty() ? nullptr : &answer.own.front();
  return {{"gpus", answer.question.ways.front().gpus.value},
          {"seconds", answer.question.ways.front().seconds.value},
          {"cheapest", answer.options.empty() ? Json(nullptr) : option_result(answer.options.front())},
          {"own", own != nullptr ? money_range(own->total, own->low, own->high) : Json(nullptr)},
          {"energy", energy.power.amount > 0 ? range(energy.energy) : Json(nullptr)},
          {"emissions", energy.power.amount > 0 && answer.question.billing.grid_intensity > 0 ? range(energy.emissions) : Json(nullptr)}};
}

std::string cost_json(const Catalog& catalog, const CostAnswer& answer, std::size_t most) { return dump(cost_result(catalog, answer, most)); }

std::string cost_json(const Catalog& catalog, const CostTexts& texts, std::size_t most) {
  Issues issues;
  const Catalog with_devices = texts.devices.empty() ? Catalog{} : catalog_with(catalog, texts.devices, issues);
  const Catalog& all = texts.devices.empty() ? catalog : with_devices;
  Prices prices;
  if (texts.prices.empty()) {
    prices = Prices::load(all);
  } else {
    ReadPrices read = read_prices(all, texts.prices);
    std::ranges::move(read.issues, std::back_inserter(issues));
    prices = std::move(read).prices();
  }
  Request request = request_from_text(texts.question, texts.is_json, issues);
  if (request.find("today") == nullptr && !texts.today.empty()) request.set("today", texts.today);
  const bool is_scenario = request.find("model") != nullptr;
  CostQuestion question = is_scenario ? scenario_cost_question(all, prices, request, issues) : cost_question(all, request, issues);
  return cost_json(all, answer_cost(all, prices, std::move(question), std::move(issues)), most);
}

} // namespace plimsoll::io
