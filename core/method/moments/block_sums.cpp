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

void BlockSums::take(Lifetime block, Part part, const Term& term) noexcept {
  if (block == Lifetime::resident) {
    add(resident_, part, term.bytes(), Bytes{term.low}, Bytes{term.high});
    return note(resident_.total.value, resident_.low.value, resident_.high.value);
  }
  Blocks& blocks = part == Part::other_models ? of_other_models_ : own_;
  Sum& sum = blocks.of[static_cast<std::size_t>(block)];
  if (!contains(blocks.taken, block)) {
    sum = {term.amount, term.low, term.high, part};
    blocks.taken |= set_of({block});
  } else {
    const auto grow = [](std::int64_t& by, std::int64_t bytes) { by = (Bytes{by} + Bytes{bytes}).value; };
    grow(sum.amount, term.amount);
    grow(sum.low, term.low);
    grow(sum.high, term.high);
    sum.part = part;
  }
  note(sum.amount, sum.low, sum.high);
}

void BlockSums::take_into(void* into, Lifetime block, Part part, const Term& term) { static_cast<BlockSums*>(into)->take(block, part, term); }

void BlockSums::clear() noexcept {
  resident_ = {};
  own_.taken = of_other_models_.taken = 0;
  bits_ = 0;
}

bool BlockSums::is_exact() const noexcept {
  constexpr unsigned kRoom = 56; // bits; 2 × 58 blocks and the resident one stay below 2^63
  return bits_ >> kRoom == 0;
}

template <class Sink> void BlockSums::each_sum(LifetimeSet set, Sink&& sink) const noexcept {
  each_of(set & own_.taken, [&](Lifetime block) { sink(own_[block]); });
  each_of(set & of_other_models_.taken, [&](Lifetime block) { sink(of_other_models_[block]); });
}

MomentUse BlockSums::at(LifetimeSet alive) const noexcept {
  MomentUse use = resident_;
  each_sum(alive, [&](const Sum& sum) { add(use, sum.part, Bytes{sum.amount}, Bytes{sum.low}, Bytes{sum.high}); });
  return use;
}

void BlockSums::change(MomentUse& use, LifetimeSet gone, LifetimeSet come) const noexcept {
  std::int64_t total = use.total.value, low = use.low.value, high = use.high.value;
  each_sum(gone, [&](const Sum& sum) {
    use.parts[static_cast<std::size_t>(sum.part)].value -= sum.amount;
    total -= sum.amount, low -= sum.low, high -= sum.high;
  });
  each_sum(come, [&](const Sum& sum) {
    use.parts[static_cast<std::size_t>(sum.part)].value += sum.amount;
    total += sum.amount, low += sum.low, high += sum.high;
  });
  use.total = Bytes{total}, use.low = Bytes{low}, use.high = Bytes{high};
}

void BlockSums::totals(const Moments& moments, Bytes* totals) const noexcept {
  if (!is_exact()) {
    for (std::size_t i = 0; i < moments.order.size(); ++i) totals[i] = at(moments.alive[i]).total;
    return;
  }
  const LifetimeSet taken = own_.taken | of_other_models_.taken;
  LifetimeSet before = 0;
  std::int64_t total = resident_.total.value;
  for (std::size_t i = 0; i < moments.order.size(); ++i) {
    const LifetimeSet alive = moments.alive[i] & taken;
    each_sum(before & ~alive, [&](const Sum& sum) { total -= sum.amount; });
    each_sum(alive & ~before, [&](const Sum& sum) { total += sum.amount; });
    before = alive;
    totals[i] = Bytes{total};
  }
}

BlockSums::Peak BlockSums::peak(const Moments& moments) const noexcept {
  std::array<Bytes, kMaxMoments> at_moments;
  totals(moments, at_moments.data());
  Peak peak{0, at_moments[0], false};
  for (std::size_t i = 1; i < moments.order.size(); ++i)
    if (peak.total < at_moments[i]) peak.moment = i, peak.total = at_moments[i];
  if (is_exact()) return peak; // no sum leaves the range
  for (std::size_t i = 0; i < moments.order.size(); ++i)
    peak.saturated = peak.saturated || at_moments[i].saturated() || at(moments.alive[i]).high.saturated();
  return peak;
}

BlockSums::Peak BlockSums::write(const Moments& moments, MomentUse* uses) const noexcept {
  Peak peak;
  const bool exact = is_exact();
  const Bytes process = amount_of(Lifetime::process), managed = amount_of(Lifetime::managed), states = amount_of(Lifetime::states);
  const LifetimeSet taken = own_.taken | of_other_models_.taken;
  LifetimeSet former = set_of({Lifetime::former_buckets});
  if (!moments.lifetimes.accumulates) former |= set_of({Lifetime::former_inputs, Lifetime::former_loss});
  LifetimeSet before = 0;
  const MomentUse* last = &resident_;
  for (std::size_t i = 0; i < moments.order.size(); ++i) {
    const LifetimeSet alive = moments.alive[i] & taken;
    MomentUse& use = uses[i];
    if (exact) {
      use = *last;
      change(use, before & ~alive, alive & ~before);
      before = alive, last = &use;
    } else {
      use = at(alive);
      peak.saturated = peak.saturated || use.total.saturated() || use.high.saturated();
    }
    use.moment = moments.order[i];
    const auto there = [&](Lifetime block, Bytes amount) { return contains(alive, block) ? amount : Bytes{0}; };
    const bool stepped = use.moment == Moment::optimizer_step || use.moment == Moment::between_steps;
    use.requested = use.total - there(Lifetime::process, process) - there(Lifetime::managed, managed);
    use.first_step = stepped ? use.requested : use.requested - there(Lifetime::states, states);
    each_of(former & alive, [&](Lifetime block) { use.first_step = use.first_step - amount_of(block); });
    if (i == 0 || peak.total < use.total) peak.moment = i, peak.total = use.total;
  }
  return peak;
}

} // namespace plimsoll::moments
