#include "plimsoll/method/cost.hpp"
#include "plimsoll/questions/load.hpp"
#include "questions/plan/fleets.hpp"

namespace plimsoll::io {

namespace {

constexpr Count kWhole{1000};

Money share_of(Money all, Count thousandths) { return Money{ceil_div(Count{all.value} * thousandths, kWhole).value}; }

/// The user's own price goes before those of APIs that have the model; of these the lowest for the load counts.
void weigh_api(const Prices& prices, const Inputs& inputs, const Load& load, Money hourly, LoadMoney& money) {
  const cost::TokenRates rates{load.prompt_tokens - load.found_tokens, load.found_tokens, load.answer_tokens};
  const auto asks = [&](const cost::TokenPrices& million) { return Money{cost::hourly_of_api(rates, million).amount}; };
  Money asked = asks(cost::token_prices(inputs.billing));
  if (asked <= Money{0})
    for (const ApiPriceRow& row : prices.apis())
      if (row.model == inputs.model.id && row.kind == PriceKind::on_demand && (money.api == nullptr || asks(row.million) < asked)) {
        money.api = &row;
        asked = asks(row.million);
      }
  if (asked <= Money{0}) return;
  money.api_hourly = asked;
  if (hourly > Money{0}) money.break_even = ceil_div(load.requests * Count{cost::break_even(hourly, asked).amount}, kWhole);
}

} // namespace

LoadMoney load_money(const Prices& prices, const Answer& answer, const Load& load, Count gpus) {
  LoadMoney money;
  if (load.answer_tokens <= Count{0}) return money;
  const Billing& billing = answer.inputs.billing;
  const std::int64_t watts = answer.scenario.hardware.rates.watts;
  if (watts > 0) money.energy_per_million = Count{cost::energy_per_million(gpus, cost::power(watts, billing, false).amount, load.answer_tokens.value).amount};
  money.fleet = priced_fleet(prices, answer.inputs, gpus.value, PriceKind::on_demand, "");
  const Money hourly = money.fleet.hourly;
  weigh_api(prices, answer.inputs, load, hourly, money);
  if (hourly <= Money{0}) return money;
  const auto of = [&](Count tokens) { return Money{cost::per_million_tokens(hourly, tokens.value).amount}; };
  money.per_million_answers = of(load.answer_tokens);
  money.per_million_tokens = of(load.answer_tokens + load.prompt_tokens);
  if (load.prompt_tokens > Count{0}) money.per_million_in = share_of(of(load.prompt_tokens), load.prompt_permille);
  money.per_million_out = share_of(*money.per_million_answers, kWhole - load.prompt_permille);
  return money;
}

} // namespace plimsoll::io
