#pragma once
// Writes small GGUF and safetensors files into memory: headers in full, weights left out or as zeros.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::test {

/// Little-endian bytes.
class ByteWriter {
public:
  ByteWriter& number(std::uint64_t value, unsigned size);
  ByteWriter& u32(std::uint32_t value) { return number(value, 4); }
  ByteWriter& u64(std::uint64_t value) { return number(value, 8); }
  ByteWriter& raw(std::string_view bytes);
  ByteWriter& text(std::string_view text) { return u64(text.size()).raw(text); }
  const std::string& bytes() const noexcept { return bytes_; }

private:
  std::string bytes_;
};

/// A GGUF file of version 3, little-endian. Tensors are placed one after the other, aligned to 32 bytes.
class GgufWriter {
public:
  GgufWriter& text(std::string_view key, std::string_view value);
  GgufWriter& number(std::string_view key, std::uint32_t value);
  GgufWriter& numbers(std::string_view key, const std::vector<std::uint32_t>& values);
  GgufWriter& flag(std::string_view key, bool value);
  GgufWriter& flags(std::string_view key, const std::vector<bool>& values);
  GgufWriter& texts(std::string_view key, const std::vector<std::string>& values);
  /// `type`: the number of a ggml type; `bytes`: what the tensor takes; `shape`: outermost first.
  GgufWriter& tensor(std::string_view name, std::uint32_t type, const std::vector<std::uint64_t>& shape, std::uint64_t bytes);

  std::string header() const;
  std::uint64_t file_size() const; ///< with the data
  std::uint32_t version = 3;

private:
  ByteWriter metadata_, tensors_;
  std::uint64_t entries_ = 0, tensor_count_ = 0, offset_ = 0;
};

/// A safetensors file.
class SafetensorsWriter {
public:
  /// `bytes`: what the tensor takes.
  SafetensorsWriter& tensor(std::string_view name, std::string_view dtype, const std::vector<std::int64_t>& shape,
                            std::int64_t bytes);
  SafetensorsWriter& metadata(std::string_view key, std::string_view value);

  std::string json() const;
  std::string header() const { return with_length(json()); }
  std::uint64_t file_size() const;
  static std::string with_length(std::string_view json);

private:
  std::string entries_;
  std::int64_t offset_ = 0;
};

} // namespace plimsoll::test
