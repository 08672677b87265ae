#pragma once
// GPUs that are taken together: how many, or which instance. A fleet fits where the work can be laid out on it in some way that fits.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/catalog/prices.hpp"
#include "plimsoll/method/solve.hpp"
#include "questions/solve/candidates.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll::io {

/// An instance that somebody rents out.
struct Offer {
  std::string id;     ///< of its price
  std::string device;
  std::int64_t gpus = 1;
};

/// On demand, the cheapest an hour first; of equal GPUs the cheapest alone.
std::vector<Offer> offers_by_price(const Prices& prices);

/// 1, 2, 4, ...: fleets that training is tried on.
std::vector<Offer> fleets_by_size(const std::string& device);

/// What a fleet makes of a scenario: the layout with the most room, as a scenario of its own.
struct OnFleet {
  Trial trial;                     ///< of the layout; invalid, with the reason, where none fits
  std::optional<Request> scenario; ///< where it fits
};

/// Serving: every layout that the engine knows, other inputs as they are. Training: the search of plan.hpp, which chooses micro-batches,
/// sharding and recomputation too.
OnFleet on_fleet(const Catalog& catalog, const Prices& prices, const Request& request, const Offer& offer, Judge judge);

} // namespace plimsoll::io
