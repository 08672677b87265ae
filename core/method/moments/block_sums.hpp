#pragma once
// Adds up terms block by block, and the blocks that are alive moment by moment.

#include "method/moments/lifetimes.hpp"
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/formula.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace plimsoll::moments {

/// What each block adds to a moment in which it is alive.
class BlockSums {
public:
  /// Only the resident block has more than one part, besides what other models add.
  void take(Lifetime block, Part part, const Term& term) noexcept;
  /// The same for visit_each(): `into` are the sums.
  static void take_into(void* into, Lifetime block, Part part, const Term& term);
  /// Forgets all that it took.
  void clear() noexcept;

  /// Everything of a block, whoever's it is.
  Bytes amount_of(Lifetime block) const noexcept { return own_.amount_of(block) + of_other_models_.amount_of(block); }

  /// The totals at all moments, as many as there are.
  void totals(const Moments& moments, Bytes* totals) const noexcept;

  /// The largest of the moments, the first of equal ones.
  struct Peak {
    std::size_t moment = 0; ///< index into the moments
    Bytes total;
    bool saturated = false; ///< of any moment, the total or the high end
  };
  Peak peak(const Moments& moments) const noexcept;

  /// The sums at all moments, as many as there are, and the peak of them.
  Peak write(const Moments& moments, MomentUse* uses) const noexcept;

private:
  struct Sum {
    std::int64_t amount, low, high; ///< bytes
    Part part;
  };
  /// Sums of blocks that nobody has taken are not there: hardly a scenario has more than twenty of the sixty blocks.
  struct Blocks {
    std::array<Sum, kLifetimes> of;
    LifetimeSet taken = 0;

    const Sum& operator[](Lifetime block) const noexcept { return of[static_cast<std::size_t>(block)]; }
    Bytes amount_of(Lifetime block) const noexcept { return Bytes{contains(taken, block) ? (*this)[block].amount : 0}; }
  };

  /// Whether no sum of blocks leaves the 64-bit range: then a moment is the one before with what has come and without what has gone.
  bool is_exact() const noexcept;
  void note(std::int64_t amount, std::int64_t low, std::int64_t high) noexcept { bits_ |= static_cast<std::uint64_t>(amount | low | high); }

  template <class Sink> void each_sum(LifetimeSet set, Sink&& sink) const noexcept;
  /// Sums of what is alive, which stop at the ends of the range.
  MomentUse at(LifetimeSet alive) const noexcept;
  /// Sums that are exact, of the moment that follows.
  void change(MomentUse& use, LifetimeSet gone, LifetimeSet come) const noexcept;

  MomentUse resident_;
  Blocks own_, of_other_models_;
  std::uint64_t bits_ = 0; ///< that any sum has set
};

} // namespace plimsoll::moments
