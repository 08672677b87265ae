#pragma once
// What kind of file some bytes begin.

#include "plimsoll/files/tensor_file.hpp"
#include "plimsoll/method/issue.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll::io::tensor_files {

enum class Content : unsigned char { gguf, safetensors, json, other };

Content recognise(std::string_view bytes) noexcept;

/// Whether a JSON text maps tensors to files. A file that says so in some other place is read as an index, and found to be none.
bool is_index(std::string_view json) noexcept;

/// What a file that is none of ours most likely is.
Issue stranger(std::string_view bytes);

/// Bytes that are neither GGUF nor a safetensors header: an index, too few bytes, or a stranger.
TensorFile read_other(std::string_view bytes, std::uint64_t file_size);

} // namespace plimsoll::io::tensor_files
