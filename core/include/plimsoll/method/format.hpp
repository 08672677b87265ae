#pragma once
// The only place that knows GiB, and GB. Integer arithmetic only, so that every platform prints the same characters.

#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/footprint.hpp"
#include "plimsoll/method/quantity.hpp"
#include "plimsoll/method/verdict.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll {

/// How memory is written: in GiB of 1024³ bytes, as drivers and PyTorch count, or in GB of 10⁹, as data sheets do.
enum class ByteUnits : unsigned char { binary, decimal };
/// For all that is written from here on, by every thread: a reader chooses it once. Binary before. No number changes, and no link.
void set_byte_units(ByteUnits units) noexcept;
ByteUnits byte_units() noexcept;
/// "gib" or "gb"; nothing for other names.
std::optional<ByteUnits> byte_units_named(std::string_view name) noexcept;
/// "GiB" or "GB".
std::string_view gigabyte_name(ByteUnits units = byte_units()) noexcept;

/// "14.9 GiB", "512 MiB", "3.42 GiB", "0 B": three significant figures, prefixes of byte_units(), sign kept.
std::string format_bytes(Bytes amount);

/// "+1.31 GiB", "-528 MiB", "0 B": a difference, its sign always shown.
std::string format_change(Bytes amount);

/// "58.3 to 63.9 GiB", "980 MiB to 1.12 GiB"; one amount where both ends read the same.
std::string format_range(Bytes low, Bytes high);

/// The number alone in GiB, or GB, with `decimals` (0..3) digits: for axes and aligned columns. What rounds to zero has no sign.
std::string format_gigabytes(Bytes amount, int decimals = 1);

/// "8,030,261,248".
std::string format_count(Count n);

/// "1,234.50" of 123450 with 2 decimals (0 to 9): a number that is kept as a whole one of 10^-decimals units.
std::string format_decimal(std::int64_t scaled, int decimals);

/// How a time compares, in thousandths of another (> 0): "2.9 × as fast", "1.10 × as fast", "as fast", "takes 1.25 × as long".
std::string format_pace(std::int64_t time_permille);

/// The unit beside that amount: "GPU" of "GPUs" beside 1. Units of several words and rates stay as they are.
std::string unit_for(std::int64_t amount, std::string_view unit);

/// "16,060,522,496 bytes", "8,030,261,248 parameters", or "1 GPU": a component's exact amount in its own unit.
std::string format_exact(std::int64_t amount, std::string_view unit);

/// "$760,320", "$21.96", "$0.00412", "$0": whole dollars from $1,000 on, cents from $1 on, three significant figures below.
std::string format_money(Money amount);

/// "433 MWh", "1.25 kWh", "512 Wh", "0 J": three significant figures, rounded half up.
std::string format_energy(Energy amount);

/// "31.2 t", "24.7 kg", "0 g".
std::string format_mass(Mass amount);

/// "7.78 ms", "1.28 s", "412 ns", "2.41 h", "21.6 d": three significant figures; hours and days from two on. What
/// left the range of 64 bits is "more than 292 years".
std::string format_duration(Nanoseconds time);

/// "129 tokens/s", "4.09 tokens/s" of thousandths of a token per second.
std::string format_token_rate(Count thousandths);

/// An amount in the unit of its formula as people read it: "14.9 GiB", "$21.96", "433 MWh", "7.78 ms", "2.41 h" of 8676 seconds,
/// "41.5 %" of 415 thousandths; a grouped number for all other units.
std::string format_amount(std::int64_t amount, std::string_view unit);
/// Its range, likewise.
std::string format_amounts(std::int64_t low, std::int64_t high, std::string_view unit);

/// The same, always with a unit: where nothing rounds it, "8,192 tokens"; from a billion on "433 billion FLOP", three significant figures.
std::string format_quantity(std::int64_t amount, std::string_view unit);

/// "rank 3 of 8": a pipeline rank among all; the first is 0.
std::string format_rank(const Estimate& estimate, std::int64_t rank);

/// So many GiB, or GB: for drawing scales.
Bytes gigabytes(std::int64_t n) noexcept;

/// The answer in words.
struct Headline {
  std::string verdict; ///< "Fits.", "Probably fits.", "Probably does not fit.", "Does not fit."; of engines "Holds 4 of 7.", "Does not start."
  std::string rest;    ///< "3.4 GiB to spare." or "Over by 6.1 GiB on each of 8 GPUs."; with pipeline ranks "on the fullest of 8 GPUs."
  std::string detail;  ///< "It peaks at 59.5 GiB in the backward of the loss; the process takes 61.2 GiB, likely 58.3 to 63.9 GiB."
                       ///< With pipeline ranks it begins "Pipeline rank 3 of 8 is fullest: 59.5 GiB in".
};
/// Whether it fits is judged by what is alive at the fullest moment.
Headline headline(const Estimate& estimate);
/// The same, judged by the whole process.
Headline headline(const Estimate& estimate, const Footprint& footprint);
/// What judge() said of the scenario: `whole` as there.
Headline headline(const Scenario& scenario, const Judgement& judgement, const Estimate& estimate, const Footprint* whole = nullptr);

} // namespace plimsoll
