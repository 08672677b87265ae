#pragma once
// One reader for each part of a row of measured inference memory. Each writes what it understood into the question and declines the
// rest with the field's own text.

#include "evidence/measured.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::io::accuracy::inference {

/// A row as a question: MeasuredRow's inputs and profile, and what only rows of engines tell.
struct Question : MeasuredRow {
  std::string weights_format; ///< as the row writes it
  bool cache_known = true;    ///< the heads that make the cache are known
  bool whole_model = false;   ///< all dimensions are known, not those of the cache alone
  std::optional<Constant> outside; ///< bytes outside the allocator that the same log prints
  std::optional<Constant> passes;  ///< activation peak that the same log prints
  std::optional<Constant> weights; ///< likewise of the weights
  std::string kernels;             ///< entries of core/catalog/data/efficiency/inference.json in place of the profile's; "" for those
  std::optional<Constant> free;    ///< what the log says is left before the engine takes its share
};

/// Which build of which engine: the profile's id.
void read_engine(const Json& row, Question& into);
/// The catalogue's model of that name where it agrees with the row's dimensions; otherwise a model of those.
void read_model(const Json& row, Question& into);
/// The scheme of "weights_format"; declines mixes of a file's own maker.
void read_weights(const Json& row, Question& into);
/// "f16", "q8_0/f16", "mla:q8_0", "mla:f16+kvT:f16".
void read_cache(const Json& row, Question& into);
/// Context, batch, device and GPUs, and the flags that the notes quote.
void read_setting(const Json& row, Question& into);

/// Engines whose speed is known, whatever is known of their memory.
void read_kernels(const Json& row, Question& into);
/// A row of the component "throughput".
void compare_speed(const Json& row, Question& question, Comparison& comparison);

/// What other rows of the same log say.
struct Log {
  const Json* tokens = nullptr;   ///< of the cache
  const Json* cache = nullptr;    ///< bytes of the cache
  const Json* passes = nullptr;   ///< peak of the profile run
  const Json* outside = nullptr;  ///< outside the allocator
  const Json* weights = nullptr;
};
Log log_of(const Json& rows, std::size_t index);

/// The number in `text` behind the phrase, in units of 10^-decimals; nothing where none follows at once.
std::optional<std::int64_t> number_behind(std::string_view text, std::string_view phrase, int decimals);
/// The number that stands before the phrase: "21.89 GiB available".
std::optional<std::int64_t> number_before(std::string_view text, std::string_view phrase, int decimals);
/// Bytes that the row prints, with half a unit of the last digit to both sides.
Constant printed_bytes(const Json& row);
/// The row's text in lower case.
std::string lower(std::string_view text);
bool has(std::string_view text, std::string_view part);

} // namespace plimsoll::io::accuracy::inference
