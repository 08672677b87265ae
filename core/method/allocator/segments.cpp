// alloc_block(), release_available_cached_blocks() and release_blocks() of c10/cuda/CUDACachingAllocator.cpp.
#include "method/allocator/rounding.hpp"
#include "method/allocator/state.hpp"

namespace plimsoll {

using namespace allocator;

/// A block as large as its segment, in no pool; kNone where the driver has too little.
BlockId CachingAllocator::State::new_segment(Bytes block, Stream stream) {
  const Bytes size = segment_size(settings, block);
  if (!available(size)) return kNone;
  grow(statistics.reserved, size);
  statistics.segments += Count{1};
  const Address address = next_address;
  next_address += static_cast<Address>(size.value);
  return new_block({.address = address, .size = size, .stream = stream, .use = Use::free, .small = block <= kSmall});
}

void CachingAllocator::State::release_segment(BlockId id) {
  erase(id);
  shrink(statistics.reserved, blocks[id].size);
  statistics.segments = statistics.segments - Count{1};
  drop(id);
}

/// Where blocks above max_split_size are not split, one of them, or several, may be returned to make room for a request.
bool CachingAllocator::State::release_oversize(Bytes block, Stream stream) {
  if (settings.expandable_segments || settings.max_split_size == Bytes{Bytes::kMax}) return false;
  auto& free = pools[block <= kSmall ? 1 : 0].free;
  const Bytes wanted = max(block, settings.max_split_size);
  Bytes released{0};
  while (released < wanted) {
    auto at = free.lower_bound({stream, wanted, Address{0}, kNone}); // one that is enough, else the largest
    if (at == free.end() || std::get<Stream>(*at) != stream) {
      if (at == free.begin()) return false;
      --at;
    }
    const Bytes size = std::get<Bytes>(*at);
    const BlockId id = std::get<BlockId>(*at);
    if (std::get<Stream>(*at) != stream || size < settings.max_split_size || !is_whole(id)) return false;
    released += size;
    release_segment(id);
  }
  return true;
}

/// Whole segments, and whole granules of those that grow.
void CachingAllocator::State::release_cached() {
  for (Pool& pool : pools) {
    std::vector<BlockId> ids;
    for (const auto& entry : pool.free) ids.push_back(std::get<BlockId>(entry));
    for (const BlockId id : ids) {
      if (settings.expandable_segments)
        unmap(id);
      else if (is_whole(id))
        release_segment(id);
    }
  }
}

} // namespace plimsoll
