#include "text/csv.hpp"

namespace plimsoll::io {

std::string quoted_cell(std::string_view text) {
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string{"\"\""} : std::string{c};
  return cell + "\"";
}

} // namespace plimsoll::io
