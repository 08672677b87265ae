#pragma once
// Adds up terms block by block, and the blocks that are alive moment by moment.

#include "method/moments/lifetimes.hpp"
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/formula.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace plimsoll::moments {

/// What each block adds to a moment in which it is alive.
class BlockSums {
public:
  /// Only the resident block has more than one part, besides what other models add.
  void take(Lifetime block, Part part, const Term& term) noexcept;

  /// Everything of a block, whoever's it is.
  Bytes amount_of(Lifetime block) const noexcept { return own_.amount_of(block) + of_other_models_.amount_of(block); }

  /// The sums at `moments`, one after the other, as many as there are.
  void write(std::span<const Moment> moments, Lifetimes lifetimes, MomentUse* uses) const noexcept;

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
    void take(Lifetime block, Part part, const Term& term) noexcept;
    Bytes amount_of(Lifetime block) const noexcept { return Bytes{contains(taken, block) ? (*this)[block].amount : 0}; }
  };

  /// Whether no sum of blocks leaves the 64-bit range, so that what was added can be taken away again.
  bool is_exact() const noexcept;
  void change(MomentUse& use, LifetimeSet gone, LifetimeSet come) const noexcept;
  void set_requests(MomentUse& use, LifetimeSet alive, Lifetimes lifetimes) const noexcept;

  MomentUse resident_;
  Blocks own_, of_other_models_;
};

} // namespace plimsoll::moments
