#include "method/moments/block_sums.hpp"

#include <bit>

namespace plimsoll::moments {

namespace {

void add(MomentUse& use, Part part, Bytes amount, Bytes low, Bytes high) noexcept {
  use.parts[static_cast<std::size_t>(part)] += amount;
  use.total += amount;
  use.low += low;
  use.high += high;
}

/// Calls sink(Lifetime) for every block of the set.
template <class Sink> void each_of(LifetimeSet set, Sink&& sink) {
  for (; set != 0; set &= set - 1) sink(static_cast<Lifetime>(std::countr_zero(set)));
}

} // namespace

void BlockSums::Blocks::take(Lifetime block, Part part, const Term& term) noexcept {
  Sum& sum = of[static_cast<std::size_t>(block)];
  if (!contains(taken, block)) {
    sum = {term.amount, term.low, term.high, part};
    taken |= set_of({block});
    return;
  }
  const auto grow = [](std::int64_t& by, std::int64_t bytes) { by = (Bytes{by} + Bytes{bytes}).value; };
  grow(sum.amount, term.amount);
  grow(sum.low, term.low);
  grow(sum.high, term.high);
  sum.part = part;
}

void BlockSums::take(Lifetime block, Part part, const Term& term) noexcept {
  if (block == Lifetime::resident) return add(resident_, part, term.bytes(), Bytes{term.low}, Bytes{term.high});
  (part == Part::other_models ? of_other_models_ : own_).take(block, part, term);
}

bool BlockSums::is_exact() const noexcept {
  constexpr unsigned kRoom = 56; // bits; 2 × 58 blocks and the resident one stay below 2^63
  std::uint64_t bits = static_cast<std::uint64_t>(resident_.total.value | resident_.low.value | resident_.high.value);
  for (const Blocks* blocks : {&own_, &of_other_models_})
    each_of(blocks->taken, [&](Lifetime block) {
      const Sum& sum = (*blocks)[block];
      bits |= static_cast<std::uint64_t>(sum.amount | sum.low | sum.high);
    });
  return bits >> kRoom == 0;
}

void BlockSums::change(MomentUse& use, LifetimeSet gone, LifetimeSet come) const noexcept {
  for (const Blocks* blocks : {&own_, &of_other_models_}) {
    each_of(gone & blocks->taken, [&](Lifetime block) {
      const Sum& sum = (*blocks)[block];
      add(use, sum.part, Bytes{-sum.amount}, Bytes{-sum.low}, Bytes{-sum.high});
    });
    each_of(come & blocks->taken, [&](Lifetime block) {
      const Sum& sum = (*blocks)[block];
      add(use, sum.part, Bytes{sum.amount}, Bytes{sum.low}, Bytes{sum.high});
    });
  }
}

void BlockSums::set_requests(MomentUse& use, LifetimeSet alive, Lifetimes lifetimes) const noexcept {
  const auto amount_there = [&](Lifetime block) { return contains(alive, block) ? amount_of(block) : Bytes{0}; };
  const bool stepped = use.moment == Moment::optimizer_step || use.moment == Moment::between_steps;
  use.requested = use.total - amount_there(Lifetime::process) - amount_there(Lifetime::managed);
  use.first_step = stepped ? use.requested : use.requested - amount_there(Lifetime::states);
  LifetimeSet former = set_of({Lifetime::former_buckets});
  if (!lifetimes.accumulates) former |= set_of({Lifetime::former_inputs, Lifetime::former_loss});
  each_of(former & alive, [&](Lifetime block) { use.first_step = use.first_step - amount_of(block); });
}

void BlockSums::write(std::span<const Moment> moments, Lifetimes lifetimes, MomentUse* uses) const noexcept {
  const bool exact = is_exact();
  const LifetimeSet taken = own_.taken | of_other_models_.taken;
  MomentUse use = resident_;
  LifetimeSet before = 0;
  for (Moment moment : moments) {
    const LifetimeSet alive = alive_at(moment, lifetimes) & taken;
    if (!exact) use = resident_, before = 0; // sums that stopped at the end of the range say nothing about what they are made of
    change(use, before & ~alive, alive & ~before);
    before = alive;
    use.moment = moment;
    set_requests(use, alive, lifetimes);
    *uses++ = use;
  }
}

} // namespace plimsoll::moments
