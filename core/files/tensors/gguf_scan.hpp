#pragma once
// One walk through a GGUF header, for those who keep what is in it and for those who only want to know where it ends.

#include "files/tensors/bytes.hpp"
#include "files/tensors/gguf.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll::io::tensor_files {

inline constexpr std::uint32_t kMostDimensions = 4;

struct GgufTensorInfo {
  std::string_view name;
  std::uint32_t dimensions = 0;
  std::array<std::uint64_t, kMostDimensions> sizes{}; ///< innermost first, as the file has them
  std::uint32_t type = 0;
  std::uint64_t offset = 0; ///< from the start of the data
};

/// What the walk hands out. The default keeps nothing.
class GgufVisitor {
public:
  virtual ~GgufVisitor() = default;
  virtual void on_value(std::string_view, GgufValue&&) {}
  virtual void on_tensor(const GgufTensorInfo&) {}
  virtual bool keeps_values() const noexcept { return false; } ///< else arrays are skipped faster
};

enum class GgufEnd : unsigned char {
  whole,  ///< read to the end of the header
  ended,  ///< the bytes end before the header does
  broken, ///< `field`, `message` and `remedy` say what is wrong
};

struct GgufScan {
  GgufEnd end = GgufEnd::ended;
  std::uint64_t header_end = 0; ///< where the list of tensors ends
  std::string field, message, remedy;
};

/// `file_size` in bytes: counts and lengths that cannot fit the whole file are told apart from bytes that were cut short.
GgufScan scan_gguf(std::string_view bytes, std::uint64_t file_size, GgufVisitor& visitor);

} // namespace plimsoll::io::tensor_files
