#pragma once
// Blocks stand in a row inside their segment, each knowing its neighbours; free ones stand in their pool as well.

#include "plimsoll/method/allocator.hpp"

#include <array>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

namespace plimsoll {

namespace allocator {

using BlockId = std::uint32_t;
inline constexpr BlockId kNone = 0; ///< no block has this id

/// Where a block would stand on the device: only the order counts. Every segment gets addresses of its own.
using Address = std::uint64_t;

enum class Use : unsigned char {
  unused, ///< the record may be taken for a new block
  free,
  live,
  waiting, ///< freed, but another stream still reads it
};

struct Block {
  Address address = 0;
  Bytes size{};
  Bytes requested{};
  BlockId previous = kNone, next = kNone;
  std::uint32_t generation = 0;
  Stream stream = 0;
  Use use = Use::unused;
  bool small = false;  ///< of the small pool
  bool mapped = true;  ///< false: a range of an expandable segment without memory behind it
  bool shared = false; ///< record_stream() was called
};

/// What is free, of small blocks or of large ones: by stream, then by size for the best fit, by address where that is equal.
struct Pool {
  std::set<std::tuple<Stream, Bytes, Address, BlockId>> free;
  std::set<std::tuple<Stream, Address, BlockId>> unmapped;
};

} // namespace allocator

struct CachingAllocator::State {
  using BlockId = allocator::BlockId;
  using Block = allocator::Block;
  using Pool = allocator::Pool;

  AllocatorSettings settings;
  Bytes capacity;
  AllocatorStatistics statistics;
  std::vector<Block> blocks{Block{}}; ///< by id; the first stands for kNone
  std::vector<BlockId> unused;
  std::vector<BlockId> waiting;
  std::array<Pool, 2> pools; ///< large, small
  allocator::Address next_address = 0;

  // blocks.cpp: neighbours, pools and counters.
  Pool& pool_of(const Block& block) { return pools[block.small ? 1 : 0]; }
  BlockId new_block(Block block);
  void drop(BlockId id);
  void insert(BlockId id);
  void erase(BlockId id);
  BlockId cut(BlockId id, Bytes size);
  void absorb(BlockId id, BlockId neighbour);
  void join_neighbours(BlockId id);
  Block* live(Allocation allocation);
  void make_free(BlockId id);
  bool is_whole(BlockId id) const { return blocks[id].previous == allocator::kNone && blocks[id].next == allocator::kNone; }

  // segments.cpp: what the driver gives and takes back.
  bool available(Bytes bytes) const { return bytes <= capacity - statistics.reserved.now; }
  BlockId new_segment(Bytes block, Stream stream);
  void release_segment(BlockId id);
  bool release_oversize(Bytes block, Stream stream);
  void release_cached();

  // expandable.cpp: segments that grow in place.
  BlockId room_for(Bytes block, Stream stream);
  BlockId map(BlockId id, Bytes size);
  BlockId expand(Bytes block, Stream stream);
  void unmap(BlockId id);

  // allocator.cpp: the order in which all this is tried.
  BlockId best_fit(Bytes block, Stream stream);
  BlockId from_driver(Bytes block, Stream stream);
  bool splits(const Block& block, Bytes size) const;
};

namespace allocator {

inline void grow(Watermark& mark, Bytes by) noexcept {
  mark.now += by;
  mark.peak = max(mark.peak, mark.now);
}

inline void shrink(Watermark& mark, Bytes by) noexcept { mark.now = mark.now - by; }

} // namespace allocator

} // namespace plimsoll
