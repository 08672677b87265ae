#include "plimsoll/method/cost.hpp"
#include "plimsoll/questions/load.hpp"

namespace plimsoll::io {

namespace {

constexpr Count kWhole{1000};

Money share_of(Money all, Count thousandths) { return Money{ceil_div(Count{all.value} * thousandths, kWhole).value}; }

/// What an hour of the hardware costs; 0 where nobody said it.
Money hourly_of(const Billing& billing, Count gpus) {
  if (billing.purchase_price > 0) return Money{cost::hourly_owned(gpus, billing).amount};
  return Money{cost::hourly_own_price(gpus, billing).amount};
}

void weigh_api(const Billing& billing, const Load& load, Money hourly, LoadMoney& money) {
  const Money asked{cost::hourly_of_api(load.prompt_tokens.value, load.answer_tokens.value, billing).amount};
  if (asked <= Money{0}) return;
  money.api_hourly = asked;
  if (hourly > Money{0}) money.break_even = ceil_div(load.requests * Count{cost::break_even(hourly, asked).amount}, kWhole);
}

} // namespace

LoadMoney load_money(const Answer& answer, const Load& load, Count gpus) {
  LoadMoney money;
  if (load.answer_tokens <= Count{0}) return money;
  const Billing& billing = answer.inputs.billing;
  const std::int64_t watts = answer.scenario.hardware.rates.watts;
  if (watts > 0) money.energy_per_million = Count{cost::energy_per_million(gpus, cost::power(watts, billing, false).amount, load.answer_tokens.value).amount};
  const Money hourly = hourly_of(billing, gpus);
  weigh_api(billing, load, hourly, money);
  if (hourly <= Money{0}) return money;
  const auto of = [&](Count tokens) { return Money{cost::per_million_tokens(hourly, tokens.value).amount}; };
  money.per_million_answers = of(load.answer_tokens);
  money.per_million_tokens = of(load.answer_tokens + load.prompt_tokens);
  if (load.prompt_tokens > Count{0}) money.per_million_in = share_of(of(load.prompt_tokens), load.prompt_permille);
  money.per_million_out = share_of(*money.per_million_answers, kWhole - load.prompt_permille);
  return money;
}

} // namespace plimsoll::io
