#pragma once
// How the numbers of one matrix are stored, exact in bytes. Which tensor of a model gets which layout is a WeightScheme
// (weight_scheme.hpp). Both are data (core/catalog/data/weights), each with its source.

#include "plimsoll/method/quantity.hpp"

#include <string>
#include <vector>

namespace plimsoll {

/// One array that belongs to a stored matrix: `bytes` for every block of `rows` × `columns` numbers, of which the last in each
/// direction is whole. 0 stands for all rows or all columns: {.columns = 0, .bytes = 4} is a 32-bit scale for each row.
struct StoredPart {
  Count rows{1};
  Count columns{1};
  Bytes bytes{0};
  bool flat = false; ///< blocks run over the whole matrix as one line of rows · columns numbers; `rows` does not count then

  friend bool operator==(const StoredPart&, const StoredPart&) = default;
};

/// The layout of a matrix of rows × columns: a linear map from n to m numbers has m rows and n columns.
struct WeightFormat {
  std::string id;       ///< e.g. "q4_k"
  std::string name;     ///< as its engine writes it
  std::string citation; ///< id in core/catalog/data/citations.json
  std::vector<StoredPart> parts; ///< the first holds the numbers themselves, in blocks along rows or over the whole matrix
  Count pad_columns{1};     ///< columns are first filled up to a multiple of this
  Count column_multiple{1}; ///< a matrix whose columns are no multiple of this cannot be stored so …
  std::string fallback;     ///< … and takes the format of this id instead; "" = it is stored so all the same

  friend bool operator==(const WeightFormat&, const WeightFormat&) = default;
};

/// Bytes of one matrix in that layout; 0 when it has no rows or no columns. Saturates like every Quantity.
Bytes stored_bytes(const WeightFormat& format, Count rows, Count columns) noexcept;

/// Numbers of one size without scales or padding.
constexpr bool is_plain(const WeightFormat& format) noexcept {
  return format.parts.size() == 1 && format.pad_columns == Count{1} && format.parts[0].rows == Count{1} && format.parts[0].columns == Count{1};
}

} // namespace plimsoll
