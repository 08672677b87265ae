#pragma once

#include "plimsoll/io/plan.hpp"

#include <string>
#include <string_view>

namespace plimsoll::io {

/// So many of the inputs' device at the user's own price, or at the lowest that anybody asks for whole instances. `kind` and `cloud` in lower
/// case, "" for on-demand prices and any cloud.
PricedFleet priced_fleet(const Prices& prices, const Inputs& inputs, std::int64_t gpus, std::string_view kind, std::string_view cloud);

} // namespace plimsoll::io
