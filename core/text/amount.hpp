#pragma once
// Numbers as people write them: 128k, 1.5T, 80GB, 0.95, 95%, $2.50.

#include "plimsoll/method/fields.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace plimsoll::io {

struct Amount {
  std::optional<std::int64_t> value{}; ///< as the field holds it: thousandths where people write decimals
  bool too_large = false;              ///< a number, and more than 64 bits hold
};

/// What `text` states for an integer field, without separators and spaces around it. Behind the number may stand
///   k, m, b (or g), t: thousands, millions, thousand millions, millions of millions. For lengths of texts k is 1024 and m 1024 * 1024, as
///     "128k" is said of models that take 131,072 tokens; what a job trains on is counted in tens.
///   kb, mb, gb, tb and kib, mib, gib, tib: bytes of fields in bytes, bytes/s or KiB, powers of 1000 and of 1024. There k to t are powers of 1000.
///   %: of fields with decimals and no unit.
/// A dollar sign may stand before fields in dollars. A number that the field cannot hold exactly ("1.5" tokens) is none.
Amount amount_of(const Field& field, std::string_view text);

} // namespace plimsoll::io
