// round_size() and get_allocation_size() of c10/cuda/CUDACachingAllocator.cpp.
#include "method/allocator/rounding.hpp"

#include "plimsoll/method/allocator.hpp"

#include <bit>

namespace plimsoll {

namespace {

/// The next of `divisions` equal steps between the powers of two around `bytes`. A number of divisions that is no power of
/// two counts as the power below it, as in the original.
Bytes next_division(Bytes bytes, std::int64_t divisions) noexcept {
  const auto size = static_cast<std::uint64_t>(bytes.value);
  if (std::has_single_bit(size)) return bytes;
  const std::uint64_t floor = std::bit_floor(size);
  const std::uint64_t step = floor / std::bit_floor(static_cast<std::uint64_t>(divisions));
  return allocator::round_up(bytes, Bytes{static_cast<std::int64_t>(step)});
}

} // namespace

Bytes block_size(const AllocatorSettings& settings, Bytes request) noexcept {
  using namespace allocator;
  const std::int64_t divisions = settings.roundup_power2_divisions;
  if (divisions > 1 && request > Count{divisions} * kMinBlock) return next_division(request, divisions);
  return max(kMinBlock, round_up(request, kMinBlock));
}

Bytes segment_size(const AllocatorSettings& settings, Bytes block) noexcept {
  using namespace allocator;
  if (block <= kSmall) return kSmallSegment;
  if (settings.expandable_segments) return round_up(max(settings.large_segment_size, kSmallSegment), kSmallSegment);
  if (block < kMinLarge) return round_up(max(settings.large_segment_size, block), kSmallSegment);
  return round_up(block, kSmallSegment);
}

} // namespace plimsoll
