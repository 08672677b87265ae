#pragma once

#include "plimsoll/questions/plan.hpp"

#include <string>
#include <string_view>

namespace plimsoll::io {

/// So many of the inputs' device at the user's own price, or at the lowest of that kind that anybody asks for whole instances. `cloud` in lower
/// case, "" for any.
PricedFleet priced_fleet(const Prices& prices, const Inputs& inputs, std::int64_t gpus, PriceKind kind, std::string_view cloud);

} // namespace plimsoll::io
