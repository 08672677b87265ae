#include "plimsoll/method/weight_format.hpp"

namespace plimsoll {

namespace {

/// Blocks that cover `n` numbers, n >= 1.
Count blocks(Count n, Count block) noexcept { return block <= Count{0} ? Count{1} : ceil_div(n, block); }

} // namespace

Bytes stored_bytes(const WeightFormat& format, Count rows, Count columns) noexcept {
  if (rows <= Count{0} || columns <= Count{0}) return Bytes{0};
  const Count padded = format.pad_columns > Count{1} ? ceil_div(columns, format.pad_columns) * format.pad_columns : columns;
  Bytes total{0};
  for (const StoredPart& part : format.parts)
    total += (part.flat ? blocks(rows * padded, part.columns) : blocks(rows, part.rows) * blocks(padded, part.columns)) * part.bytes;
  return total;
}

} // namespace plimsoll
