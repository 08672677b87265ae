// Every offer is tried for every way of doing the work: a few hundred rows, so nothing cleverer is needed and nothing is missed.
#include "plimsoll/method/cost.hpp"

#include "method/sort_stably.hpp"

#include <algorithm>
#include <tuple>

namespace plimsoll::cost {

std::vector<Option> options(std::span<const Offer> offers, std::span<const Way> ways, std::int64_t discount) {
  std::vector<Option> found;
  for (std::size_t i = 0; i < offers.size(); ++i)
    for (std::size_t j = 0; j < ways.size(); ++j) {
      const Offer& offer = offers[i];
      const Way& way = ways[j];
      if (offer.device != way.device || offer.gpus < way.node) continue;
      const Count taken = instances(way.gpus, offer.gpus).count();
      if (offer.alone && taken > Count{1}) continue;
      const Money each_hour{hourly(taken, offer.hourly, discount).amount};
      found.push_back({i, j, taken, each_hour, Money{total(each_hour, way.seconds).amount}, way.seconds});
    }
  sort_stably(found, {}, [](const Option& option) { return std::tuple{option.total, option.seconds, option.offer}; });
  return found;
}

std::optional<Option> fastest_within(std::span<const Option> options, Money budget) noexcept {
  const Option* best = nullptr;
  for (const Option& option : options)
    if (option.total <= budget && (best == nullptr || std::tuple{option.seconds, option.total} < std::tuple{best->seconds, best->total})) best = &option;
  return best == nullptr ? std::nullopt : std::optional{*best};
}

} // namespace plimsoll::cost
