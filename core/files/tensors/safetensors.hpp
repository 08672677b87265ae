#pragma once
// The header of a safetensors file, and the index of a model in several of them.

#include "plimsoll/files/tensor_file.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace plimsoll::io::tensor_files {

/// Bits of one number of a dtype of the format; 0 when there is no such dtype.
int bits_of(std::string_view dtype) noexcept;

/// Whether these are the first bytes of a safetensors file; with fewer than nine of them, whether they may be.
bool looks_like_safetensors(std::string_view bytes) noexcept;
/// Of the JSON that follows the first eight bytes; empty with fewer bytes.
std::optional<std::uint64_t> safetensors_header_length(std::string_view bytes) noexcept;

TensorFile read_safetensors(std::string_view bytes, std::uint64_t file_size);

/// `text` is the whole index.json.
TensorFile read_safetensors_index(std::string_view text);

} // namespace plimsoll::io::tensor_files
