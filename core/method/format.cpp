#include "plimsoll/method/format.hpp"

#include <array>
#include <cstdlib>
#include <span>

namespace plimsoll {

namespace {

struct Prefix {
  std::int64_t units;
  const char* name;
};
constexpr std::array<Prefix, 7> kBinary{{{std::int64_t{1} << 60, "EiB"},
                                         {std::int64_t{1} << 50, "PiB"},
                                         {std::int64_t{1} << 40, "TiB"},
                                         {std::int64_t{1} << 30, "GiB"},
                                         {std::int64_t{1} << 20, "MiB"},
                                         {std::int64_t{1} << 10, "KiB"},
                                         {1, "B"}}};
constexpr std::array<Prefix, 7> kDecimal{{{1'000'000'000'000'000'000, "EB"},
                                          {1'000'000'000'000'000, "PB"},
                                          {1'000'000'000'000, "TB"},
                                          {1'000'000'000, "GB"},
                                          {1'000'000, "MB"},
                                          {1000, "kB"},
                                          {1, "B"}}};
constexpr std::size_t kGiga = 3; ///< in both

std::span<const Prefix> prefixes_of(ByteUnits units) noexcept { return units == ByteUnits::decimal ? kDecimal : kBinary; }
constexpr std::array<Prefix, 5> kEnergies{{{3'600'000'000'000, "GWh"}, {3'600'000'000, "MWh"}, {3'600'000, "kWh"}, {3600, "Wh"}, {1, "J"}}};
constexpr std::array<Prefix, 4> kPowers{{{1'000'000'000, "MW"}, {1'000'000, "kW"}, {1000, "W"}, {1, "mW"}}};
constexpr std::array<Prefix, 4> kLargeNumbers{{{1'000'000'000'000'000'000, "quintillion"}, {1'000'000'000'000'000, "quadrillion"}, {1'000'000'000'000, "trillion"}, {1'000'000'000, "billion"}}};
constexpr std::array<Prefix, 3> kMasses{{{1'000'000, "t"}, {1000, "kg"}, {1, "g"}}};

/// Hours from two of them on, and days likewise: "90.0 s" and "30.0 h" say more than "1.50 min" and "1.25 d".
struct TimeUnit {
  std::uint64_t from, size; ///< nanoseconds
  const char* name;
};
constexpr std::uint64_t kSecond = 1'000'000'000, kHour = 3600 * kSecond, kDay = 24 * kHour;
constexpr std::array<TimeUnit, 6> kTimes{{{2 * kDay, kDay, "d"},
                                          {2 * kHour, kHour, "h"},
                                          {kSecond, kSecond, "s"},
                                          {kSecond / 1000, kSecond / 1000, "ms"},
                                          {1000, 1000, "µs"},
                                          {1, 1, "ns"}}};

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

/// n / unit with three significant figures, none behind the point of what has no smaller unit.
std::string significant(std::uint64_t n, std::uint64_t unit) {
  const std::uint64_t whole = n / unit;
  return decimal(n, unit, unit == 1 || whole >= 100 ? 0 : whole >= 10 ? 1 : 2);
}

/// Three significant figures of the largest prefix that is not above the amount.
std::string prefixed(std::int64_t amount, std::span<const Prefix> prefixes) {
  const std::uint64_t n = magnitude(amount);
  const char* sign = amount < 0 ? "-" : "";
  for (const Prefix& prefix : prefixes) {
    const auto unit = static_cast<std::uint64_t>(prefix.units);
    if (n >= unit || unit == 1) return sign + significant(n, unit) + " " + prefix.name;
  }
  return {};
}

constexpr std::uint64_t kDollar = 1'000'000; // in micro-dollars

/// Of less than a dollar: three significant figures, without zeros at their end; a millionth is the least.
std::string cents(std::uint64_t n) {
  std::uint64_t step = 1;
  while (n >= 1000 * step) step *= 10;
  std::string text = format_decimal(static_cast<std::int64_t>((n + step / 2) / step * step), 6);
  while (text.size() > 4 && text.back() == '0') text.pop_back(); // "0.50" keeps two digits
  return text;
}

/// "58.3 to 63.9 GiB": a unit that both ends share is said once.
std::string joined_range(const std::string& from, const std::string& to) {
  if (from == to) return from;
  const std::size_t unit = from.find(' ');
  return (unit != std::string::npos && to.ends_with(from.substr(unit)) ? from.substr(0, unit) : from) + " to " + to;
}

} // namespace

std::optional<ByteUnits> byte_units_named(std::string_view name) noexcept {
  if (name == "gib") return ByteUnits::binary;
  if (name == "gb") return ByteUnits::decimal;
  return std::nullopt;
}

std::string_view gigabyte_name(ByteUnits units) noexcept { return prefixes_of(units)[kGiga].name; }

std::string format_bytes(Bytes amount) { return prefixed(amount.value, prefixes_of(byte_units())); }

std::string format_change(Bytes amount) { return (amount > Bytes{0} ? "+" : "") + format_bytes(amount); }

std::string format_range(Bytes low, Bytes high) { return joined_range(format_bytes(low), format_bytes(high)); }

std::string format_gigabytes(Bytes amount, int decimals) {
  const std::string text = decimal(magnitude(amount.value), static_cast<std::uint64_t>(gigabytes(1).value), decimals < 0 ? 0 : decimals > 3 ? 3 : decimals);
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

std::string format_pace(std::int64_t time_permille) {
  if (time_permille >= 1005) return "takes " + format_decimal((time_permille + 5) / 10, 2) + " × as long";
  const std::int64_t times = (100'000 + time_permille / 2) / time_permille; // hundredths
  if (times <= 100) return "as fast";
  return (times < 200 ? format_decimal(times, 2) : format_decimal((times + 5) / 10, 1)) + " × as fast";
}

std::string unit_for(std::int64_t amount, std::string_view unit) {
  const bool is_plural = unit.size() > 2 && unit.ends_with('s') && unit.find_first_of(" /") == std::string_view::npos;
  if (amount != 1 || !is_plural) return std::string{unit};
  if (unit == "matrices") return "matrix";
  const bool hisses = unit.ends_with("sses") || unit.ends_with("xes") || unit.ends_with("ches"); // passes, boxes, batches
  return std::string{unit.substr(0, unit.size() - (hisses ? 2 : 1))};
}

std::string format_exact(std::int64_t amount, std::string_view unit) {
  return format_count(Count{amount}) + (unit.empty() ? "" : " ") + unit_for(amount, unit);
}

std::string format_money(Money amount) {
  const std::uint64_t n = magnitude(amount.value);
  const std::string sign = amount.value < 0 ? "-$" : "$";
  if (n == 0) return "$0";
  return sign + (n < kDollar ? cents(n) : decimal(n, kDollar, n < 1000 * kDollar ? 2 : 0));
}

std::string format_energy(Energy amount) { return prefixed(amount.value, kEnergies); }

std::string format_mass(Mass amount) { return prefixed(amount.value, kMasses); }

std::string format_duration(Nanoseconds time) {
  if (time.saturated()) return "more than 292 years"; // 2^63 ns
  const std::uint64_t n = magnitude(time.value);
  for (const TimeUnit& unit : kTimes)
    if (n >= unit.from) return (time.value < 0 ? "-" : "") + significant(n, unit.size) + " " + unit.name;
  return "0 ns";
}

std::string format_token_rate(Count thousandths) {
  return (thousandths.value < 0 ? "-" : "") + significant(magnitude(thousandths.value), 1'000) + " tokens/s";
}

std::string format_amount(std::int64_t amount, std::string_view unit) {
  constexpr std::string_view kThousandths = "thousandths";
  if (unit == "bytes") return format_bytes(Bytes{amount});
  if (unit == "ns") return format_duration(Nanoseconds{amount});
  if (unit == "seconds") return format_duration(Count{amount} * Nanoseconds{kSecond});
  if (unit == "thousandths of tokens/s") return format_token_rate(Count{amount});
  if (unit == "micro-dollars") return format_money(Money{amount});
  if (unit == "thousandths of GPU-hours") return (amount < 0 ? "-" : "") + significant(magnitude(amount), 1'000) + " GPU-hours";
  if (unit == "milliwatts") return prefixed(amount, kPowers);
  if (unit == "joules") return format_energy(Energy{amount});
  if (unit == "grams CO2e") return format_mass(Mass{amount});
  if (unit == kThousandths) return format_decimal(amount, 1) + " %"; // 415 are 41.5 %
  if (unit.starts_with(kThousandths)) return format_decimal(amount, 3);
  return format_count(Count{amount});
}

std::string format_amounts(std::int64_t low, std::int64_t high, std::string_view unit) {
  return joined_range(format_amount(low, unit), format_amount(high, unit));
}

std::string format_quantity(std::int64_t amount, std::string_view unit) {
  std::string rounded = format_amount(amount, unit);
  if (rounded != format_count(Count{amount})) return rounded;
  if (magnitude(amount) < static_cast<std::uint64_t>(kLargeNumbers.back().units)) return format_exact(amount, unit);
  return prefixed(amount, kLargeNumbers) + (unit.empty() ? "" : " ") + std::string{unit};
}

Bytes gigabytes(std::int64_t n) noexcept { return Count{n} * Bytes{prefixes_of(byte_units())[kGiga].units}; }

std::string format_rank(const Estimate& estimate, std::int64_t rank) {
  return "rank " + std::to_string(rank) + " of " + std::to_string(estimate.ranks.size());
}

} // namespace plimsoll
