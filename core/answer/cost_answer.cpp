// Offers, energy and carbon for the ways of a question.
#include "plimsoll/answer/costs.hpp"

#include "text/value.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace plimsoll::io {

namespace {

constexpr std::int64_t kUsualNode = 8;

Count low_of(const DeploymentOption& way) noexcept { return way.low > Count{0} ? way.low : way.seconds; }
Count high_of(const DeploymentOption& way) noexcept { return way.high > Count{0} ? way.high : way.seconds; }

Money at(Money hourly, Count seconds) noexcept { return Money{cost::total(hourly, seconds).amount}; }

/// What is fast is cheap. Nothing where the way has no rate.
std::optional<MoneyRange> per_million(Money hourly, const DeploymentOption& way) {
  if (way.token_rate <= 0) return std::nullopt;
  const auto at_rate = [&](std::int64_t rate) { return Money{cost::per_million_tokens(hourly, rate > 0 ? rate : way.token_rate).amount}; };
  return MoneyRange{at_rate(way.token_rate), at_rate(way.rate_high), at_rate(way.rate_low)};
}

WayEnergy energy_of(const Catalog& catalog, const CostQuestion& question, const DeploymentOption& way) {
  const DeviceRow* const device = catalog.find_device(way.device);
  const std::int64_t watts = device != nullptr ? device->hardware.rates.watts : 0;
  WayEnergy result;
  result.power = cost::power(watts, question.billing, question.training);
  result.energy = cost::energy(way.gpus, result.power.amount, way.seconds);
  result.energy.low = cost::energy(way.gpus, result.power.low, low_of(way)).amount;
  result.energy.high = cost::energy(way.gpus, result.power.high, high_of(way)).amount;
  const std::int64_t intensity = question.billing.grid_intensity;
  result.emissions = cost::emissions(Energy{result.energy.amount}, intensity);
  result.emissions.low = cost::emissions(Energy{result.energy.low}, intensity).amount;
  result.emissions.high = cost::emissions(Energy{result.energy.high}, intensity).amount;
  return result;
}

/// An own price by the hour goes before a purchase: whoever states it knows best.
OwnPrice own_price(const CostQuestion& question, const DeploymentOption& way, const WayEnergy& energy) {
  const Billing& billing = question.billing;
  const bool owned = billing.price_per_gpu_hour == 0;
  OwnPrice own;
  own.hourly = owned ? cost::hourly_owned(way.gpus, billing) : cost::hourly_own_price(way.gpus, billing);
  const Money hourly{own.hourly.amount};
  own.total = at(hourly, way.seconds);
  own.low = at(hourly, low_of(way));
  own.high = at(hourly, high_of(way));
  Money each_hour = hourly;
  if (owned) {
    const auto price_of = [&](std::int64_t joules) { return cost::electricity(Energy{joules}, billing.electricity_price); };
    own.electricity = price_of(energy.energy.amount);
    own.total += Money{own.electricity->amount};
    own.low += Money{price_of(energy.energy.low).amount};
    own.high += Money{price_of(energy.energy.high).amount};
    each_hour += Money{price_of(cost::energy(way.gpus, energy.power.amount, Count{3600}).amount).amount};
  }
  own.per_million_tokens = per_million(each_hour, way);
  return own;
}

bool same(std::string_view asked, std::string_view offered) { return asked.empty() || lower_case(asked) == lower_case(offered); }

void add_options(const Prices& prices, CostAnswer& answer) {
  const CostQuestion& question = answer.question;
  std::vector<const PriceRow*> rows;
  std::vector<cost::Offer> offers;
  for (const PriceRow& row : prices.rows()) {
    if (row.kind != question.kind || !same(question.cloud, row.cloud) || !same(question.region, row.region)) continue;
    rows.push_back(&row);
    offers.push_back({row.gpu, row.gpus, row.hourly, row.alone});
  }
  std::vector<cost::Way> ways;
  for (const DeploymentOption& way : question.ways) {
    const Count node = way.node > Count{0} ? way.node : usual_node(prices, way.device, way.gpus);
    ways.push_back({way.device, way.gpus, node, way.seconds});
  }
  const std::vector<cost::Option> options = cost::options(offers, ways, question.billing.discount_permille);
  for (const cost::Option& option : options) {
    const PriceRow& row = *rows[option.offer];
    const DeploymentOption& way = question.ways[option.way];
    PricedOption priced{.row = &row, .option = option, .low = at(option.hourly, low_of(way)), .high = at(option.hourly, high_of(way)), .warning = age_warning(row, question.today)};
    priced.per_million_tokens = per_million(option.hourly, way);
    answer.options.push_back(std::move(priced));
  }
  if (!question.budget) return;
  const std::optional<cost::Option> fastest = cost::fastest_within(options, *question.budget);
  for (std::size_t i = 0; fastest && i < options.size(); ++i)
    if (options[i].offer == fastest->offer && options[i].way == fastest->way) answer.fastest = i;
}

/// What of the answer people should know before they rely on it.
void add_notes(CostAnswer& answer) {
  const CostQuestion& question = answer.question;
  const auto add = [&](Severity severity, const char* field, std::string message, std::string remedy) {
    answer.issues.push_back({severity, field, std::move(message), std::move(remedy)});
  };
  for (std::size_t i = 0; i < question.ways.size(); ++i)
    if (answer.energy[i].power.values[0] == 0)
      add(Severity::warning, "device", "Nobody published the power of " + question.ways[i].device + ": its energy is left out.", "Use a device whose power is known.");
  if (answer.options.empty())
    add(Severity::note, "device", "No price fits: nobody listed asks one for these GPUs in large enough instances.",
        "Give your own price_per_gpu_hour, other cloud, region, kind or node_gpus, or a file of prices.");
  else if (!answer.options.front().warning.empty())
    add(Severity::warning, "today", "The cheapest price is old. " + answer.options.front().warning, "Look it up at " + answer.options.front().row->source + ", or give a file of prices.");
  if (question.budget && !answer.fastest && !answer.options.empty())
    add(Severity::note, "budget", "Nothing is within the budget.", "Raise it, or ask for fewer hours.");
  if (question.billing.price_per_gpu_hour > 0 && question.billing.purchase_price > 0)
    add(Severity::warning, "purchase_price", "price_per_gpu_hour is given too, and counts.", "Give one of them.");
}

} // namespace

Count usual_node(const Prices& prices, std::string_view device, Count gpus) noexcept {
  Count largest{1};
  for (const PriceRow& row : prices.rows())
    if (row.gpu == device) largest = max(largest, row.gpus);
  return min(gpus, min(largest, Count{kUsualNode}));
}

CostAnswer answer_cost(const Catalog& catalog, const Prices& prices, CostQuestion question, Issues carried) {
  CostAnswer answer;
  answer.question = std::move(question);
  answer.issues = std::move(carried);
  if (has_errors(answer.issues)) return answer;
  const Billing& billing = answer.question.billing;
  for (const DeploymentOption& way : answer.question.ways) {
    answer.energy.push_back(energy_of(catalog, answer.question, way));
    if (billing.price_per_gpu_hour > 0 || billing.purchase_price > 0) answer.own.push_back(own_price(answer.question, way, answer.energy.back()));
  }
  add_options(prices, answer);
  add_notes(answer);
  answer.ok = true;
  return answer;
}

} // namespace plimsoll::io
