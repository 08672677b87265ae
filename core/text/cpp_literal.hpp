#pragma once
// Bytes as source of C++, for programs that write some while the program is built.

#include <cstdio>
#include <string>
#include <string_view>

namespace plimsoll::io {

/// A string literal: octal escapes where a character does not stand for itself, a line of source for a few hundred.
inline std::string cpp_literal(std::string_view bytes) {
  std::string text = "\"";
  std::size_t line = 0;
  for (const char byte : bytes) {
    const auto code = static_cast<unsigned char>(byte);
    char escaped[8];
    if (code < 32 || code > 126 || byte == '"' || byte == '\\' || byte == '?') std::snprintf(escaped, sizeof escaped, "\\%03o", code);
    else std::snprintf(escaped, sizeof escaped, "%c", byte);
    text += escaped;
    if (text.size() - line > 400) {
      text += "\"\n    \"";
      line = text.size();
    }
  }
  return text + '"';
}

} // namespace plimsoll::io
