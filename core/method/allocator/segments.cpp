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
  note(AllocatorEvent::Action::segment_alloc, address, size, stream);
  return new_block({.address = address, .size = size, .stream = stream, .use = Use::free, .small = block <= kSmall});
}

void CachingAllocator::State::release_segment(BlockId id) {
  erase(id);
  note(AllocatorEvent::Action::segment_free, blocks[id].address, blocks[id].size, blocks[id].stream);
  shrink(statistics.reserved, blocks[id].size);
  statistics.segments = statistics.segments - Count{1};
  drop(id);
}

/// Where blocks above max_split_size are not split, one of them, or several, may be returned to make room for a request.
bool CachingAllocator::State::release_oversize(Bytes block, Stream stream) {
  if (settings.expandable_segments || settings.max_split_size == Bytes{Bytes::kMax}) return false;
  FreeBlocks& free = pools[block <= kSmall ? 1 : 0].free_of(stream);
  const Bytes wanted = max(block, settings.max_split_size);
  Bytes released{0};
  while (released < wanted) {
    FreeBlocks::Place at = free.first_of(wanted); // one that is enough, else the largest
    if (!free.holds(at)) at = free.last();
    if (!free.holds(at)) return false;
    const Bytes size = free.size_at(at);
    const BlockId id = free[at].id;
    if (size < settings.max_split_size || !is_whole(id)) return false;
    released += size;
    release_segment(id);
  }
  return true;
}

/// Whole segments, and whole granules of those that grow.
void CachingAllocator::State::release_cached() {
  for (Pool& pool : pools) {
    std::vector<BlockId> ids;
    for (const Pool::OfStream& of : pool.free)
      for (auto at = of.blocks.first_of(Bytes{0}); of.blocks.holds(at); at = of.blocks.next(at)) ids.push_back(of.blocks[at].id);
    for (const BlockId id : ids) {
      if (settings.expandable_segments)
        unmap(id);
      else if (is_whole(id))
        release_segment(id);
    }
  }
}

} // namespace plimsoll
