#include "method/sort_stably.hpp"

namespace plimsoll {

void sort_places(std::span<std::uint32_t> places, bool (*before)(const void*, std::uint32_t, std::uint32_t), const void* context) {
  std::ranges::stable_sort(places, [&](std::uint32_t one, std::uint32_t other) { return before(context, one, other); });
}

} // namespace plimsoll
