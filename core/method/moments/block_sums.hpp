#pragma once
// Adds up terms moment by moment: a block counts from the moment that it comes with to the one that it is gone with.

#include "method/moments/lifetimes.hpp"
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/formula.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace plimsoll::moments {

/// What the terms of a scenario add up to at each of its moments.
class BlockSums {
public:
  /// `moments` must outlive it.
  explicit BlockSums(const Moments& moments) noexcept;

  void take(Lifetime block, Part part, const Term& term) noexcept;
  /// The same for visit_each(): `into` are the sums.
  static void take_into(void* into, Lifetime block, Part part, const Term& term);
  /// Forgets all that it took.
  void clear() noexcept;

  Bytes on_host() const noexcept { return host_; }
  Bytes on_drives() const noexcept { return nvme_; }
  /// Of what is on the device, what the driver moves to the host where that is full.
  Bytes movable() const noexcept { return movable_; }

  /// The largest of the moments, the first of equal ones.
  struct Peak {
    std::size_t moment = 0; ///< index into the moments
    Bytes total;
    bool saturated = false; ///< of any moment, the total or the high end
  };
  Peak peak() const noexcept;

  /// The sums at all moments, in the place of what was there, and the peak of them.
  Peak write(InplaceVector<MomentUse, kMaxMoments>& uses) const noexcept;

private:
  /// What comes with a moment less what is gone with it, in bytes. Near the ends of the 64-bit range, where sums stop and what is gone
  /// cannot be taken off again: all that is there.
  struct alignas(64) Row { // found by a shift
    std::array<std::int64_t, kParts> parts;
    std::int64_t low;     ///< of what is uncertain, the low end less the amount; near the ends of the range: of everything, whole
    std::int64_t outside; ///< of all: what is not the framework's allocator's
    std::int64_t high;    ///< as low: apart from it, or a compiler reads both from a term at once, where one was only just stored after the other
    std::int64_t later;   ///< of the rest: what is not there yet in the first step
  };
  using Column = std::int64_t Row::*;

  bool is_near_limit() const noexcept { return seen_ >= kFar; }
  void go_near_limit() noexcept;
  void take_near_limit(Lifetime block, Part part, const Term& term) noexcept;
  void totals(Bytes* totals) const noexcept; ///< at all moments, as many as there are
  Peak write_near_limit(InplaceVector<MomentUse, kMaxMoments>& uses) const noexcept;
  /// What most terms are spared: apart, so that these save no registers for it.
  [[gnu::noinline]] void take_more(Lifetime block, Part part, const Term& term) noexcept;
  void take_again(Lifetime block, Part part, const Term& term) noexcept;
  void take_range(Lifetime block, const Term& term) noexcept;
  void count_twice(Lifetime block, std::int64_t amount) noexcept;
  void add(Course::Span span, Column column, std::int64_t amount) noexcept;
  Course::Span span_of(Lifetime block) const noexcept { return course_.spans[static_cast<std::size_t>(block)]; }
  MomentSet alive(Lifetime block) const noexcept { return course_.alive[static_cast<std::size_t>(block)]; }
  /// sink(Moment, const Row&): all that is there, moment after moment, far from the limit.
  template <class Sink> void each_moment(Sink&& sink) const noexcept;

  static constexpr std::uint64_t kFar = std::uint64_t{1} << 60; ///< bytes of all terms together, below which no sum leaves the range

  const Moments& moments_;
  const Course& course_;
  LifetimeSet unusual_;
  std::uint64_t seen_;                 ///< no less than all terms together
  std::array<Row, kMoments + 1> rows_; ///< of the scenario's moments, as Moment numbers them, and of what is gone after the last
  Bytes host_, nvme_, movable_;
};

inline void BlockSums::take(Lifetime block, Part part, const Term& term) noexcept {
  const std::int64_t amount = term.amount;
  const std::uint64_t bits = static_cast<std::uint64_t>(amount | term.low | term.high), seen = seen_ + bits;
  if ((bits | seen) >= kFar) [[unlikely]] return take_near_limit(block, part, term);
  seen_ = seen;
  const Course::Span span = span_of(block);
  rows_[span.come].parts[static_cast<std::size_t>(part)] += amount;
  rows_[span.gone].parts[static_cast<std::size_t>(part)] -= amount;
  if (contains(unusual_, block) || amount != term.low || amount != term.high) take_more(block, part, term);
}

} // namespace plimsoll::moments
