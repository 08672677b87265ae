#include "plimsoll/method/format.hpp"

#include <atomic>

namespace plimsoll {

namespace {

/// The one choice that outlives a question: it is the reader's, as a language would be, and no number depends on it.
std::atomic<ByteUnits>& chosen_units() noexcept {
  static std::atomic<ByteUnits> units{ByteUnits::binary};
  return units;
}

} // namespace

void set_byte_units(ByteUnits units) noexcept { chosen_units().store(units, std::memory_order_relaxed); }

ByteUnits byte_units() noexcept { return chosen_units().load(std::memory_order_relaxed); }

} // namespace plimsoll
