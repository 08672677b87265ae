#pragma once
// Ids with numbers in them: "gptq_{bits}bit_g{group}" and the numbers that may stand there.

#include "plimsoll/method/quantity.hpp"
#include "text/json.hpp"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// Our own data are wrong: a test loads all of them.
[[noreturn]] inline void fail_weights(const std::string& what) { throw std::runtime_error("weights: " + what); }

struct Parameter {
  std::string name;
  std::vector<std::string> listed; ///< as ids write them
  bool hundredths = false;         ///< "4.25" stands for 425
  std::int64_t from = 0, to = -1;  ///< others than the listed are read within this range; none when empty

  /// The number that the text states, if it is one of those that may stand here.
  std::optional<std::int64_t> read(std::string_view text) const;
};

struct Argument {
  std::string name;
  std::string text;
  std::int64_t value = 0;
};
using Arguments = std::vector<Argument>;

/// Throws std::runtime_error on malformed data.
std::vector<Parameter> parameters_of(const Json& row);

/// `pattern` with each {name} replaced by its argument's text.
std::string filled(std::string_view pattern, const Arguments& arguments);

/// The arguments with which the pattern is `id`, if there are such.
std::optional<Arguments> matched(std::string_view pattern, const std::vector<Parameter>& parameters, std::string_view id);

/// Every combination of the listed numbers, the first parameter slowest.
std::vector<Arguments> listed(const std::vector<Parameter>& parameters);

/// A number in the data: itself, or a product such as "4*bits", "32/bits" (rounded down) or "codebooks*16*2^bits", read from left to
/// right. Throws std::runtime_error on anything else.
std::int64_t number_of(const Json& value, const Arguments& arguments);

} // namespace plimsoll::io
