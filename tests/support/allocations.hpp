#pragma once
// Counts the heap allocations of this program. Linking allocations.cpp replaces the global operator new.

#include <cstdint>

namespace plimsoll::test {

/// Calls of any operator new since the program started.
std::uint64_t allocations() noexcept;

} // namespace plimsoll::test
