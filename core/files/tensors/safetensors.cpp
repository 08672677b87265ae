#include "files/tensors/safetensors.hpp"

#include "files/tensors/bytes.hpp"
#include "files/tensors/sax.hpp"
#include "files/tensors/totals.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace plimsoll::io::tensor_files {

namespace {

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::size_t kMostTensors = 1'000'000;
constexpr std::size_t kMostDimensions = 32;
constexpr std::size_t kMostFacts = 32;

struct Dtype {
  std::string_view name;
  int bits;
};
// https://github.com/huggingface/safetensors, safetensors/src/tensor.rs (enum Dtype)
constexpr std::array kDtypes = std::to_array<Dtype>(
    {{"BF16", 16},   {"F16", 16}, {"F32", 32}, {"F8_E4M3", 8}, {"U8", 8},          {"I32", 32},       {"I8", 8},   {"F8_E5M2", 8},
     {"F8_E8M0", 8}, {"I64", 64}, {"BOOL", 8}, {"F4", 4},      {"F6_E2M3", 6},     {"F6_E3M2", 6},    {"I16", 16}, {"U16", 16},
     {"U32", 32},    {"U64", 64}, {"F64", 64}, {"C64", 64},    {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}});

/// The object of tensors: name -> {"dtype", "shape", "data_offsets"}, and "__metadata__" with texts.
class HeaderReader : public SaxReader {
public:
  HeaderReader(TensorFile& file, Report& report)
      : SaxReader(report), file_(file) {}

  std::vector<Extent> extents;

private:
  enum class Place : unsigned char { elsewhere, root, tensor, metadata, shape, offsets };

  bool on_object() override {
    if (depth() == 1) return go(Place::root);
    if (place_ != Place::root) return ++ignored_, true;
    if (name_ == "__metadata__") return go(Place::metadata);
    if (file_.tensors.size() >= kMostTensors)
      return stop("", "The header lists more than " + std::to_string(kMostTensors) + " tensors.",
                  "Give the model's config.json instead.");
    file_.tensors.emplace_back();
    file_.tensors.back().name = name_;
    offsets_.clear();
    has_dtype_ = has_shape_ = has_offsets_ = false;
    return go(Place::tensor);
  }

  bool on_object_closed() override {
    if (ignored_ > 0) return --ignored_, true;
    if (place_ == Place::tensor) finish_tensor();
    return go(place_ == Place::root ? Place::elsewhere : Place::root);
  }

  bool on_array() override {
    if (ignored_ == 0 && place_ == Place::tensor && name_ == "shape") return has_shape_ = true, go(Place::shape);
    if (ignored_ == 0 && place_ == Place::tensor && name_ == "data_offsets") return has_offsets_ = true, go(Place::offsets);
    if (depth() == 1) return stop("", "The header is a list, not an object.", kDownloadAgain);
    if (ignored_ == 0 && (place_ == Place::shape || place_ == Place::offsets)) wrong("is not a list of whole numbers");
    if (ignored_ == 0 && place_ == Place::root) wrong_entry();
    return ++ignored_, true;
  }

  bool on_array_closed() override {
    if (ignored_ > 0) return --ignored_, true;
    return go(Place::tensor);
  }

  bool on_key(std::string& text) override {
    if (ignored_ == 0) name_ = text;
    return true;
  }

  bool on_integer(std::int64_t value) override {
    if (ignored_ > 0) return true;
    if (place_ == Place::shape) {
      if (value < 0) wrong("holds a negative number");
      if (tensor().shape.size() < kMostDimensions) tensor().shape.push_back(std::max<std::int64_t>(value, 0));
      else if (tensor().shape.size() == kMostDimensions)
        wrong("has more than " + std::to_string(kMostDimensions) + " dimensions"), tensor().shape.pop_back();
    } else if (place_ == Place::offsets) {
      if (offsets_.size() < 3) offsets_.push_back(value);
    } else {
      return on_other("a number");
    }
    return true;
  }

  bool on_text(std::string& text) override {
    if (ignored_ > 0) return true;
    if (place_ == Place::tensor && name_ == "dtype") {
      has_dtype_ = true;
      tensor().dtype = text;
    } else if (place_ == Place::metadata) {
      if (file_.metadata.size() < kMostFacts) file_.metadata.push_back({shortened(name_), shortened(text)});
    } else {
      return on_other("a text");
    }
    return true;
  }

  bool on_other(std::string_view) override {
    if (ignored_ > 0 || place_ == Place::metadata) return true;
    if (depth() == 0) return stop("", "The header is not an object.", kDownloadAgain);
    if (place_ == Place::shape || place_ == Place::offsets) wrong("is not a list of whole numbers");
    else if (place_ == Place::root) wrong_entry();
    return true; // keys of a tensor that the format does not know yet
  }

  bool go(Place place) {
    place_ = place;
    return true;
  }
  FileTensor& tensor() { return file_.tensors.back(); }
  void wrong(const std::string& what) {
    report().error(field_of(tensor().name, place_ == Place::shape ? "shape" : "data_offsets"), "It " + what + ".", kDownloadAgain);
  }
  void wrong_entry() { report().error(shortened(name_), "It is not described by an object.", kDownloadAgain); }

  void finish_tensor() {
    FileTensor& tensor = file_.tensors.back();
    const auto missing = [&](std::string_view what) {
      report().error(field_of(tensor.name, what), "It is missing.", kDownloadAgain);
    };
    if (!has_dtype_) missing("dtype");
    if (!has_shape_) missing("shape");
    if (!has_offsets_) missing("data_offsets");
    tensor.elements = elements_of(tensor.shape);
    if (tensor.elements.saturated())
      report().error(field_of(tensor.name, "shape"), "It is larger than 64 bits can count.", kDownloadAgain);
    const bool placed = has_offsets_ && read_offsets();
    const int bits = bits_of(tensor.dtype);
    if (has_dtype_ && bits == 0)
      report().error(field_of(tensor.name, "dtype"), "“" + shortened(tensor.dtype, 40) + "” is not a type of the format.",
                     "Give a file with types of the safetensors library, such as BF16, F16, F8_E4M3 or U8.");
    if (!placed || bits == 0 || !has_shape_ || tensor.elements.saturated()) return;
    if (tensor.bytes != expected_bytes(tensor.elements, bits))
      report().error(field_of(tensor.name, "data_offsets"),
                     "They span " + std::to_string(tensor.bytes.value) + " bytes; the shape and " + tensor.dtype + " make " +
                         std::to_string(expected_bytes(tensor.elements, bits).value) + ".",
                     kDownloadAgain);
  }

  static Bytes expected_bytes(Count elements, int bits) {
    constexpr std::int64_t kBitsPerByte = 8;
    if (bits % kBitsPerByte == 0) return elements * Bytes{bits / kBitsPerByte};
    return Bytes{ceil_div(elements * Count{bits}, Count{kBitsPerByte}).value};
  }

  bool read_offsets() {
    FileTensor& tensor = file_.tensors.back();
    if (offsets_.size() != 2) {
      report().error(field_of(tensor.name, "data_offsets"), "They are not two whole numbers.", kDownloadAgain);
      return false;
    }
    const auto [begin, end] = std::pair{offsets_[0], offsets_[1]};
    if (begin < 0 || end < begin) {
      report().error(field_of(tensor.name, "data_offsets"),
                     "They run from " + std::to_string(begin) + " to " + std::to_string(end) + ".", kDownloadAgain);
      return false;
    }
    tensor.bytes = Bytes{end - begin};
    extents.push_back({begin, end, file_.tensors.size() - 1});
    return true;
  }

  TensorFile& file_;
  Place place_ = Place::elsewhere;
  std::size_t ignored_ = 0; ///< levels within something that is not read
  std::string name_;        ///< the last key
  std::vector<std::int64_t> offsets_;
  bool has_dtype_ = false, has_shape_ = false, has_offsets_ = false;
};

void check_data(const TensorFile& file, std::vector<Extent> extents, std::uint64_t file_size, Report& report) {
  Bytes end{0};
  for (const Extent& extent : extents) end = max(end, Bytes{extent.end});
  report_overlaps(file, std::move(extents), report);
  const auto whole = static_cast<std::uint64_t>((Bytes{file.header_bytes} + end).value);
  report_missing_data(whole, file_size, report);
  if (!report.failed() && (file.bytes < end || whole < file_size))
    report.warning("", "Some bytes of the file belong to no tensor.", kDownloadAgain);
}

} // namespace

int bits_of(std::string_view dtype) noexcept {
  for (const Dtype& known : kDtypes)
    if (known.name == dtype) return known.bits;
  return 0;
}

std::optional<std::uint64_t> safetensors_header_length(std::string_view bytes) noexcept {
  ByteReader reader{bytes};
  const std::uint64_t length = reader.u64();
  return reader.ended() ? std::nullopt : std::optional{length};
}

bool looks_like_safetensors(std::string_view bytes) noexcept {
  const std::optional<std::uint64_t> length = safetensors_header_length(bytes);
  if (length && *length > static_cast<std::uint64_t>(kMostHeaderBytes)) return false;
  return bytes.size() <= kLengthBytes ? bytes.find('\0') != std::string_view::npos : bytes[kLengthBytes] == '{';
}

TensorFile read_safetensors(std::string_view bytes, std::uint64_t file_size) {
  TensorFile file;
  Report report;
  file.kind = TensorFileKind::safetensors;
  file_size = std::max<std::uint64_t>(file_size, bytes.size());
  const std::optional<std::uint64_t> length = safetensors_header_length(bytes);
  if (!length || *length > bytes.size() - kLengthBytes) {
    if (length && *length > file_size - kLengthBytes)
      report.error("",
                   "Its header should be " + std::to_string(*length) + " bytes long; the file has only " +
                       std::to_string(file_size) + ".",
                   kDownloadAgain);
    else if (bytes.size() < file_size) file.need_more = true;
    else report.error("", "The file ends after " + std::to_string(bytes.size()) + " bytes, within its header.", kDownloadAgain);
    file.issues = report.take();
    return file;
  }
  HeaderReader reader{file, report};
  file.complete = read_json_events(bytes.substr(kLengthBytes, static_cast<std::size_t>(*length)), reader);
  if (file.complete) {
    file.header_bytes = static_cast<std::int64_t>(kLengthBytes + *length);
    report_duplicates(file, report);
  } else {
    file.tensors.clear(); // half a list would pass for a whole one
  }
  count_totals(file, report);
  if (file.complete) check_data(file, std::move(reader.extents), file_size, report);
  if (file.complete && file.tensors.empty())
    report.warning("", "The file holds no tensors.", "Give the file that holds the weights.");
  file.issues = report.take();
  return file;
}

} // namespace plimsoll::io::tensor_files
