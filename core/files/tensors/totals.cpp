#include "files/tensors/totals.hpp"

#include "method/sort_stably.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace plimsoll::io::tensor_files {

Count elements_of(const std::vector<std::int64_t>& shape) noexcept {
  Count elements{1};
  for (const std::int64_t size : shape) {
    if (size == 0) return Count{0}; // also behind sizes whose product is too large
    elements = elements * Count{size};
  }
  return elements;
}

void count_totals(TensorFile& file, Report& report) {
  std::unordered_map<std::string_view, std::size_t> known; // a hostile file has a million types
  std::size_t last = 0; // neighbours mostly have the same type
  for (const FileTensor& tensor : file.tensors) {
    if (last >= file.by_dtype.size() || file.by_dtype[last].dtype != tensor.dtype) {
      const auto [at, is_new] = known.emplace(tensor.dtype, file.by_dtype.size());
      if (is_new) file.by_dtype.push_back({tensor.dtype, Count{0}, Count{0}, Bytes{0}});
      last = at->second;
    }
    DtypeTotal& total = file.by_dtype[last];
    total.tensors += Count{1};
    total.elements += tensor.elements;
    total.bytes += tensor.bytes;
    file.elements += tensor.elements;
    file.bytes += tensor.bytes;
  }
  sort_stably(file.by_dtype, [](const DtypeTotal& a, const DtypeTotal& b) { return b.bytes < a.bytes; });
  if (file.elements.saturated() || file.bytes.saturated())
    report.error("", "The tensors together are larger than 64 bits can count.", kDownloadAgain);
}

void report_duplicates(const TensorFile& file, Report& report) {
  std::vector<std::string_view> names;
  names.reserve(file.tensors.size());
  for (const FileTensor& tensor : file.tensors) names.push_back(tensor.name);
  std::ranges::sort(names);
  for (std::size_t i = 1; i < names.size(); ++i)
    if (names[i] == names[i - 1]) report.error(shortened(names[i]), "Two tensors have this name.", kDownloadAgain);
}

void report_overlaps(const TensorFile& file, std::vector<Extent> extents, Report& report) {
  std::erase_if(extents, [](const Extent& extent) { return extent.end <= extent.begin; }); // nothing to share
  std::ranges::sort(extents, {}, [](const Extent& extent) { return std::pair{extent.begin, extent.end}; });
  for (std::size_t i = 1; i < extents.size(); ++i) {
    if (extents[i].begin >= extents[i - 1].end) continue;
    report.error(field_of(file.tensors[extents[i].tensor].name, "offset"),
                 "Its data overlap those of “" + shortened(file.tensors[extents[i - 1].tensor].name) + "”.", kDownloadAgain);
    extents[i].end = std::max(extents[i].end, extents[i - 1].end);
  }
}

void report_missing_data(std::uint64_t data_end, std::uint64_t file_size, Report& report) {
  if (data_end <= file_size) return;
  report.warning("",
                 "The header describes a file of " + std::to_string(data_end) + " bytes; this one has " +
                     std::to_string(file_size) + ".",
                 "Finish the download before loading the model; the figures here are those of the whole file.");
}

} // namespace plimsoll::io::tensor_files
