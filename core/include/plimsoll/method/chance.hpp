#pragma once
// How likely memory runs out, where a range is all that is known of what is taken: as if amounts were spread over it like a triangle that is highest
// at the expected one, which is assumed.

#include "plimsoll/method/footprint.hpp"
#include "plimsoll/method/quantity.hpp"
#include "plimsoll/method/scenario.hpp"

#include <cstdint>

namespace plimsoll {

inline constexpr std::int64_t kCertain = 1'000'000; ///< chances are millionths

/// That more than `usable` is taken, 0 to kCertain; 0 only where `usable` is the high end or more.
std::int64_t chance_above(const MemoryRange& range, Bytes usable) noexcept;

/// The same of a training whose tensors are `peak` bytes, > 0, as far as it is known without leading the allocator through its steps: the range is what
/// measured runs of the framework leave unexplained, and the holes that the allocator may have. It never falls where `peak` grows up to `usable`.
std::int64_t chance_around(Bytes peak, const Profile& profile, Bytes usable) noexcept;

} // namespace plimsoll
