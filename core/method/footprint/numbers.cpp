// The names that people read for the four numbers.
#include "plimsoll/method/footprint.hpp"

#include <array>

namespace plimsoll {

std::span<const MemoryNumber, 4> memory_numbers() noexcept {
  static constexpr std::array<MemoryNumber, 4> kNumbers{{
      {"requested", "Requested", "What tensors ask the framework's allocator for, to the byte.", &Footprint::requested},
      {"allocated", "Allocated", "The blocks that hold them, rounded up to 512 bytes: what memory_allocated() of PyTorch shows.", &Footprint::allocated},
      {"reserved", "Reserved", "The segments that the allocator took from the driver, with the blocks it keeps for later: what memory_reserved() shows.",
       &Footprint::reserved},
      {"process", "Process", "All of it: what is reserved, the driver's context and the communicators. What nvidia-smi shows, and what must fit.",
       &Footprint::process},
  }};
  return kNumbers;
}

} // namespace plimsoll
