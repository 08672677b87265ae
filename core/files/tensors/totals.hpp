#pragma once
// What every reader of a tensor file does with its tensors.

#include "files/tensors/report.hpp"
#include "plimsoll/files/tensor_file.hpp"

#include <cstdint>
#include <vector>

namespace plimsoll::io::tensor_files {

/// Where a tensor lies in the data, in bytes.
struct Extent {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::size_t tensor = 0; ///< index into TensorFile::tensors
};

/// Product of a shape; an empty one has one number. Saturates.
Count elements_of(const std::vector<std::int64_t>& shape) noexcept;

/// Fills by_dtype, elements and bytes, and says so when they are too large for 64 bits.
void count_totals(TensorFile& file, Report& report);

void report_duplicates(const TensorFile& file, Report& report);
void report_overlaps(const TensorFile& file, std::vector<Extent> extents, Report& report);
/// `data_end`: where the last tensor ends, from the start of the file.
void report_missing_data(std::uint64_t data_end, std::uint64_t file_size, Report& report);

} // namespace plimsoll::io::tensor_files
