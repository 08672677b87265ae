// What GPUs draw, and what that weighs in carbon. A GPU's power is taken to grow from idle to its limit with the share of the time
// in which it is fully at work; the building's share comes on top as PUE. The host (a quarter to two fifths more, where the power of
// a whole node is known) is not in it.
#include "plimsoll/method/cost.hpp"

#include "method/term.hpp"

#include <algorithm>

namespace plimsoll::cost {

namespace {

constexpr Formula kPower{[] { return FormulaText{
    .id = "energy.power",
    .label = "Power of one GPU at the meter",
    .unit = "milliwatts",
    .text = "ceil_div(limit * (1000 * idle + (1000 - idle) * load) * pue, 1000000)",
    .citation = "training_energy",
    .basis = Basis::assumed,
    .symbols = {{{"limit", "watts", "of the board", "device"},
                 {"idle", "thousandths", "of the limit, when it waits", "idle_power"},
                 {"load", "thousandths", "of the way from idle to the limit, on average", "mean_power"},
                 {"pue", "thousandths", "that the building takes for 1000 of the hardware", "pue"}}}}; }};

constexpr Formula kEnergy{[] { return FormulaText{.id = "energy.total",
                          .label = "Energy at the meter",
                          .unit = "joules",
                          .text = "ceil_div(gpus * power * seconds, 1000)",
                          .citation = "training_energy",
                          .basis = Basis::published,
                          .symbols = {{{"gpus", "GPUs", "that work", ""},
                                       {"power", "milliwatts", "of one GPU with the building's share", ""},
                                       {"seconds", "seconds", "on the clock", ""}}}}; }};

constexpr Formula kEmissions{[] { return FormulaText{.id = "energy.emissions",
                             .label = "Carbon",
                             .unit = "grams CO2e",
                             .text = "ceil_div(energy * intensity, 3600000)",
                             .citation = "training_energy",
                             .basis = Basis::published,
                             .symbols = {{{"energy", "joules", "at the meter", ""}, {"intensity", "grams", "of CO2 equivalent per kWh", "grid_intensity"}}}}; }};
constexpr Count kJoulesOfKwh{3'600'000};

// Thousandths of a dollar are 1000 micro-dollars: 3,600,000 / 1000.
constexpr Formula kElectricity{[] { return FormulaText{.id = "cost.electricity",
                               .label = "Electricity",
                               .unit = "micro-dollars",
                               .text = "ceil_div(energy * price, 3600)",
                               .citation = {},
                               .basis = Basis::assumed,
                               .symbols = {{{"energy", "joules", "at the meter", ""}, {"price", "thousandths of a dollar", "per kWh", "electricity_price"}}}}; }};

// A million tokens take 10^9 / rate seconds; 10^9 / 3600 is 2,500,000 / 9.
constexpr Formula kEnergyPerMillion{[] { return FormulaText{.id = "energy.per_million_tokens",
                              .label = "Energy of a million tokens",
                              .unit = "milliwatt-hours",
                              .text = "ceil_div(gpus * power * 2500000, 9 * rate)",
                              .citation = "training_energy",
                              .basis = Basis::assumed,
                              .symbols = {{{"gpus", "GPUs", "that work", ""},
                                           {"power", "milliwatts", "of one GPU with the building's share", ""},
                                           {"rate", "thousandths of a token", "per second, of all sequences together", ""}}}}; }};

/// Between what shares of its way from idle to the limit a GPU's mean power was seen, in thousandths: mean power over whole training
/// runs (0.7 to 0.95 of the limit and below), and token by token generation, which waits for memory.
struct Load {
  std::int64_t low, high;
};
constexpr Load kTraining{600, 950}, kServing{400, 700};

Count milliwatts(std::int64_t watts, const Billing& billing, std::int64_t load) noexcept {
  const Count share = Count{1000} * Count{billing.idle_power_permille} + Count{1000 - billing.idle_power_permille} * Count{load};
  return ceil_div(Count{watts} * (share * Count{billing.pue_permille}), Count{1'000'000});
}

} // namespace

Term power(std::int64_t watts, const Billing& billing, bool training) noexcept {
  Term term = make_term(kPower, milliwatts(watts, billing, billing.power_permille),
                        {watts, billing.idle_power_permille, billing.power_permille, billing.pue_permille});
  const Load load = training ? kTraining : kServing;
  term.low = milliwatts(watts, billing, std::min(load.low, billing.power_permille)).value;
  term.high = milliwatts(watts, billing, std::max(load.high, billing.power_permille)).value;
  return term;
}

Term energy(Count gpus, std::int64_t milliwatts, Count seconds) noexcept {
  return make_term(kEnergy, ceil_div(gpus * (Count{milliwatts} * seconds), Count{1000}), {gpus.value, milliwatts, seconds.value});
}

Term energy_per_million(Count gpus, std::int64_t milliwatts, std::int64_t rate) noexcept {
  return make_term(kEnergyPerMillion, ceil_div(gpus * (Count{milliwatts} * Count{2'500'000}), Count{9} * Count{rate}), {gpus.value, milliwatts, rate});
}

Term emissions(Energy energy, std::int64_t intensity) noexcept {
  return make_term(kEmissions, ceil_div(Count{energy.value} * Count{intensity}, kJoulesOfKwh), {energy.value, intensity});
}

Term electricity(Energy energy, std::int64_t price) noexcept {
  return make_term(kElectricity, ceil_div(Count{energy.value} * Count{price}, Count{3600}), {energy.value, price});
}

} // namespace plimsoll::cost
