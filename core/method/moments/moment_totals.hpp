#pragma once
// What terms add up to at each moment, and nothing else of them: for who asks a million times.

#include "method/moments/lifetimes.hpp"
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/formula.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace plimsoll::moments {

class MomentTotals {
public:
  /// `moments` must outlive it.
  explicit MomentTotals(const Moments& moments) noexcept : moments_(moments), changes_{} {}

  void take(Lifetime block, const Term& term) noexcept {
    if (contains(moments_.course().comes_again, block)) return take_again(block, term.amount);
    const Course::Span span = moments_.course().spans[static_cast<std::size_t>(block)];
    changes_[span.come] += term.amount;
    changes_[span.gone] -= term.amount;
  }

  /// As many as there are moments: those of BlockSums. They stop at the ends of the 64-bit range.
  void write(Bytes* totals) const noexcept;

private:
  __extension__ using Wide = __int128; // which no number of terms leaves

  void take_again(Lifetime block, Wide amount) noexcept;

  const Moments& moments_;
  std::array<Wide, kMoments + 1> changes_; ///< what comes with a moment less what is gone with it
};

} // namespace plimsoll::moments
