// Rented and owned GPUs. What stands in no price: egress, storage, idle hours, failed runs, committed-use discounts, taxes.
#include "plimsoll/method/cost.hpp"

#include "method/term.hpp"

namespace plimsoll::cost {

namespace {

constexpr SymbolText kHourlyText{"hourly", "micro-dollars", "that an hour of the hardware costs", ""};
constexpr SymbolText kDiscount{"discount", "thousandths", "off the price", "discount"};
constexpr SymbolText kGpus{"gpus", "GPUs", "that work", ""};

constexpr Formula kInstances{[] { return FormulaText{.id = "cost.instances",
                             .label = "Instances billed",
                             .unit = "instances",
                             .text = "ceil_div(gpus, gpus_of_one)",
                             .citation = "cloud_billing",
                             .basis = Basis::published,
                             .symbols = {{kGpus, {"gpus_of_one", "GPUs", "in one instance, which is rented whole", ""}}}}; }};

// EC2's Linux instances, Google Compute Engine and Azure bill each second that begins.
constexpr Formula kSeconds{[] { return FormulaText{.id = "cost.seconds",
                           .label = "Seconds billed",
                           .unit = "seconds",
                           .text = "ceil_div(wall, 1000000000)",
                           .citation = "cloud_billing",
                           .basis = Basis::published,
                           .symbols = {{{"wall", "nanoseconds", "on the clock", ""}}}}; }};
constexpr Count kNanoseconds{1'000'000'000};

constexpr Formula kShared{[] { return FormulaText{.id = "cost.seconds_of_gpu_time",
                          .label = "Time on the clock",
                          .unit = "seconds",
                          .text = "ceil_div(gpu_time, gpus)",
                          .citation = "cloud_billing",
                          .basis = Basis::published,
                          .symbols = {{{"gpu_time", "seconds", "of all GPUs together", ""}, kGpus}}}; }};

constexpr Formula kHourly{[] { return FormulaText{.id = "cost.hourly",
                          .label = "An hour of the instances",
                          .unit = "micro-dollars",
                          .text = "ceil_div(instances * price * (1000 - discount), 1000)",
                          .citation = "cloud_billing",
                          .basis = Basis::published,
                          .symbols = {{{"instances", "instances", "that are billed", ""}, {"price", "micro-dollars", "of one of them for an hour", ""}, kDiscount}}}; }};

// Thousandths of a dollar times thousandths are millionths.
constexpr Formula kOwnPrice{[] { return FormulaText{.id = "cost.hourly.own_price",
                            .label = "An hour at your price",
                            .unit = "micro-dollars",
                            .text = "gpus * price * (1000 - discount)",
                            .citation = {},
                            .basis = Basis::assumed,
                            .symbols = {{kGpus, {"price", "thousandths of a dollar", "of one GPU for an hour", "price_per_gpu_hour"}, kDiscount}}}; }};

constexpr Count kHoursOfYear{8766}; // 365.25 days
constexpr Count kShares{1'000'000'000}; // dollars and thousandths to micro-dollars
constexpr Formula kOwned{[] { return FormulaText{.id = "cost.hourly.owned",
                         .label = "An hour of hardware of one's own, without electricity",
                         .unit = "micro-dollars",
                         .text = "ceil_div(gpus * purchase * 1000000000, 8766 * years * busy)",
                         .citation = {},
                         .basis = Basis::assumed,
                         .symbols = {{kGpus,
                                      {"purchase", "dollars", "for one GPU with its share of host and network", "purchase_price"},
                                      {"years", "years", "of 8,766 hours until it is worth nothing", "depreciation_years"},
                                      {"busy", "thousandths", "of those hours in which it works", "busy"}}}}; }};

constexpr Count kSecondsOfHour{3600};
constexpr Formula kTotal{[] { return FormulaText{.id = "cost.total",
                         .label = "Price of the time",
                         .unit = "micro-dollars",
                         .text = "ceil_div(hourly * seconds, 3600)",
                         .citation = "cloud_billing",
                         .basis = Basis::published,
                         .symbols = {{kHourlyText, {"seconds", "seconds", "that are billed", ""}}}}; }};

// A million tokens take 10^9 / rate seconds; 10^9 / 3600 is 2,500,000 / 9, which keeps products within 64 bits.
constexpr Formula kPerMillion{[] { return FormulaText{.id = "cost.per_million_tokens",
                              .label = "A million tokens",
                              .unit = "micro-dollars",
                              .text = "ceil_div(hourly * 2500000, 9 * rate)",
                              .citation = "cloud_billing",
                              .basis = Basis::published,
                              .symbols = {{kHourlyText, {"rate", "thousandths of a token", "per second, of all sequences together", ""}}}}; }};

// Thousandths of tokens per second times micro-dollars per million, for 3,600 seconds, are 3600 / 10^9 micro-dollars.
constexpr Formula kOfApi{[] { return FormulaText{.id = "cost.hourly.api",
                         .label = "An hour of these tokens from an API",
                         .unit = "micro-dollars",
                         .text = "ceil_div(9 * (rate_in * price_in + rate_cached * price_cached + rate_out * price_out), 2500000)",
                         .citation = {},
                         .basis = Basis::assumed,
                         .symbols = {{{"rate_in", "thousandths of a token", "of prompts, per second", ""},
                                      {"price_in", "micro-dollars", "for a million of them", "api_price_in"},
                                      {"rate_cached", "thousandths of a token", "of prompts, that a cache has, per second", ""},
                                      {"price_cached", "micro-dollars", "for a million of them", "api_price_cached"},
                                      {"rate_out", "thousandths of a token", "of answers, per second", ""},
                                      {"price_out", "micro-dollars", "for a million of them", "api_price_out"}}}}; }};

constexpr Formula kBreakEven{[] { return FormulaText{.id = "cost.break_even",
                             .label = "Of this load, from which on own hardware is cheaper",
                             .unit = "thousandths",
                             .text = "ceil_div(1000 * hourly, of_api)",
                             .citation = {},
                             .basis = Basis::assumed,
                             .symbols = {{kHourlyText, {"of_api", "micro-dollars", "that an API asks for the tokens of an hour", ""}}}}; }};

} // namespace

Term instances(Count gpus, Count per_instance) noexcept {
  return make_term(kInstances, ceil_div(gpus, per_instance), {gpus.value, per_instance.value});
}

Term billed_seconds(Nanoseconds wall) noexcept { return make_term(kSeconds, ceil_div(Count{wall.value}, kNanoseconds), {wall.value}); }

Term seconds_of_gpu_time(Count gpu_seconds, Count gpus) noexcept {
  return make_term(kShared, ceil_div(gpu_seconds, gpus), {gpu_seconds.value, gpus.value});
}

Term hourly(Count instances, Money price, std::int64_t discount) noexcept {
  const Count thousandths = instances * (Count{price.value} * Count{1000 - discount});
  return make_term(kHourly, ceil_div(thousandths, Count{1000}), {instances.value, price.value, discount});
}

Term hourly_own_price(Count gpus, const Billing& billing) noexcept {
  const Count amount = gpus * (Count{billing.price_per_gpu_hour} * Count{1000 - billing.discount_permille});
  return make_term(kOwnPrice, amount, {gpus.value, billing.price_per_gpu_hour, billing.discount_permille});
}

Term hourly_owned(Count gpus, const Billing& billing) noexcept {
  const Count hours = kHoursOfYear * (Count{billing.depreciation_years} * Count{billing.busy_permille});
  return make_term(kOwned, ceil_div(gpus * (Count{billing.purchase_price} * kShares), hours),
                   {gpus.value, billing.purchase_price, billing.depreciation_years, billing.busy_permille});
}

Term total(Money hourly, Count seconds) noexcept {
  return make_term(kTotal, ceil_div(Count{hourly.value} * seconds, kSecondsOfHour), {hourly.value, seconds.value});
}

Term per_million_tokens(Money hourly, std::int64_t rate) noexcept {
  return make_term(kPerMillion, ceil_div(Count{hourly.value} * Count{2'500'000}, Count{9} * Count{rate}), {hourly.value, rate});
}

TokenPrices token_prices(const Billing& billing) noexcept {
  const auto of = [](std::int64_t thousandths) { return Money{(Count{thousandths} * Count{1000}).value}; };
  return {of(billing.api_price_in), of(billing.api_price_cached > 0 ? billing.api_price_cached : billing.api_price_in), of(billing.api_price_out)};
}

Term hourly_of_api(const TokenRates& rates, const TokenPrices& prices) noexcept {
  const Count asked = rates.in * Count{prices.in.value} + rates.cached * Count{prices.cached.value} + rates.out * Count{prices.out.value};
  return make_term(kOfApi, ceil_div(Count{9} * asked, Count{2'500'000}), {rates.in.value, prices.in.value, rates.cached.value, prices.cached.value, rates.out.value, prices.out.value});
}

Term break_even(Money hourly, Money of_api) noexcept {
  return make_term(kBreakEven, ceil_div(Count{1000} * Count{hourly.value}, Count{of_api.value}), {hourly.value, of_api.value});
}

} // namespace plimsoll::cost
