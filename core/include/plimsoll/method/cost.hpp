#pragma once
// Time into money, energy and carbon. Everything is an integer and each number is a Term that explains itself; how long the work
// takes is the caller's to say. Amounts saturate like every Quantity.

#include "plimsoll/method/billing.hpp"
#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace plimsoll::cost {

// --- Money --------------------------------------------------------------------------------------------------------------------------

/// Instances of `per_instance` GPUs that hold `gpus`: whole ones are billed, whatever part of the last is used. Both at least 1.
Term instances(Count gpus, Count per_instance) noexcept;

/// Seconds that are billed for a time on the clock: clouds bill begun seconds. Unit "seconds".
Term billed_seconds(Nanoseconds wall) noexcept;

/// Seconds on the clock in which `gpus` GPUs, at least 1, give so many seconds of GPU time together.
Term seconds_of_gpu_time(Count gpu_seconds, Count gpus) noexcept;

/// What so many instances at `price` by the hour come to in an hour. `discount` in thousandths, 0 to 1000.
Term hourly(Count instances, Money price, std::int64_t discount) noexcept;

/// The same at the user's own price for the hour of a GPU: Billing::price_per_gpu_hour and its discount.
Term hourly_own_price(Count gpus, const Billing& billing) noexcept;

/// What an hour of owned GPUs wears off: purchase_price over the hours that they work in depreciation_years. Electricity is apart.
Term hourly_owned(Count gpus, const Billing& billing) noexcept;

/// So many seconds at so much an hour.
Term total(Money hourly, Count seconds) noexcept;

/// Of a million tokens at `rate` thousandths of a token per second, at least 1, while `hourly` is paid.
Term per_million_tokens(Money hourly, std::int64_t rate) noexcept;

/// What an API asks for a million tokens: of prompts, of what its cache has of them, of answers.
struct TokenPrices {
  Money in, cached, out;
};
/// As somebody states them; 0 where nobody does.
TokenPrices token_prices(const Billing& billing) noexcept;

/// Thousandths of a token per second.
struct TokenRates {
  Count in;     ///< of prompts, but for
  Count cached; ///< what a cache has of them
  Count out;    ///< of answers
};
/// What an API asks for an hour of tokens at such rates.
Term hourly_of_api(const TokenRates& rates, const TokenPrices& prices) noexcept;

/// Thousandths of a load that flat hourly hardware must have for an API to ask as much for it; `of_api` is above 0.
Term break_even(Money hourly, Money of_api) noexcept;

// --- Energy -------------------------------------------------------------------------------------------------------------------------

/// What one GPU draws at the building's meter while it works, in milliwatts: (idle + (limit - idle) * power) * PUE. `watts` is the
/// board's limit; 0 where nobody published it gives 0. Low and high follow published shares of power: see power.cpp.
Term power(std::int64_t watts, const Billing& billing, bool training) noexcept;

/// Energy of `gpus` GPUs for so many seconds, in joules.
Term energy(Count gpus, std::int64_t milliwatts, Count seconds) noexcept;

/// Energy of `gpus` GPUs for a million tokens at `rate` thousandths of a token per second, at least 1, in thousandths of a watt-hour.
Term energy_per_million(Count gpus, std::int64_t milliwatts, std::int64_t rate) noexcept;

/// Carbon of that energy, in grams of CO2 equivalent, at `intensity` grams per kWh.
Term emissions(Energy energy, std::int64_t intensity) noexcept;

/// Price of that energy at `price` thousandths of a dollar per kWh.
Term electricity(Energy energy, std::int64_t price) noexcept;

// --- Choice -------------------------------------------------------------------------------------------------------------------------

/// Something that can be rented.
struct Offer {
  std::string_view device; ///< id of the catalogue
  Count gpus{1};           ///< of one instance
  Money hourly;            ///< for one instance
  bool alone = false;      ///< no two of them stand in one network: it serves work that one instance holds
};

/// One way of doing the work: so many GPUs of one kind, and how long they take.
struct Way {
  std::string_view device;
  Count gpus{1};
  Count node{1};    ///< GPUs that must stand in one instance, because they exchange too much for a network; at most `gpus`
  Count seconds{0}; ///< billed
};

/// An offer taken for a way, by their places in the lists.
struct Option {
  std::size_t offer = 0;
  std::size_t way = 0;
  Count instances{1};
  Money hourly;
  Money total;
  Count seconds;
};

/// Every offer for every way whose device it has in large enough instances: cheapest first; of equally cheap ones the fastest, then in
/// the order of the offers. `discount` in thousandths.
std::vector<Option> options(std::span<const Offer> offers, std::span<const Way> ways, std::int64_t discount = 0);

/// Of options() the fastest that costs at most `budget`, of equally fast ones the cheapest; nothing when each costs more.
std::optional<Option> fastest_within(std::span<const Option> options, Money budget) noexcept;

} // namespace plimsoll::cost
