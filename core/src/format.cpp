#include "plimsoll/format.hpp"

#include <array>
#include <cstdlib>

namespace plimsoll {

namespace {

struct Prefix {
  std::int64_t bytes;
  const char* name;
};
constexpr std::array<Prefix, 7> kPrefixes{{{std::int64_t{1} << 60, "EiB"},
                                           {std::int64_t{1} << 50, "PiB"},
                                           {std::int64_t{1} << 40, "TiB"},
                                           {std::int64_t{1} << 30, "GiB"},
                                           {std::int64_t{1} << 20, "MiB"},
                                           {std::int64_t{1} << 10, "KiB"},
                                           {1, "B"}}};
constexpr std::int64_t kGib = std::int64_t{1} << 30;

std::string grouped(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

/// n / unit, rounded half up to `decimals` digits (0..3). Divides first, so nothing overflows.
std::string decimal(std::uint64_t n, std::uint64_t unit, int decimals) {
  constexpr std::array<std::uint64_t, 4> kScale{1, 10, 100, 1000};
  const std::uint64_t scale = kScale[static_cast<std::size_t>(decimals)];
  std::uint64_t whole = n / unit;
  std::uint64_t rest = n % unit;
  if (unit > std::uint64_t{1} << 50) rest >>= 10, unit >>= 10; // keeps rest * scale within 64 bits
  std::uint64_t fraction = (rest * scale + unit / 2) / unit;
  if (fraction == scale) ++whole, fraction = 0;
  std::string text = grouped(whole);
  if (decimals == 0) return text;
  std::string digits = std::to_string(fraction);
  return text + "." + std::string(static_cast<std::size_t>(decimals) - digits.size(), '0') + digits;
}

std::uint64_t magnitude(std::int64_t n) noexcept { return n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n); }

} // namespace

std::string format_bytes(Bytes amount) {
  const std::uint64_t n = magnitude(amount.value);
  const char* sign = amount.value < 0 ? "-" : "";
  for (const Prefix& prefix : kPrefixes) {
    const auto unit = static_cast<std::uint64_t>(prefix.bytes);
    if (n < unit && unit > 1) continue;
    const std::uint64_t whole = n / unit;
    const int decimals = unit == 1 || whole >= 100 ? 0 : whole >= 10 ? 1 : 2;
    return sign + decimal(n, unit, decimals) + " " + prefix.name;
  }
  return "0 B";
}

std::string format_change(Bytes amount) { return (amount > Bytes{0} ? "+" : "") + format_bytes(amount); }

std::string format_range(Bytes low, Bytes high) {
  const std::string from = format_bytes(low), to = format_bytes(high);
  if (from == to) return from;
  const std::size_t unit = from.find(' ');
  return (to.ends_with(from.substr(unit)) ? from.substr(0, unit) : from) + " to " + to;
}

std::string format_gib(Bytes amount, int decimals) {
  const std::string text = decimal(magnitude(amount.value), static_cast<std::uint64_t>(kGib), decimals < 0 ? 0 : decimals > 3 ? 3 : decimals);
  const bool is_zero = text.find_first_not_of("0.") == std::string::npos;
  return amount.value < 0 && !is_zero ? "-" + text : text;
}

std::string format_count(Count n) { return (n.value < 0 ? "-" : "") + grouped(magnitude(n.value)); }

std::string format_decimal(std::int64_t scaled, int decimals) {
  std::uint64_t one = 1;
  for (int i = 0; i < decimals && i < 9; ++i) one *= 10;
  const std::uint64_t digits = magnitude(scaled);
  const std::string fraction = std::to_string(one + digits % one).substr(1); // of 1000 + 50, "050"
  return (scaled < 0 ? "-" : "") + grouped(digits / one) + (fraction.empty() ? "" : "." + fraction);
}

std::string format_exact(std::int64_t amount, std::string_view unit) {
  return format_count(Count{amount}) + (unit.empty() ? "" : " ") + std::string{unit};
}

std::string format_time(Nanoseconds time) {
  struct Unit {
    std::uint64_t from, size; ///< nanoseconds
    const char* name;
  };
  constexpr std::uint64_t kSecond = 1'000'000'000, kHour = 3600 * kSecond, kDay = 24 * kHour;
  constexpr std::array<Unit, 6> kUnits{{{2 * kDay, kDay, "d"}, {2 * kHour, kHour, "h"}, {kSecond, kSecond, "s"}, {kSecond / 1000, kSecond / 1000, "ms"}, {1000, 1000, "µs"}, {0, 1, "ns"}}};
  const std::uint64_t n = magnitude(time.value);
  for (const Unit& unit : kUnits) {
    if (n < unit.from) continue;
    const std::uint64_t whole = n / unit.size;
    const int decimals = unit.size == 1 || whole >= 100 ? 0 : whole >= 10 ? 1 : 2;
    return (time.value < 0 ? "-" : "") + decimal(n, unit.size, decimals) + " " + unit.name;
  }
  return "0 ns";
}

std::string format_amount(std::int64_t amount, std::string_view unit) {
  constexpr std::string_view kThousandths = "thousandths";
  if (unit == "bytes") return format_bytes(Bytes{amount});
  if (unit == "ns") return format_time(Nanoseconds{amount});
  if (unit == kThousandths) return format_decimal(amount, 1) + " %"; // 415 are 41.5 %
  if (unit.starts_with(kThousandths)) return format_decimal(amount, 3);
  return format_count(Count{amount});
}

Bytes gibibytes(std::int64_t n) noexcept { return Count{n} * Bytes{kGib}; }

std::string format_rank(const Estimate& estimate, std::int64_t rank) {
  return "rank " + std::to_string(rank) + " of " + std::to_string(estimate.rank_count);
}

namespace {

/// `headroom` is negative where it does not fit; `hedge` follows the distance.
Headline verdict(const Estimate& estimate, bool fits, Bytes headroom, const char* hedge) {
  const bool one = estimate.gpus == Count{1}, ranks_differ = estimate.rank_count > 1;
  const std::string gpus = format_count(estimate.gpus) + " GPUs";
  const std::string where = one ? "" : ranks_differ ? " on the fullest of " + gpus : " on each of " + gpus;
  const MomentUse& peak = estimate.at_peak();
  Headline words;
  words.verdict = fits ? "Fits." : "Does not fit.";
  words.rest = fits ? format_bytes(headroom) + " to spare" + where + hedge : "Over by " + format_bytes(Bytes{0} - headroom) + where + hedge;
  words.detail = ranks_differ ? "Pipeline " + format_rank(estimate, estimate.rank) + " is fullest: "
                 : one        ? "It peaks at "
                              : "Each peaks at ";
  words.detail += format_bytes(peak.total) + " " + std::string{text_of(peak.moment).phrase} + "; ";
  return words;
}

} // namespace

Headline headline(const Estimate& estimate) {
  const MomentUse& peak = estimate.at_peak();
  Headline words = verdict(estimate, estimate.fits, estimate.headroom, ".");
  words.detail += "likely " + format_range(peak.low, peak.high) + ".";
  return words;
}

Headline headline(const Estimate& estimate, const Footprint& footprint) {
  const MemoryRange& process = footprint.process;
  const char* const hedge = footprint.tight ? ": tight." : "."; // what is likely ends on the other side of what the device has
  Headline words = verdict(estimate, footprint.fits, footprint.headroom, hedge);
  words.detail += "the process takes " + format_bytes(process.expected) + ", likely " + format_range(process.low, process.high) + ".";
  return words;
}

} // namespace plimsoll
