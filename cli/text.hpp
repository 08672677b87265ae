#pragma once
// Columns of text.

#include <algorithm>
#include <string>
#include <string_view>

namespace plimsoll::cli {

/// Characters, not bytes: labels hold '×' and the like.
inline std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

inline std::string left(std::string text, std::size_t width) {
  const std::size_t used = width_of(text);
  return used < width ? text + std::string(width - used, ' ') : text;
}

inline std::string right(std::string text, std::size_t width) {
  const std::size_t used = width_of(text);
  return used < width ? std::string(width - used, ' ') + text : text;
}

} // namespace plimsoll::cli
