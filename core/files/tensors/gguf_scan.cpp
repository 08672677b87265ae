#include "files/tensors/gguf_scan.hpp"

#include "files/tensors/report.hpp"

#include <bit>
#include <utility>

namespace plimsoll::io::tensor_files {

namespace {

// Numbers of the format's specification.
enum ValueType : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, text, array, u64, i64, f64, kValueTypes };
constexpr std::array<unsigned, kValueTypes> kSizes = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
constexpr std::uint64_t kLeastEntry = 8 + 4 + 1;          ///< key length, type, one byte
constexpr std::uint64_t kLeastTensor = 8 + 4 + 4 + 8;     ///< name length, dimensions, type, offset
constexpr std::uint64_t kLeastArray = 4 + 8;
constexpr unsigned kMostNesting = 4;

class Scanner {
public:
  Scanner(std::string_view bytes, std::uint64_t file_size, GgufVisitor& visitor)
      : reader_(bytes), beyond_(file_size > bytes.size() ? file_size - bytes.size() : 0), visitor_(visitor) {}

  GgufScan scan() {
    read();
    if (scan_.end != GgufEnd::broken) {
      if (reader_.ended()) scan_.end = GgufEnd::ended;
      else scan_.end = GgufEnd::whole, scan_.header_end = reader_.at();
    }
    return std::move(scan_);
  }

private:
  void read() {
    reader_.take(4); // "GGUF", seen by the caller
    const std::uint32_t version = reader_.u32();
    if (reader_.ended() || !known_version(version)) return;
    const std::uint64_t tensors = reader_.u64();
    const std::uint64_t entries = reader_.u64();
    if (reader_.ended()) return;
    if (!fits("metadata_kv_count", entries, kLeastEntry) || !fits("tensor_count", tensors, kLeastTensor)) return;
    for (std::uint64_t i = 0; i < entries && ongoing(); ++i) read_entry();
    for (std::uint64_t i = 0; i < tensors && ongoing(); ++i) read_tensor();
  }

  bool ongoing() const noexcept { return !reader_.ended() && scan_.end != GgufEnd::broken; }

  bool known_version(std::uint32_t version) {
    if (version == 2 || version == 3) return true;
    if (version == 1)
      fail("version", "The file is GGUF version 1, whose counts are 32 bits wide.",
           "Convert the model again with a current llama.cpp.");
    else if ((version & 0xFFFFu) == 0 && version != 0)
      fail("version", "The file is big-endian GGUF.", "Convert it with gguf_convert_endian.py of llama.cpp.");
    else
      fail("version", "GGUF version " + std::to_string(version) + " is not known.", "Give a GGUF file of version 2 or 3.");
    return false;
  }

  void fail(std::string field, std::string message, std::string remedy) {
    if (scan_.end == GgufEnd::broken) return;
    scan_.end = GgufEnd::broken;
    scan_.field = std::move(field);
    scan_.message = std::move(message);
    scan_.remedy = std::move(remedy);
  }

  /// Whether `count` things of at least `least` bytes each fit what is left of the file. Nothing is reserved by a count.
  bool fits(std::string_view what, std::uint64_t count, std::uint64_t least) {
    const std::uint64_t left = reader_.left() + beyond_;
    if (count <= left / least) return true;
    fail(shortened(what),
         "It says " + std::to_string(count) + ", but the rest of the file has only " + std::to_string(left) + " bytes.",
         kDownloadAgain);
    return false;
  }

  std::string_view read_text(std::string_view what) {
    const std::uint64_t length = reader_.u64();
    if (reader_.ended() || !fits(what, length, 1)) return {};
    return reader_.take(length);
  }

  void read_entry() {
    const std::string_view key = read_text("metadata key");
    if (!ongoing()) return;
    const std::uint32_t type = reader_.u32();
    if (reader_.ended()) return;
    GgufValue value = read_value(key, type);
    if (ongoing()) visitor_.on_value(key, std::move(value));
  }

  GgufValue read_value(std::string_view key, std::uint32_t type) {
    switch (type) {
      case text: return read_text(key);
      case array: return read_array(key, 0);
      case f32: return static_cast<double>(std::bit_cast<float>(reader_.u32()));
      case f64: return std::bit_cast<double>(reader_.u64());
      case boolean: return reader_.number(1) != 0;
      default: break;
    }
    if (type >= kValueTypes) {
      fail(shortened(key), "Its type " + std::to_string(type) + " is not one of GGUF's.", kDownloadAgain);
      return false;
    }
    return read_whole_number(type);
  }

  /// Unsigned 64-bit numbers above the signed range become the largest signed one: no such count is sensible.
  std::int64_t read_whole_number(std::uint32_t type) {
    const std::uint64_t value = reader_.number(kSizes[type]);
    switch (type) {
      case i8: return static_cast<std::int8_t>(value);
      case i16: return static_cast<std::int16_t>(value);
      case i32: return static_cast<std::int32_t>(value);
      case i64: return static_cast<std::int64_t>(value);
      default: return value > static_cast<std::uint64_t>(Count::kMax) ? Count::kMax : static_cast<std::int64_t>(value);
    }
  }

  GgufArray read_array(std::string_view key, unsigned depth) {
    GgufArray result;
    const std::uint32_t type = reader_.u32();
    result.length = reader_.u64();
    if (reader_.ended()) return result;
    if (type >= kValueTypes || depth >= kMostNesting) {
      if (type < kValueTypes)
        fail(shortened(key), "Its arrays are nested more than " + std::to_string(kMostNesting) + " levels deep.", kDownloadAgain);
      else fail(shortened(key), "The type " + std::to_string(type) + " of its array is not one of GGUF's.", kDownloadAgain);
    } else if (type == text) {
      if (fits(key, result.length, 8))
        for (std::uint64_t i = 0; i < result.length && ongoing(); ++i) read_text(key); // tokens: a quarter of a million of them
    } else if (type == array) {
      if (fits(key, result.length, kLeastArray))
        for (std::uint64_t i = 0; i < result.length && ongoing(); ++i) read_array(key, depth + 1);
    } else if (fits(key, result.length, kSizes[type])) {
      const bool whole = type != f32 && type != f64;
      if (whole && depth == 0 && result.length <= kMostKept && visitor_.keeps_values()) {
        result.numbers.reserve(static_cast<std::size_t>(result.length)); // at most kMostKept, and it fits the file
        for (std::uint64_t i = 0; i < result.length && ongoing(); ++i) result.numbers.push_back(read_whole_number(type));
      } else {
        reader_.take(result.length * kSizes[type]);
      }
    }
    return result;
  }

  void read_tensor() {
    GgufTensorInfo info;
    info.name = read_text("tensor name");
    if (!ongoing()) return;
    info.dimensions = reader_.u32();
    if (reader_.ended()) return;
    if (info.dimensions > kMostDimensions) {
      fail(field_of(info.name, "n_dimensions"), "It says " + std::to_string(info.dimensions) + "; at most 4 are possible.",
           kDownloadAgain);
      return;
    }
    for (std::uint32_t i = 0; i < info.dimensions; ++i) info.sizes[i] = reader_.u64();
    info.type = reader_.u32();
    info.offset = reader_.u64();
    if (!reader_.ended()) visitor_.on_tensor(info);
  }

  ByteReader reader_;
  std::uint64_t beyond_; ///< bytes of the file after those at hand
  GgufVisitor& visitor_;
  GgufScan scan_;
};

} // namespace

GgufScan scan_gguf(std::string_view bytes, std::uint64_t file_size, GgufVisitor& visitor) {
  return Scanner{bytes, file_size, visitor}.scan();
}

} // namespace plimsoll::io::tensor_files
