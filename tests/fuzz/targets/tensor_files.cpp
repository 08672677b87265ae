// Links nothing of the estimator, and is several times as fast for it.
#include "targets.hpp"
#include "tensor_file_invariants.hpp"

namespace plimsoll::fuzz::targets {

// Printing takes ten times as long as all the rest: one input in sixty is printed too. Every other file is longer than its header.

std::string gguf(std::string_view bytes) {
  const std::string file = "GGUF" + std::string{bytes};
  return broken_by_tensor_file(file, file.size() % 2 ? 2 * file.size() : file.size(), file.size() % 61 == 0);
}

/// The JSON of a header, to which its length is put, or of an index, which has none. Every eighth input has a length of its own.
std::string safetensors(std::string_view bytes) {
  std::string file;
  if (bytes.find("weight_map") == bytes.npos && bytes.size() % 8 != 0)
    for (unsigned i = 0; i < 8; ++i) file += static_cast<char>(bytes.size() >> (8 * i) & 0xFF);
  file += bytes;
  return broken_by_tensor_file(file, bytes.size() % 2 ? file.size() + 64 : file.size(), bytes.size() % 61 == 0);
}

} // namespace plimsoll::fuzz::targets
