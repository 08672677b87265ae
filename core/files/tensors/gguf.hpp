#pragma once
// The header of a GGUF file: typed metadata and the list of tensors.

#include "plimsoll/files/tensor_file.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace plimsoll::io::tensor_files {

/// A value of metadata. Texts point into the file's bytes. Arrays of texts, and arrays longer than kMostKept, are not kept: only
/// their length is.
struct GgufArray {
  std::uint64_t length = 0;
  std::vector<std::int64_t> numbers; ///< of whole numbers or booleans; empty when not kept
};
using GgufValue = std::variant<std::int64_t, double, bool, std::string_view, GgufArray>;

struct GgufEntry {
  std::string_view key;
  GgufValue value;
};

inline constexpr std::uint64_t kMostKept = 8192; ///< a number for each layer, of more layers than any model has

class GgufMetadata {
public:
  void add(std::string_view key, GgufValue value);
  const std::vector<GgufEntry>& entries() const noexcept { return entries_; }

  const GgufValue* find(std::string_view key) const noexcept;
  /// Keys of the model's architecture: "llama" and "block_count" find "llama.block_count".
  const GgufValue* find(std::string_view architecture, std::string_view key) const noexcept;
  std::string_view text(std::string_view key) const noexcept; ///< "" when absent or no text
  std::optional<std::int64_t> number(std::string_view key) const noexcept;

private:
  std::vector<GgufEntry> entries_;
};

struct Gguf {
  TensorFile file;
  GgufMetadata metadata; ///< points into the bytes that were read
};

/// Whether these are the first bytes of a GGUF file of any version or byte order.
bool looks_like_gguf(std::string_view bytes) noexcept;

Gguf read_gguf(std::string_view bytes, std::uint64_t file_size);

/// Whether the header ends within `bytes`, or is so broken that more bytes do not help. Stores nothing.
bool gguf_header_is_whole(std::string_view bytes, std::uint64_t file_size);

/// A value as people read it.
std::string text_of(const GgufValue& value);

} // namespace plimsoll::io::tensor_files
