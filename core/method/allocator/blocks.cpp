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
    pool_of(block).free_of(block.stream).insert(block.size, {block.address, id});
  else
    pool_of(block).unmapped.emplace(block.stream, block.address, id);
}

void CachingAllocator::State::erase(BlockId id) {
  const Block& block = blocks[id];
  if (block.mapped)
    pool_of(block).free_of(block.stream).erase(block.size, block.address);
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

/// What was left of the last block that was cut joins its pool.
void CachingAllocator::State::put_left_over() {
  if (left_over != kNone) insert(left_over);
  left_over = kNone;
}

/// From active to the cache.
void CachingAllocator::State::make_free(BlockId id) { make_free_together({&id, 1}); }

/// The same for several, in any order: what is free lies between live blocks, joined, whoever came first. A row of them is joined once.
void CachingAllocator::State::make_free_together(std::span<const BlockId> ids) {
  put_left_over();
  for (const BlockId id : ids) {
    Block& block = blocks[id];
    note(AllocatorEvent::Action::free_completed, block.address, block.requested, block.stream);
    shrink(statistics.active, block.size);
    shrink(statistics.requested, block.requested);
    block.use = Use::freed;
    block.shared = false;
    block.requested = Bytes{0};
  }
  const auto joins = [&](BlockId id) { return id != kNone && (blocks[id].use == Use::freed || blocks[id].use == Use::free) && blocks[id].mapped; };
  for (const BlockId id : ids) {
    if (blocks[id].use != Use::freed) continue; // joined with one before it
    BlockId first = id;
    while (joins(blocks[first].previous)) first = blocks[first].previous;
    if (blocks[first].use == Use::free) erase(first);
    blocks[first].use = Use::free;
    for (BlockId next = blocks[first].next; joins(next); next = blocks[first].next) {
      if (blocks[next].use == Use::free) erase(next);
      blocks[first].size += blocks[next].size;
      drop(next);
    }
    insert(first);
  }
}

} // namespace plimsoll
