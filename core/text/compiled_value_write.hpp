#pragma once
// Writes what read_compiled() reads, for what runs while the program is built.

#include "text/json_value.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace plimsoll::io {

namespace compiled_detail {

inline void write_until(std::string_view text, char end, std::string& out) {
  if (text.find(end) != text.npos) throw std::runtime_error("a text that is compiled in has the sign that ends it: " + std::string{text});
  out.append(text).append(1, end);
}

/// As digits and places where both are exact in a double, so that one division gives the number; else as it is in memory.
inline void write_real(double number, std::string& out) {
  char shortest[32] = {}; // "8.38e+01"
  std::to_chars(shortest, std::end(shortest), number, std::chars_format::scientific);
  const std::string_view text{shortest};
  const std::size_t e = std::min(text.find('e'), text.size());
  std::string digits{text.substr(0, e)};
  std::erase(digits, '.');
  const long places = static_cast<long>(digits.size()) - 1 - (e == text.size() ? 0 : std::strtol(shortest + e + 1, nullptr, 10));
  constexpr std::size_t kExactDigits = 15;
  constexpr long kExactPlaces = 22;
  const bool is_exact = number > 0 && std::isfinite(number) && digits.size() <= kExactDigits && places >= 0 && places <= kExactPlaces;
  if (is_exact) {
    out.append(1, '%').append(digits).append(1, ';').append(std::to_string(places)).append(1, ';');
    return;
  }
  const auto bits = std::bit_cast<std::uint64_t>(number);
  out += '!';
  for (unsigned shift = 0; shift < 64; shift += 8) out += static_cast<char>(bits >> shift);
}

} // namespace compiled_detail

/// Throws std::runtime_error for a text with an end of a line in it, or a key with '='.
inline void write_compiled(const Json& value, std::string& out) {
  switch (value.kind()) {
    case Json::Kind::null: out += 'n'; return;
    case Json::Kind::boolean: out += value.get<bool>() ? 't' : 'f'; return;
    case Json::Kind::integer: out += std::to_string(value.get<std::int64_t>()) + ';'; return;
    case Json::Kind::unsigned_integer: out += std::to_string(value.get<std::uint64_t>()) + ';'; return;
    case Json::Kind::real: return compiled_detail::write_real(value.get<double>(), out);
    case Json::Kind::text:
      out += '"';
      return compiled_detail::write_until(value.text(), '\n', out);
    case Json::Kind::array:
      out += '[';
      for (const Json& element : value) write_compiled(element, out);
      out += ']';
      return;
    case Json::Kind::object:
      out += '{';
      for (const JsonMember& member : value.items()) {
        compiled_detail::write_until(member.key, '=', out);
        write_compiled(member.value, out);
      }
      out += '}';
      return;
  }
}

} // namespace plimsoll::io
