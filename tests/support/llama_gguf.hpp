#pragma once
// Llama 3.1 8B as a GGUF file: every tensor with its real shape.

#include "tensor_files.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace plimsoll::test {

/// A number type of ggml with its block, as tests state it.
struct GgmlBlock {
  std::uint32_t type;
  std::uint64_t elements, bytes, row_bytes = 0;
};
inline constexpr GgmlBlock kF32{0, 1, 4}, kF16{1, 1, 2}, kQ4K{12, 256, 144}, kQ6K{14, 256, 210}, kQ8_0{8, 32, 34};

/// As llama.cpp quantises to Q4_K_M: Q6_K for the head, and for half of the layers' values and maps down; norms stay F32.
/// `layers` of the 32; `rope_freqs`: the 64 factors that converters add; `file_type`: the number of the mixture that the file states;
/// `most`: what stands in place of Q4_K.
/// `more`: what stands in place of Q6_K.
GgufWriter llama_q4_k_m(unsigned layers = 32, bool rope_freqs = false, std::uint32_t file_type = 15, GgmlBlock most = kQ4K, GgmlBlock more = kQ6K);

/// The same in several files, of which the first alone says what the model is, as llama.cpp's gguf-split makes them.
std::vector<GgufWriter> llama_in_parts(unsigned parts, GgmlBlock most, GgmlBlock more);

} // namespace plimsoll::test
