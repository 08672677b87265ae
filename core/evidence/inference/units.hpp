#pragma once
// Logs print GiB, and makers of computers name gigabytes of the same size.

#include <cstdint>

namespace plimsoll::io::accuracy::inference {

inline constexpr std::int64_t kBinaryGiga = std::int64_t{1} << 30;
inline constexpr std::int64_t kBinaryMega = std::int64_t{1} << 20; // of flags of llama.cpp

} // namespace plimsoll::io::accuracy::inference
