#include "files/tensors/gguf.hpp"

#include "files/tensors/ggml_types.hpp"
#include "files/tensors/gguf_scan.hpp"
#include "files/tensors/report.hpp"
#include "files/tensors/totals.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace plimsoll::io::tensor_files {

namespace {

constexpr std::size_t kMostFacts = 96;
constexpr std::int64_t kDefaultAlignment = 32;

/// Keeps metadata and tensors.
class Keeper : public GgufVisitor {
public:
  explicit Keeper(Gguf& gguf, Report& report) : gguf_(gguf), report_(report) {}

  bool keeps_values() const noexcept override { return true; }
  void on_value(std::string_view key, GgufValue&& value) override { gguf_.metadata.add(key, std::move(value)); }

  void on_tensor(const GgufTensorInfo& info) override {
    FileTensor tensor;
    tensor.name = info.name;
    for (std::uint32_t i = info.dimensions; i-- > 0;) {
      if (info.sizes[i] > static_cast<std::uint64_t>(Count::kMax))
        report_.error(field_of(info.name, "shape"), "A dimension of " + std::to_string(info.sizes[i]) + " is too large.",
                      kDownloadAgain);
      tensor.shape.push_back(static_cast<std::int64_t>(std::min(info.sizes[i], static_cast<std::uint64_t>(Count::kMax))));
    }
    tensor.elements = elements_of(tensor.shape);
    measure(info, tensor);
    if (info.name.empty()) report_.error("tensor name", "A tensor has no name.", kDownloadAgain);
    offsets.push_back(info.offset);
    gguf_.file.tensors.push_back(std::move(tensor));
  }

  std::vector<std::uint64_t> offsets; ///< of each tensor
  const GgmlType* forked = nullptr; ///< one that only ik_llama.cpp reads; null = none

private:
  void measure(const GgufTensorInfo& info, FileTensor& tensor) {
    const GgmlType* type = find_ggml_type(info.type);
    tensor.dtype = type ? std::string{type->name} : "type " + std::to_string(info.type);
    if (type && type->status == GgmlStatus::forked) forked = type;
    else if (!type || type->status != GgmlStatus::current) {
      report_unreadable(info.name, type, tensor.dtype);
      return;
    }
    const std::int64_t row = tensor.shape.empty() ? 1 : tensor.shape.back();
    if (row % type->block_elements != 0)
      report_.error(field_of(info.name, "shape"), "Its rows of " + std::to_string(row) + " numbers are not whole blocks of " +
                    std::to_string(type->block_elements) + ", as " + tensor.dtype + " stores them.", kDownloadAgain);
    // With whole rows, all of the tensor is whole blocks; a broken row counts as if it were.
    tensor.bytes = Count{tensor.elements.value / type->block_elements} * Bytes{type->block_bytes};
    if (type->row_bytes > 0 && row > 0) tensor.bytes += Count{tensor.elements.value / row} * Bytes{type->row_bytes};
    if (tensor.elements.saturated() || tensor.bytes.saturated())
      report_.error(field_of(info.name, "shape"), "It is larger than 64 bits can count.", kDownloadAgain);
  }

  void report_unreadable(std::string_view name, const GgmlType* type, const std::string& dtype) {
    const std::string field = field_of(name, "type");
    if (!type)
      report_.error(field, "The number type " + dtype.substr(5) + " is not one of llama.cpp's or ik_llama.cpp's.",
                    "Give a file whose types one of them writes; other forks add their own, which cannot be sized here.");
    else if (type->status == GgmlStatus::repacked)
      report_.error(field, "The type " + dtype + " orders bytes for one processor and is no longer read by llama.cpp.",
                    "Quantise to " + std::string{dtype.starts_with("IQ4") ? "IQ4_NL" : "Q4_0"} +
                        ": it is rearranged when it is loaded.");
    else
      report_.error(field, "The type " + dtype + " was removed from llama.cpp.", "Quantise the model again to a current type.");
  }

  Gguf& gguf_;
  Report& report_;
};

/// A power of two, as llama.cpp demands.
std::int64_t alignment_of(const GgufMetadata& metadata, Report& report) {
  const GgufValue* value = metadata.find("general.alignment");
  if (!value) return kDefaultAlignment;
  const std::int64_t* number = std::get_if<std::int64_t>(value);
  if (number && *number > 0 && (*number & (*number - 1)) == 0 && *number <= kMostHeaderBytes) return *number;
  report.error("general.alignment", "It is " + text_of(*value) + ", which is not a power of two.", kDownloadAgain);
  return kDefaultAlignment;
}

void check_places(Gguf& gguf, const std::vector<std::uint64_t>& offsets, std::int64_t alignment, std::uint64_t file_size,
                  Report& report) {
  std::vector<Extent> extents;
  extents.reserve(offsets.size());
  Bytes data_end{0};
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const FileTensor& tensor = gguf.file.tensors[i];
    const std::string_view name = tensor.name;
    if (offsets[i] > static_cast<std::uint64_t>(Count::kMax)) {
      report.error(field_of(name, "offset"), "An offset of " + std::to_string(offsets[i]) + " is too large.", kDownloadAgain);
      continue;
    }
    const auto begin = static_cast<std::int64_t>(offsets[i]);
    if (begin % alignment != 0)
      report.error(field_of(name, "offset"),
                   "The offset " + std::to_string(begin) + " is not a multiple of " + std::to_string(alignment) + ".",
                   kDownloadAgain);
    const Bytes end = Bytes{begin} + tensor.bytes;
    extents.push_back({begin, end.value, i});
    data_end = max(data_end, end);
  }
  report_overlaps(gguf.file, std::move(extents), report);
  if (!offsets.empty())
    report_missing_data(static_cast<std::uint64_t>((Bytes{gguf.file.header_bytes} + data_end).value), file_size, report);
}

void report_double_keys(const GgufMetadata& metadata, Report& report) {
  std::vector<std::string_view> keys;
  keys.reserve(metadata.entries().size());
  for (const GgufEntry& entry : metadata.entries()) keys.push_back(entry.key);
  std::ranges::sort(keys);
  for (std::size_t i = 1; i < keys.size(); ++i)
    if (keys[i] == keys[i - 1]) report.error(shortened(keys[i]), "This key of the metadata stands twice.", kDownloadAgain);
}

/// Not the tokenizer, but for its kind and size; not what is longer than a line.
bool matters(std::string_view key, std::string_view architecture) {
  constexpr std::array<std::string_view, 9> kGeneral = {
      "general.architecture", "general.type", "general.name", "general.basename", "general.size_label", "general.file_type",
      "general.quantization_version", "tokenizer.ggml.model", "tokenizer.ggml.tokens"};
  return std::ranges::find(kGeneral, key) != kGeneral.end() || key.starts_with("split.") ||
         (!architecture.empty() && key.starts_with(architecture) && key.substr(architecture.size()).starts_with('.'));
}

void list_facts(Gguf& gguf) {
  const std::string_view architecture = gguf.metadata.text("general.architecture");
  for (const GgufEntry& entry : gguf.metadata.entries()) {
    if (gguf.file.metadata.size() >= kMostFacts) return;
    if (matters(entry.key, architecture)) gguf.file.metadata.push_back({shortened(entry.key), text_of(entry.value)});
  }
}

} // namespace

void GgufMetadata::add(std::string_view key, GgufValue value) { entries_.push_back({key, std::move(value)}); }

const GgufValue* GgufMetadata::find(std::string_view key) const noexcept {
  for (const GgufEntry& entry : entries_)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

const GgufValue* GgufMetadata::find(std::string_view architecture, std::string_view key) const noexcept {
  for (const GgufEntry& entry : entries_)
    if (entry.key.size() == architecture.size() + 1 + key.size() && entry.key.ends_with(key) &&
        entry.key.starts_with(architecture) && entry.key[architecture.size()] == '.')
      return &entry.value;
  return nullptr;
}

std::string_view GgufMetadata::text(std::string_view key) const noexcept {
  const GgufValue* value = find(key);
  const std::string_view* text = value ? std::get_if<std::string_view>(value) : nullptr;
  return text ? *text : std::string_view{};
}

std::optional<std::int64_t> GgufMetadata::number(std::string_view key) const noexcept {
  const GgufValue* value = find(key);
  const std::int64_t* number = value ? std::get_if<std::int64_t>(value) : nullptr;
  return number ? std::optional{*number} : std::nullopt;
}

bool looks_like_gguf(std::string_view bytes) noexcept { return bytes.starts_with("GGUF"); }

Gguf read_gguf(std::string_view bytes, std::uint64_t file_size) {
  Gguf gguf;
  Report report;
  gguf.file.kind = TensorFileKind::gguf;
  const std::string_view header = bytes.substr(0, static_cast<std::size_t>(kMostHeaderBytes));
  Keeper keeper{gguf, report};
  GgufScan scan = scan_gguf(header, file_size, keeper);
  if (scan.end == GgufEnd::ended) {
    if (header.size() == static_cast<std::size_t>(kMostHeaderBytes))
      report.error("", "The header is longer than " + std::to_string(kMostHeaderBytes) + " bytes.",
                   "Give the model's config.json instead.");
    else if (bytes.size() < file_size) gguf.file.need_more = true;
    else report.error("", "The file ends after " + std::to_string(bytes.size()) + " bytes, within its header.", kDownloadAgain);
  } else if (scan.end == GgufEnd::broken) {
    report.error(std::move(scan.field), std::move(scan.message), std::move(scan.remedy));
  } else {
    gguf.file.complete = true;
    const std::int64_t alignment = alignment_of(gguf.metadata, report);
    const auto end = static_cast<std::int64_t>(scan.header_end);
    gguf.file.header_bytes = (end + alignment - 1) / alignment * alignment;
    if (gguf.file.tensors.empty()) gguf.file.header_bytes = end;
    report_double_keys(gguf.metadata, report);
    report_duplicates(gguf.file, report);
    check_places(gguf, keeper.offsets, alignment, std::max<std::uint64_t>(file_size, bytes.size()), report);
    if (keeper.forked)
      report.note("", "Some tensors are stored as " + std::string{keeper.forked->name} + ", which ik_llama.cpp reads and llama.cpp does not.",
                  "Estimate it with profile=ik_llama_cpp.");
    if (gguf.file.tensors.empty())
      report.warning("tensor_count", "The file holds no tensors.", "Give the file that holds the weights.");
  }
  if (!gguf.file.complete) gguf.file.tensors.clear(); // half a list would pass for a whole one
  count_totals(gguf.file, report);
  list_facts(gguf);
  if (!gguf.file.need_more) gguf.file.issues = report.take(); // what is wrong so far will be found again
  return gguf;
}

bool gguf_header_is_whole(std::string_view bytes, std::uint64_t file_size) {
  GgufVisitor nothing;
  return scan_gguf(bytes, file_size, nothing).end != GgufEnd::ended;
}

std::string text_of(const GgufValue& value) {
  struct Writer {
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return shortened(std::to_string(number), 40); }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::string_view text) const { return shortened(text); }
    std::string operator()(const GgufArray& array) const {
      constexpr std::size_t kShown = 8;
      if (array.numbers.empty()) return std::to_string(array.length) + " entries";
      std::string text;
      for (std::size_t i = 0; i < array.numbers.size() && i < kShown; ++i)
        text += (i ? ", " : "") + std::to_string(array.numbers[i]);
      if (array.numbers.size() > kShown) text += ", … (" + std::to_string(array.numbers.size()) + " entries)";
      return text;
    }
  };
  return std::visit(Writer{}, value);
}

} // namespace plimsoll::io::tensor_files
