#include "method/moments/moment_totals.hpp"

#include <algorithm>

namespace plimsoll::moments {

void MomentTotals::take_again(Lifetime block, Wide amount) noexcept {
  moments_.course().each_change(block, [&](std::size_t moment, std::int64_t sign) { changes_[moment] += sign * amount; });
}

void MomentTotals::write(Bytes* totals) const noexcept {
  Wide total = 0;
  for (const Moment moment : moments_.order()) {
    total += changes_[static_cast<std::size_t>(moment)];
    *totals++ = Bytes{static_cast<std::int64_t>(std::clamp<Wide>(total, -Bytes::kMax, Bytes::kMax))};
  }
}

} // namespace plimsoll::moments
