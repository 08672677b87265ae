#include "questions/plan/fleets.hpp"

#include "plimsoll/answer/costs.hpp"
#include "plimsoll/method/cost.hpp"
#include "text/value.hpp"

namespace plimsoll::io {

PricedFleet priced_fleet(const Prices& prices, const Inputs& inputs, std::int64_t gpus, PriceKind kind, std::string_view cloud) {
  constexpr Count kHour{3600};
  const Billing& billing = inputs.billing;
  PricedFleet fleet{inputs.hardware.id, gpus, Money{0}, nullptr};
  if (billing.price_per_gpu_hour > 0) fleet.hourly = Money{cost::hourly_own_price(Count{gpus}, billing).amount};
  else if (billing.purchase_price > 0) fleet.hourly = Money{cost::hourly_owned(Count{gpus}, billing).amount};
  if (fleet.hourly > Money{0}) return fleet;
  std::vector<const PriceRow*> rows;
  std::vector<cost::Offer> offers;
  for (const PriceRow& row : prices.rows()) {
    if (row.kind != kind) continue;
    if (!cloud.empty() && lower_case(row.cloud) != cloud) continue;
    rows.push_back(&row);
    offers.push_back({row.gpu, row.gpus, row.hourly, row.alone});
  }
  const cost::Way way{fleet.device, Count{gpus}, usual_node(prices, fleet.device, Count{gpus}), kHour};
  const std::vector<cost::Option> options = cost::options(offers, {&way, 1}, billing.discount_permille);
  if (options.empty()) return fleet;
  fleet.hourly = options.front().hourly;
  fleet.row = rows[options.front().offer];
  return fleet;
}

} // namespace plimsoll::io
