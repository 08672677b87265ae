#pragma once
// Sixty-four bits that stand for a text of any length: FNV-1a, as tests/web/golden_answers.mjs computes it too.
// Glenn Fowler, Landon Curt Noll and Kiem-Phong Vo, http://www.isthe.com/chongo/tech/comp/fnv/

#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll::test {

inline std::string digest(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  std::string digits(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4) digits[i] = "0123456789abcdef"[hash & 15];
  return digits;
}

} // namespace plimsoll::test
