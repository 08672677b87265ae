#include "tensor_files.hpp"

namespace plimsoll::test {

namespace {

constexpr std::uint64_t kAlignment = 32;
enum ValueType : std::uint32_t { u32 = 4, boolean = 7, text_type = 8, array = 9 };

std::uint64_t aligned(std::uint64_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; }

} // namespace

ByteWriter& ByteWriter::number(std::uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xFF);
  return *this;
}

ByteWriter& ByteWriter::raw(std::string_view bytes) {
  bytes_ += bytes;
  return *this;
}

GgufWriter& GgufWriter::text(std::string_view key, std::string_view value) {
  ++entries_;
  metadata_.text(key).u32(text_type).text(value);
  return *this;
}

GgufWriter& GgufWriter::number(std::string_view key, std::uint32_t value) {
  ++entries_;
  metadata_.text(key).u32(u32).u32(value);
  return *this;
}

GgufWriter& GgufWriter::numbers(std::string_view key, const std::vector<std::uint32_t>& values) {
  ++entries_;
  metadata_.text(key).u32(array).u32(u32).u64(values.size());
  for (const std::uint32_t value : values) metadata_.u32(value);
  return *this;
}

GgufWriter& GgufWriter::flag(std::string_view key, bool value) {
  ++entries_;
  metadata_.text(key).u32(boolean).number(value, 1);
  return *this;
}

GgufWriter& GgufWriter::flags(std::string_view key, const std::vector<bool>& values) {
  ++entries_;
  metadata_.text(key).u32(array).u32(boolean).u64(values.size());
  for (const bool value : values) metadata_.number(value, 1);
  return *this;
}

GgufWriter& GgufWriter::texts(std::string_view key, const std::vector<std::string>& values) {
  ++entries_;
  metadata_.text(key).u32(array).u32(text_type).u64(values.size());
  for (const std::string& value : values) metadata_.text(value);
  return *this;
}

GgufWriter& GgufWriter::tensor(std::string_view name, std::uint32_t type, const std::vector<std::uint64_t>& shape,
                               std::uint64_t bytes) {
  ++tensor_count_;
  tensors_.text(name).u32(static_cast<std::uint32_t>(shape.size()));
  for (std::size_t i = shape.size(); i-- > 0;) tensors_.u64(shape[i]);
  tensors_.u32(type).u64(offset_);
  offset_ = aligned(offset_ + bytes);
  return *this;
}

std::string GgufWriter::header() const {
  ByteWriter writer;
  writer.raw("GGUF").u32(version).u64(tensor_count_).u64(entries_).raw(metadata_.bytes()).raw(tensors_.bytes());
  std::string bytes = writer.bytes();
  bytes.resize(static_cast<std::size_t>(aligned(bytes.size())));
  return bytes;
}

std::uint64_t GgufWriter::file_size() const { return header().size() + offset_; }

SafetensorsWriter& SafetensorsWriter::tensor(std::string_view name, std::string_view dtype, const std::vector<std::int64_t>& shape,
                                             std::int64_t bytes) {
  std::string sizes;
  for (const std::int64_t size : shape) sizes += (sizes.empty() ? "" : ",") + std::to_string(size);
  entries_ += (entries_.empty() ? "\"" : ",\"") + std::string{name} + R"(":{"dtype":")" + std::string{dtype} + R"(","shape":[)" +
              sizes + R"(],"data_offsets":[)" + std::to_string(offset_) + ',' + std::to_string(offset_ + bytes) + "]}";
  offset_ += bytes;
  return *this;
}

SafetensorsWriter& SafetensorsWriter::metadata(std::string_view key, std::string_view value) {
  entries_ += (entries_.empty() ? "" : ",") + std::string{R"("__metadata__":{")"} + std::string{key} + R"(":")" +
              std::string{value} + "\"}";
  return *this;
}

std::string SafetensorsWriter::json() const { return "{" + entries_ + "}"; }

std::string SafetensorsWriter::with_length(std::string_view json) { return ByteWriter{}.u64(json.size()).raw(json).bytes(); }

std::uint64_t SafetensorsWriter::file_size() const { return header().size() + static_cast<std::uint64_t>(offset_); }

} // namespace plimsoll::test
