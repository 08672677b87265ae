#include "method/moments/block_sums.hpp"

#include <algorithm>

namespace plimsoll::moments {

namespace {

using enum Lifetime;

/// Blocks that count for more than their part. They come once.
constexpr LifetimeSet kCountTwice = set_of({host, nvme, managed, process, states, former_buckets, former_inputs, former_loss});

/// The moment from which on the first step has states.
constexpr auto kFirstStepped = static_cast<std::uint8_t>(Moment::optimizer_step);

void grow(std::int64_t& sum, std::int64_t bytes) noexcept { sum = (Bytes{sum} + Bytes{bytes}).value; }

std::size_t index_of(Moment moment) noexcept { return static_cast<std::size_t>(moment); }

} // namespace

BlockSums::BlockSums(const Moments& moments) noexcept : moments_(moments), course_(moments.course()), unusual_(kCountTwice | course_.comes_again) { clear(); }

void BlockSums::clear() noexcept {
  std::fill_n(rows_.data() + index_of(moments_.order().front()), moments_.order().size() + 1, Row{});
  host_ = nvme_ = movable_ = Bytes{0};
  seen_ = 0;
}

void BlockSums::take_more(Lifetime block, Part part, const Term& term) noexcept {
  if (contains(course_.comes_again, block)) take_again(block, part, term);
  else if (term.low != term.amount || term.high != term.amount) take_range(block, term);
  if (contains(kCountTwice, block)) count_twice(block, term.amount);
}

void BlockSums::take_into(void* into, Lifetime block, Part part, const Term& term) { static_cast<BlockSums*>(into)->take(block, part, term); }

void BlockSums::add(Course::Span span, Column column, std::int64_t amount) noexcept {
  if (is_near_limit()) {
    for (std::size_t moment = span.come; moment < span.gone; ++moment) grow(rows_[moment].*column, amount);
    return;
  }
  rows_[span.come].*column += amount;
  rows_[span.gone].*column -= amount;
}

void BlockSums::take_range(Lifetime block, const Term& term) noexcept {
  const Course::Span span = span_of(block);
  add(span, &Row::low, term.low - term.amount);
  add(span, &Row::high, term.high - term.amount);
}

void BlockSums::take_again(Lifetime block, Part part, const Term& term) noexcept {
  course_.each_change(block, [&](std::size_t moment, std::int64_t sign) {
    Row& row = rows_[moment];
    row.parts[static_cast<std::size_t>(part)] += sign * term.amount;
    row.low += sign * (term.low - term.amount);
    row.high += sign * (term.high - term.amount);
  });
}

void BlockSums::count_twice(Lifetime block, std::int64_t amount) noexcept {
  const Course::Span span = span_of(block);
  switch (block) {
    case host: host_ += Bytes{amount}; return;
    case nvme: nvme_ += Bytes{amount}; return;
    case managed: movable_ += Bytes{amount}; return add(span, &Row::outside, amount);
    case process: return add(span, &Row::outside, amount);
    case states: return add({span.come, std::min(span.gone, kFirstStepped)}, &Row::later, amount); // the first step makes them
    case former_buckets: return add(span, &Row::later, amount);
    case former_inputs:
    case former_loss: // with accumulation the first step has them, too: of its first micro-batch
      if (!moments_.lifetimes().accumulates) add(span, &Row::later, amount);
      return;
    default: return;
  }
}

template <class Sink> void BlockSums::each_moment(Sink&& sink) const noexcept {
  Row now{};
  for (const Moment moment : moments_.order()) {
    const Row& row = rows_[index_of(moment)];
    for (std::size_t part = 0; part < kParts; ++part) now.parts[part] += row.parts[part];
    now.low += row.low, now.high += row.high;
    now.outside += row.outside, now.later += row.later;
    sink(moment, now);
  }
}

void BlockSums::go_near_limit() noexcept {
  std::array<Row, kMaxMoments> all;
  std::size_t count = 0;
  each_moment([&](Moment, const Row& row) {
    Row& sum = all[count++] = row;
    for (const std::int64_t part : row.parts) sum.low += part, sum.high += part;
  });
  std::copy_n(all.begin(), count, rows_.begin() + static_cast<std::ptrdiff_t>(index_of(moments_.order().front())));
  seen_ = kFar;
}

void BlockSums::take_near_limit(Lifetime block, Part part, const Term& term) noexcept {
  if (!is_near_limit()) go_near_limit();
  each_of(alive(block), [&](std::size_t moment) {
    Row& row = rows_[moment];
    grow(row.parts[static_cast<std::size_t>(part)], term.amount);
    grow(row.low, term.low);
    grow(row.high, term.high);
  });
  if (contains(kCountTwice, block)) count_twice(block, term.amount);
}

namespace {

/// What all parts come to, which stops at the ends of the range.
template <class Parts> Bytes total_of(const Parts& parts) noexcept {
  Bytes total;
  for (const std::int64_t part : parts) total += Bytes{part};
  return total;
}

} // namespace

void BlockSums::totals(Bytes* totals) const noexcept {
  if (is_near_limit()) {
    for (const Moment moment : moments_.order()) *totals++ = total_of(rows_[index_of(moment)].parts);
    return;
  }
  std::int64_t total = 0;
  for (const Moment moment : moments_.order()) {
    for (const std::int64_t part : rows_[index_of(moment)].parts) total += part;
    *totals++ = Bytes{total};
  }
}

BlockSums::Peak BlockSums::peak() const noexcept {
  std::array<Bytes, kMaxMoments> at_moments;
  totals(at_moments.data());
  Peak peak{0, at_moments[0], false};
  for (std::size_t i = 0; i < moments_.order().size(); ++i) {
    if (peak.total < at_moments[i]) peak.moment = i, peak.total = at_moments[i];
    peak.saturated = peak.saturated || (is_near_limit() && (at_moments[i].saturated() || Bytes{rows_[index_of(moments_.order()[i])].high}.saturated()));
  }
  return peak;
}

BlockSums::Peak BlockSums::write_near_limit(InplaceVector<MomentUse, kMaxMoments>& uses) const noexcept {
  Peak peak;
  for (const Moment moment : moments_.order()) {
    const Row& row = rows_[index_of(moment)];
    const Bytes total = total_of(row.parts), high{row.high};
    if (uses.size() == 0 || peak.total < total) peak.moment = uses.size(), peak.total = total;
    peak.saturated = peak.saturated || total.saturated() || high.saturated();
    MomentUse& use = uses.push_back(kNothingUsed);
    use.moment = moment;
    for (std::size_t part = 0; part < kParts; ++part) use.parts[part] = Bytes{row.parts[part]};
    use.total = total;
    use.low = Bytes{row.low};
    use.high = high;
    use.requested = use.total - Bytes{row.outside};
    use.first_step = use.requested - Bytes{row.later};
  }
  return peak;
}

BlockSums::Peak BlockSums::write(InplaceVector<MomentUse, kMaxMoments>& uses) const noexcept {
  uses.clear();
  if (is_near_limit()) return write_near_limit(uses);
  each_moment([&](Moment moment, const Row& row) {
    MomentUse& use = uses.push_back(kNothingUsed);
    std::int64_t total = 0;
    use.moment = moment;
    for (std::size_t part = 0; part < kParts; ++part) {
      use.parts[part] = Bytes{row.parts[part]};
      total += row.parts[part];
    }
    use.total = Bytes{total};
    use.low = Bytes{total + row.low};
    use.high = Bytes{total + row.high};
    use.requested = Bytes{total - row.outside};
    use.first_step = Bytes{total - row.outside - row.later};
  });
  Peak peak{0, uses[0].total};
  for (std::size_t i = 1; i < uses.size(); ++i)
    if (peak.total < uses[i].total) peak.moment = i, peak.total = uses[i].total;
  return peak;
}

} // namespace plimsoll::moments
