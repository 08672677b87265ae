// PNG (ISO/IEC 15948) around a zlib stream (RFC 1950) of stored deflate blocks (RFC 1951, 3.2.4): a screenshot for tests is
// not worth a compression library.
#include "png.hpp"

#include <algorithm>
#include <string_view>

namespace plimsoll::app {
namespace {

std::string big_endian(std::uint32_t n) {
  return {static_cast<char>(n >> 24), static_cast<char>(n >> 16), static_cast<char>(n >> 8), static_cast<char>(n)};
}

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFFu;
  for (const char c : bytes) {
    crc ^= static_cast<std::uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1u) != 0 ? 0xEDB88320u : 0u);
  }
  return ~crc;
}

std::uint32_t adler32(std::string_view bytes) {
  std::uint32_t a = 1, b = 0;
  for (const char c : bytes) {
    a = (a + static_cast<std::uint8_t>(c)) % 65521u;
    b = (b + a) % 65521u;
  }
  return b << 16 | a;
}

std::string chunk(const std::string& type, const std::string& data) {
  return big_endian(static_cast<std::uint32_t>(data.size())) + type + data + big_endian(crc32(type + data));
}

std::string zlib_stored(const std::string& data) {
  constexpr std::size_t kBlock = 65535;
  std::string stream = "\x78\x01";
  std::size_t at = 0;
  do {
    const std::size_t size = std::min(kBlock, data.size() - at);
    stream += at + size == data.size() ? '\1' : '\0';
    for (const std::size_t n : {size, ~size}) {
      stream += static_cast<char>(n);
      stream += static_cast<char>(n >> 8);
    }
    stream.append(data, at, size);
    at += size;
  } while (at < data.size());
  return stream + big_endian(adler32(data));
}

} // namespace

std::string png_of(const Picture& picture) {
  std::string rows;
  const std::size_t row = static_cast<std::size_t>(picture.width) * 3;
  for (std::size_t y = 0; y < static_cast<std::size_t>(picture.height); ++y) {
    rows += '\0'; // no filter
    rows.append(reinterpret_cast<const char*>(picture.rgb.data()) + y * row, row);
  }
  std::string header = big_endian(static_cast<std::uint32_t>(picture.width)) + big_endian(static_cast<std::uint32_t>(picture.height));
  header += {8, 2, 0, 0, 0}; // 8 bits, red green blue, the only compression, filter and order there are
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("IDAT", zlib_stored(rows)) + chunk("IEND", "");
}

} // namespace plimsoll::app
