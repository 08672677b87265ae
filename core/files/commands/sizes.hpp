#pragma once
// Sizes of memory as engines' options state them, and back.

#include "files/commands/engine.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::io::commands {

/// Bytes that an option's text states, of the readings `bytes`, `gibibytes` and `rank_gigabytes`; nothing for what is no such amount.
std::optional<std::int64_t> stated_bytes(const Option& option, std::string_view text);

/// A size in the unit of those readings, of one GPU where `gpus` share it: `exact` is whether reading it gives the same bytes.
struct SizeText {
  std::string text;
  bool exact = true;
};
SizeText size_text(const Option& option, std::int64_t bytes, std::int64_t gpus);

} // namespace plimsoll::io::commands
