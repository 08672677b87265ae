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

std::string format_gib(Bytes amount, int decimals) {
  const std::string text = decimal(magnitude(amount.value), static_cast<std::uint64_t>(kGib), decimals < 0 ? 0 : decimals > 3 ? 3 : decimals);
  return amount.value < 0 ? "-" + text : text;
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

Bytes gibibytes(std::int64_t n) noexcept { return Count{n} * Bytes{kGib}; }

Headline headline(const Estimate& estimate) {
  const MomentUse& peak = estimate.at_peak();
  const bool one = estimate.gpus == Count{1};
  const std::string where = one ? "" : " on each of " + format_count(estimate.gpus) + " GPUs";
  Headline words;
  words.verdict = estimate.fits ? "Fits." : "Does not fit.";
  const Bytes distance = estimate.fits ? estimate.headroom : Bytes{0} - estimate.headroom;
  words.rest = estimate.fits ? format_bytes(distance) + " to spare" + where + "."
                             : "Over by " + format_bytes(distance) + where + ".";
  words.detail = (one ? "It peaks at " : "Each peaks at ") + format_bytes(peak.total) + " " +
                 std::string{text_of(peak.moment).phrase} + "; likely " + format_bytes(peak.low) + " to " +
                 format_bytes(peak.high) + ".";
  return words;
}

Headline headline(const Estimate& estimate, const Footprint& footprint) {
  const MomentUse& peak = estimate.at_peak();
  const bool one = estimate.gpus == Count{1};
  const std::string where = one ? "" : " on each of " + format_count(estimate.gpus) + " GPUs";
  const char* const tight = footprint.tight ? ": tight." : "."; // what is likely ends on the other side of what the device has
  Headline words;
  words.verdict = footprint.fits ? "Fits." : "Does not fit.";
  const Bytes distance = footprint.fits ? footprint.headroom : Bytes{0} - footprint.headroom;
  words.rest = footprint.fits ? format_bytes(distance) + " to spare" + where + tight
                              : "Over by " + format_bytes(distance) + where + tight;
  words.detail = (one ? "It peaks at " : "Each peaks at ") + format_bytes(peak.total) + " " +
                 std::string{text_of(peak.moment).phrase} + "; the process takes " + format_bytes(footprint.process.expected) +
                 ", likely " + format_bytes(footprint.process.low) + " to " + format_bytes(footprint.process.high) + ".";
  return words;
}

} // namespace plimsoll
