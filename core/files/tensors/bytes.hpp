#pragma once
// Little-endian numbers out of bytes that may end anywhere.

#include <cstdint>
#include <string_view>

namespace plimsoll::io::tensor_files {

/// Once a read goes past the end, all further ones give 0: look at `ended` before anything is believed.
class ByteReader {
public:
  explicit ByteReader(std::string_view bytes) noexcept : bytes_(bytes) {}

  bool ended() const noexcept { return ended_; }
  std::uint64_t at() const noexcept { return at_; }
  std::uint64_t left() const noexcept { return bytes_.size() - at_; }

  std::string_view take(std::uint64_t count) noexcept {
    if (ended_ || count > left()) {
      ended_ = true;
      return {};
    }
    const std::string_view taken = bytes_.substr(static_cast<std::size_t>(at_), static_cast<std::size_t>(count));
    at_ += count;
    return taken;
  }

  std::uint64_t number(unsigned size) noexcept {
    std::uint64_t value = 0;
    unsigned shift = 0;
    for (const char c : take(size)) {
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(c)) << shift;
      shift += 8;
    }
    return value;
  }
  std::uint32_t u32() noexcept { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u64() noexcept { return number(8); }

private:
  std::string_view bytes_;
  std::uint64_t at_ = 0;
  bool ended_ = false;
};

} // namespace plimsoll::io::tensor_files
