#pragma once
// What was measured of a run, and the number of an answer that it is compared with.

#include "plimsoll/answer/answer.hpp"
#include "text/json.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::io::accuracy {

/// One figure of a row of evidence: {"counter", "value", "unit", …}.
struct Figure {
  std::string counter;      ///< what the source read: "allocated", "kv_tokens", "step_time_s", …
  std::string metric;       ///< as the source words it; the counter where it says nothing
  std::string rank;         ///< "fullest", "last" or a number
  std::string moment;       ///< "peak", "between_steps", "layer_forward", "context", or an id of a moment for components
  std::string part;         ///< of components and of weights and caches: an id of the answer's tree
  bool first_step = false;  ///< before optimizer states exist; else a later step
  bool first_micro_batch = false;
  bool rounded = false;
  std::string minus;        ///< a second query, whose number is taken off; "" for none
};

/// Reads one member of "measured"; with what is not known as `unknown`, a sentence.
Figure read_figure(const Json& json, std::string& unknown);

/// low <= expected <= high, whole numbers of 10^-decimals units.
struct Predicted {
  std::int64_t expected = 0, low = 0, high = 0;
};

/// A counter: what the answer says, and in which unit.
struct CounterRow {
  std::string_view name;
  std::string_view unit;
  std::string_view memory; ///< which memory it counts; "" where it is none
  int decimals;
  std::optional<Predicted> (*of)(const Answer& answer, const Figure& figure);
};

/// The row of that name; null when there is none.
const CounterRow* find_counter(std::string_view name) noexcept;

} // namespace plimsoll::io::accuracy
