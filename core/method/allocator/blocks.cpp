// Splitting and joining: Block::splice(), try_merge_blocks() and free_block() of c10/cuda/CUDACachingAllocator.cpp.
#include "method/allocator/state.hpp"

#include <utility>

namespace plimsoll {

using namespace allocator;

BlockId CachingAllocator::State::new_block(Block block) {
  if (unused.empty()) {
    blocks.push_back(block);
    return static_cast<BlockId>(blocks.size() - 1);
  }
  const BlockId id = unused.back();
  unused.pop_back();
  block.generation = blocks[id].generation;
  blocks[id] = block;
  return id;
}

/// Takes a block out of its row; it must stand in no pool.
void CachingAllocator::State::drop(BlockId id) {
  const Block& block = blocks[id];
  if (block.previous != kNone) blocks[block.previous].next = block.next;
  if (block.next != kNone) blocks[block.next].previous = block.previous;
  blocks[id].use = Use::unused;
  unused.push_back(id);
}

void CachingAllocator::State::insert(BlockId id) {
  const Block& block = blocks[id];
  if (block.mapped)
    pool_of(block).free.emplace(block.stream, block.size, block.address, id);
  else
    pool_of(block).unmapped.emplace(block.stream, block.address, id);
}

void CachingAllocator::State::erase(BlockId id) {
  const Block& block = blocks[id];
  if (block.mapped)
    pool_of(block).free.erase({block.stream, block.size, block.address, id});
  else
    pool_of(block).unmapped.erase({block.stream, block.address, id});
}

/// Shortens a block that stands in no pool to `size` and returns what follows it: free, likewise in no pool.
BlockId CachingAllocator::State::cut(BlockId id, Bytes size) {
  Block rest = blocks[id];
  rest.address += static_cast<Address>(size.value);
  rest.size = rest.size - size;
  rest.requested = Bytes{0};
  rest.use = Use::free;
  rest.previous = id;
  const BlockId rest_id = new_block(rest);
  if (rest.next != kNone) blocks[rest.next].previous = rest_id;
  blocks[id].size = size;
  blocks[id].next = rest_id;
  return rest_id;
}

/// Adds a free neighbour to a block that stands in no pool.
void CachingAllocator::State::absorb(BlockId id, BlockId neighbour) {
  erase(neighbour);
  if (blocks[id].previous == neighbour) blocks[id].address = blocks[neighbour].address;
  blocks[id].size += blocks[neighbour].size;
  drop(neighbour);
}

void CachingAllocator::State::join_neighbours(BlockId id) {
  for (const BlockId neighbour : {blocks[id].previous, blocks[id].next})
    if (neighbour != kNone && blocks[neighbour].use == Use::free && blocks[neighbour].mapped == blocks[id].mapped)
      absorb(id, neighbour);
}

Block* CachingAllocator::State::live(Allocation allocation) {
  if (allocation.block == kNone || allocation.block >= blocks.size()) return nullptr;
  Block& block = blocks[allocation.block];
  return block.use == Use::live && block.generation == allocation.generation ? &block : nullptr;
}

/// From active to the cache.
void CachingAllocator::State::make_free(BlockId id) {
  shrink(statistics.active, blocks[id].size);
  shrink(statistics.requested, blocks[id].requested);
  blocks[id].use = Use::free;
  blocks[id].shared = false;
  blocks[id].requested = Bytes{0};
  join_neighbours(id);
  insert(id);
}

} // namespace plimsoll
