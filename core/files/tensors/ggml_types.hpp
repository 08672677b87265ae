#pragma once
// The number types of GGUF files.

#include "plimsoll/method/quantity.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll::io::tensor_files {

enum class GgmlStatus : unsigned char {
  current,
  removed,  ///< never read again by llama.cpp
  repacked, ///< an order of bytes for one processor; files with it are no longer read
  forked,   ///< of ik_llama.cpp alone: llama.cpp does not read it
};

/// Rows are stored in blocks: a row of n numbers takes n / block_elements * block_bytes + row_bytes, and n must be divisible.
struct GgmlType {
  std::uint32_t id;
  std::string_view name;
  std::int32_t block_elements;
  std::int32_t block_bytes;
  GgmlStatus status = GgmlStatus::current;
  std::int32_t row_bytes = 0; ///< a scale for the whole row
  std::string_view base{};    ///< the type whose bytes this one orders otherwise, rows in groups; "" = it has bytes of its own
};

/// Null when there is no such type.
const GgmlType* find_ggml_type(std::uint32_t id) noexcept;
/// Among types that are read, ik_llama.cpp's with them; null when there is none.
const GgmlType* find_ggml_type(std::string_view name) noexcept;

/// The id of its bytes among the catalogue's formats: "ggml_q4_k", "ik_iq4_ks".
std::string format_of(const GgmlType& type);

/// The mixture that general.file_type stands for, e.g. 15: "Q4_K_M"; "" when there is none of that number.
std::string_view ggml_file_type(std::int64_t id) noexcept;

} // namespace plimsoll::io::tensor_files
