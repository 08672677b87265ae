#include "text/json_text.hpp"

#include <cstddef>

namespace plimsoll::io {

namespace {

/// Of a character of UTF-8, by its first byte: how many bytes, and between what the second lies. No bytes where none begins so.
struct Lead {
  std::size_t length;
  unsigned char low = 0x80, high = 0xbf;
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {1};
  if (byte >= 0xc2 && byte <= 0xdf) return {2};
  if (byte == 0xe0) return {3, 0xa0};
  if (byte == 0xed) return {3, 0x80, 0x9f};
  if (byte >= 0xe1 && byte <= 0xef) return {3};
  if (byte == 0xf0) return {4, 0x90};
  if (byte == 0xf4) return {4, 0x80, 0x8f};
  if (byte >= 0xf1 && byte <= 0xf3) return {4};
  return {0};
}

/// As many bytes as may begin a character.
std::size_t bytes_that_fit(std::string_view text, const Lead& lead) {
  std::size_t fit = 1;
  for (; fit < lead.length && fit < text.size(); ++fit) {
    const auto byte = static_cast<unsigned char>(text[fit]);
    if (byte < (fit == 1 ? lead.low : 0x80) || byte > (fit == 1 ? lead.high : 0xbf)) break;
  }
  return fit;
}

void write_character(std::string_view character, std::string& out) {
  const char c = character.front();
  constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt";
  if (const std::size_t at = kEscaped.find(c); at != kEscaped.npos) {
    out.append(1, '\\').append(1, kLetters[at]);
  } else if (static_cast<unsigned char>(c) < 0x20) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    out.append("\\u00").append(1, c < 0x10 ? '0' : '1').append(1, kDigits[static_cast<std::size_t>(c & 0xf)]);
  } else {
    out += character;
  }
}

} // namespace

void write_json_text(std::string_view text, std::string& out) {
  out += '"';
  while (!text.empty()) {
    const Lead lead = lead_of(static_cast<unsigned char>(text.front()));
    const std::size_t fit = bytes_that_fit(text, lead);
    if (fit == lead.length) write_character(text.substr(0, fit), out);
    else out += "\xef\xbf\xbd";
    text.remove_prefix(fit);
  }
  out += '"';
}

} // namespace plimsoll::io
