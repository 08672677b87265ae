#include "plimsoll/method/chance.hpp"

#include "method/footprint/uncertainties.hpp"

namespace plimsoll {

namespace {

/// All as multiples of what is expected.
std::int64_t chance_beyond(double low, double high, double usable) noexcept {
  if (usable >= high) return 0;
  if (usable < low) return kCertain;
  const auto part = [&](double beyond, double side) { return beyond * beyond / ((high - low) * side); }; // of the triangle
  const double chance = usable >= 1 ? part(high - usable, high - 1) : 1 - part(usable - low, 1 - low);
  const double exact = chance * static_cast<double>(kCertain);
  const auto whole = static_cast<std::int64_t>(exact);
  return static_cast<double>(whole) < exact ? whole + 1 : whole;
}

} // namespace

std::int64_t chance_above(const MemoryRange& range, Bytes usable) noexcept {
  if (usable >= range.high) return 0;
  if (range.expected <= Bytes{0}) return kCertain;
  const auto of = [&](Bytes amount) { return static_cast<double>(amount.value) / static_cast<double>(range.expected.value); };
  return chance_beyond(of(range.low), of(range.high), of(usable));
}

std::int64_t chance_around(Bytes peak, const Profile& profile, Bytes usable) noexcept {
  const ComparisonsProfile& compared = profile.comparisons;
  const auto thousandths = [](std::int64_t amount) { return static_cast<double>(amount) / 1000; };
  return chance_beyond(1 - thousandths(compared.less.value), 1 + thousandths(compared.more.value + footprint_detail::kMostSlack * 10),
                       static_cast<double>(usable.value) / static_cast<double>(peak.value));
}

} // namespace plimsoll
