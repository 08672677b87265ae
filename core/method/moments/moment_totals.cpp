#include "method/moments/moment_totals.hpp"

#include <algorithm>

namespace plimsoll::moments {

void MomentTotals::take_again(Lifetime block, Wide amount) noexcept {
  const unsigned there = moments_.course().alive[static_cast<std::size_t>(block)], before = there << 1;
  for (std::size_t moment = 0; moment < changes_.size(); ++moment) {
    const unsigned bit = 1u << moment;
    if ((there & ~before & bit) != 0) changes_[moment] += amount;
    if ((before & ~there & bit) != 0) changes_[moment] -= amount;
  }
}

void MomentTotals::write(Bytes* totals) const noexcept {
  Wide total = 0;
  for (const Moment moment : moments_.order()) {
    total += changes_[static_cast<std::size_t>(moment)];
    *totals++ = Bytes{static_cast<std::int64_t>(std::clamp<Wide>(total, -Bytes::kMax, Bytes::kMax))};
  }
}

} // namespace plimsoll::moments
