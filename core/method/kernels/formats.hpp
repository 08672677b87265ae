#pragma once
// Number formats of measured kernels.

#include "plimsoll/method/hardware.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace plimsoll::kernels {

struct Format {
  std::string_view id;
  double token_bytes, weight_bytes; ///< of one number, its part of scales among them
  Arithmetic arithmetic;
};

/// Blocks of 16 numbers share a scale of 8 bits in nvfp4, of 32 in mxfp4.
inline constexpr std::array<Format, 7> kFormats{{
    {"bfloat16", 2, 2, Arithmetic::bf16},
    {"fp8", 1, 1, Arithmetic::fp8},
    {"fp8_block", 1, 1, Arithmetic::fp8},
    {"nvfp4", 0.5625, 0.5625, Arithmetic::fp4},
    {"w4a8_mxfp4_mxfp8", 1.03125, 0.53125, Arithmetic::fp8},
    {"w4a16_mxfp4", 2, 0.53125, Arithmetic::bf16},
    {"int4_wo", 2, 0.515625, Arithmetic::bf16},
}};

/// The format of that name; null where there is none.
constexpr const Format* find_format(std::string_view id) noexcept {
  for (const Format& format : kFormats)
    if (format.id == id) return &format;
  return nullptr;
}

} // namespace plimsoll::kernels
