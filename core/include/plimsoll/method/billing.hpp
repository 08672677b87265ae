#pragma once
// What people say about money, power and carbon. Prices of clouds are rows of their own: plimsoll/io/prices.hpp.

#include <cstdint>

namespace plimsoll {

/// Whose GPUs they are, and what running them costs. Zero = not stated.
struct Billing {
  std::int64_t price_per_gpu_hour = 0;    ///< thousandths of a dollar, in place of the clouds' own prices
  std::int64_t discount_permille = 0;     ///< off every price by the hour
  std::int64_t purchase_price = 0;        ///< dollars for one GPU with its share of host and network: the GPUs are owned, not rented
  std::int64_t depreciation_years = 4;    ///< until an owned GPU is worth nothing
  std::int64_t busy_permille = 700;       ///< of those years' hours that owned GPUs work
  std::int64_t electricity_price = 100;   ///< thousandths of a dollar per kWh, for owned GPUs
  std::int64_t pue_permille = 1100;       ///< power usage effectiveness: what the building takes for 1000 that the hardware takes
  std::int64_t idle_power_permille = 100; ///< of a GPU's power limit, when it waits
  std::int64_t power_permille = 850;      ///< of the power between idle and the limit, on average while it works
  std::int64_t api_price_in = 0;          ///< thousandths of a dollar that an API asks for a million tokens of prompts
  std::int64_t api_price_cached = 0;      ///< and for a million of them that its cache has; 0 = the same
  std::int64_t api_price_out = 0;         ///< and for a million tokens of answers
  std::int64_t grid_intensity = 0;        ///< grams of CO2 equivalent per kWh

  bool operator==(const Billing&) const = default;
};

} // namespace plimsoll
