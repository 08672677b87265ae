#include "plimsoll/text/dollars.hpp"

#include "text/plain_values.hpp"

namespace plimsoll::io {

std::optional<Money> dollars_of(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('$')) text.remove_prefix(1);
  const std::optional<std::int64_t> amount = decimal_of(text, 6);
  return amount ? std::optional{Money{*amount}} : std::nullopt;
}

} // namespace plimsoll::io
