#pragma once
// What one layer of each group keeps for its backward pass and makes in it, added up: its terms are asked for by the group's layers, by
// the one that goes backward last, and by the choice of the group that needs the most.

#include "plimsoll/method/quantity.hpp"
#include "plimsoll/method/scenario.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace plimsoll {

class LayerSums {
public:
  struct Sum {
    std::int64_t amount, low, high; ///< bytes that one layer keeps
    std::int64_t temporaries;       ///< bytes that its backward makes
  };

  /// `scenario` must outlive it, and train.
  explicit LayerSums(const Scenario& scenario) noexcept;

  /// Of a group of that scenario; null where layers together keep something else than one layer as often, or groups are many.
  const Sum* of(const Scenario& scenario, const LayerGroup& group) const noexcept;

private:
  const Scenario* scenario_; ///< null where there are no sums
  std::array<Sum, 8> sums_;
};

} // namespace plimsoll
