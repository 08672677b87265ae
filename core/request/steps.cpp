#include "plimsoll/request/steps.hpp"

#include "text/value.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace plimsoll::io {
namespace {

constexpr std::int64_t kFew = 64;            ///< a field with no more values is gone through one by one
constexpr std::int64_t kShare = 1000, kHundredth = 10, kTenth = 100; ///< thousandths

/// Of `value` from 0 on.
std::int64_t power_above(std::int64_t value, std::int64_t most) {
  return static_cast<std::int64_t>(std::min(std::bit_ceil(static_cast<std::uint64_t>(value) + 1), static_cast<std::uint64_t>(most)));
}

std::int64_t power_below(std::int64_t value) {
  return value > 1 ? static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(value) - 1)) : value - 1;
}

std::int64_t beside(const Field& field, std::int64_t value, bool up) {
  const bool doubles = field.decimals == 0 && field.topic != Topic::model && field.max - field.min > kFew;
  if (doubles && value >= 0) return up ? power_above(value, field.max) : power_below(value);
  const std::int64_t one = field.decimals == 0 ? 1 : field.max <= kShare ? kHundredth : kTenth;
  return up ? value + one : value - one;
}

} // namespace

std::optional<std::string> next_value(const Field& field, std::string_view text, Step step) {
  if (field.kind != FieldKind::integer) return std::nullopt;
  Issues told_elsewhere;
  const std::optional<std::int64_t> value = parse_value(field, text, told_elsewhere);
  if (!value || *value < field.min || *value > field.max) return std::nullopt;
  const std::int64_t next = std::clamp(beside(field, *value, step == Step::up), field.min, field.max);
  return next == *value ? std::nullopt : std::optional{text_of(field, next)};
}

} // namespace plimsoll::io
