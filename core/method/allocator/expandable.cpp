// Segments that reserve addresses for more than the device holds, and memory only as far as they are used:
// find_expandable_block(), map_block() and unmap_block() of c10/cuda/CUDACachingAllocator.cpp.
#include "method/allocator/rounding.hpp"
#include "method/allocator/state.hpp"

namespace plimsoll {

using namespace allocator;

namespace {

// PyTorch reserves 1 1/8 times the device's memory; here the row of addresses only has to hold any request.
constexpr Bytes kSpan{CachingAllocator::kLargestReserved.value};

} // namespace

/// The lowest address where free and unmapped blocks in a row have room; where there is none, a new segment. In its pool.
BlockId CachingAllocator::State::room_for(Bytes block, Stream stream) {
  Pool& pool = pools[block <= kSmall ? 1 : 0];
  for (auto at = pool.unmapped.lower_bound({stream, Address{0}, kNone});
       at != pool.unmapped.end() && std::get<Stream>(*at) == stream; ++at) {
    BlockId first = std::get<BlockId>(*at);
    const BlockId before = blocks[first].previous;
    if (before != kNone && blocks[before].use == Use::free) first = before;
    Bytes room{0};
    for (BlockId id = first; room < block && id != kNone && blocks[id].use == Use::free; id = blocks[id].next)
      room += blocks[id].size;
    if (room >= block) return first;
  }
  statistics.segments += Count{1};
  const Address address = next_address;
  next_address += static_cast<Address>(kSpan.value);
  const BlockId id = new_block(
      {.address = address, .size = kSpan, .stream = stream, .use = Use::free, .small = block <= kSmall, .mapped = false});
  insert(id);
  return id;
}

/// Puts memory behind the first `size` bytes of an unmapped block, rounded up to granules, and joins them with free
/// neighbours. The result is free and in its pool; kNone where the driver has too little.
BlockId CachingAllocator::State::map(BlockId id, Bytes size) {
  const Bytes granule = segment_size(settings, blocks[id].small ? kSmall : kMinLarge);
  const Bytes mapped = min(blocks[id].size, round_up(size, granule));
  if (!available(mapped)) return kNone;
  erase(id);
  if (mapped < blocks[id].size) insert(cut(id, mapped));
  note(AllocatorEvent::Action::segment_map, blocks[id].address, mapped, blocks[id].stream);
  blocks[id].mapped = true;
  join_neighbours(id);
  insert(id);
  grow(statistics.reserved, mapped);
  return id;
}

/// A free block of at least that size, in no pool, from the end of a segment; kNone where the driver has too little.
BlockId CachingAllocator::State::expand(Bytes block, Stream stream) {
  BlockId id = room_for(block, stream);
  if (!blocks[id].mapped) id = map(id, min(blocks[id].size, block));
  while (id != kNone && blocks[id].size < block) {
    const BlockId next = blocks[id].next; // unmapped: a mapped neighbour would have been joined
    id = map(next, min(blocks[next].size, block - blocks[id].size));
  }
  if (id != kNone) erase(id);
  return id;
}

/// Returns the whole granules of a free block to the driver; a segment without memory is forgotten.
void CachingAllocator::State::unmap(BlockId id) {
  const auto granule = static_cast<Address>(segment_size(settings, blocks[id].small ? kSmall : kMinLarge).value);
  // Segments start at multiples of kSpan, but granules need not divide it: they count from the segment's start.
  const Address start = blocks[id].address / static_cast<Address>(kSpan.value) * static_cast<Address>(kSpan.value);
  const Address from = blocks[id].address - start, to = from + static_cast<Address>(blocks[id].size.value);
  const Address first = (from + granule - 1) / granule * granule, last = to / granule * granule;
  if (first >= last) return;
  erase(id);
  if (first > from) {
    const BlockId before = id;
    id = cut(id, Bytes{static_cast<std::int64_t>(first - from)});
    insert(before);
  }
  const Bytes returned{static_cast<std::int64_t>(last - first)};
  if (returned < blocks[id].size) insert(cut(id, returned));
  blocks[id].mapped = false;
  note(AllocatorEvent::Action::segment_unmap, blocks[id].address, returned, blocks[id].stream);
  shrink(statistics.reserved, returned);
  join_neighbours(id);
  if (is_whole(id)) {
    statistics.segments = statistics.segments - Count{1};
    drop(id);
  } else {
    insert(id);
  }
}

} // namespace plimsoll
