#include "text/significant.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace plimsoll::io {

std::string significant(double number, int digits) {
  char text[48];
  const int length = std::snprintf(text, sizeof text, "%.*g", std::min(digits, 17), number);
  std::string written(text, static_cast<std::size_t>(std::max(length, 0)));
  constexpr std::string_view kPlain = "+-0123456789abcdefghijklmnopqrstuvwxyz";
  const std::size_t point = written.find_first_not_of(kPlain);
  if (point != std::string::npos) written.replace(point, written.find_first_of(kPlain, point) - point, "."); // the program's locale may have another
  return written;
}

} // namespace plimsoll::io
