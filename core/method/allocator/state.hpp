#pragma once
// Blocks stand in a row inside their segment, each knowing its neighbours; free ones stand in their pool as well.

#include "method/allocator/free_blocks.hpp"
#include "plimsoll/method/allocator.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <tuple>
#include <vector>

namespace plimsoll {

namespace allocator {

enum class Use : unsigned char {
  unused, ///< the record may be taken for a new block
  free,
  freed, ///< to be joined with its neighbours
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

/// What is free, of small blocks or of large ones.
struct Pool {
  struct OfStream {
    Stream stream = 0;
    FreeBlocks blocks;
  };
  std::vector<OfStream> free; ///< streams in order
  std::set<std::tuple<Stream, Address, BlockId>> unmapped;

  FreeBlocks& free_of(Stream stream) {
    if (const auto index = static_cast<std::size_t>(stream); index < free.size() && free[index].stream == stream) return free[index].blocks; // mostly
    const auto at = std::ranges::lower_bound(free, stream, {}, &OfStream::stream);
    return (at != free.end() && at->stream == stream ? at : free.insert(at, {stream, {}}))->blocks;
  }
};

} // namespace allocator

struct CachingAllocator::State {
  using BlockId = allocator::BlockId;
  using Block = allocator::Block;
  using Pool = allocator::Pool;

  AllocatorSettings settings;
  Bytes capacity;
  AllocatorStatistics statistics;
  std::vector<AllocatorEvent>* events = nullptr;
  std::vector<Block> blocks{Block{}}; ///< by id; the first stands for kNone
  std::vector<BlockId> unused;
  std::vector<BlockId> waiting;
  std::vector<BlockId> freed; ///< while several are: not yet joined
  BlockId left_over = allocator::kNone; ///< of the block that was cut last: free, but in no pool yet
  Bytes least_asked{}; ///< by those that cut it: no block in the pool of at least that size comes before it
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
  void make_free_together(std::span<const BlockId> ids);
  void put_left_over();
  bool is_whole(BlockId id) const { return blocks[id].previous == allocator::kNone && blocks[id].next == allocator::kNone; }

  void note(AllocatorEvent::Action action, allocator::Address address, Bytes size, Stream stream) {
    if (events != nullptr) events->push_back({action, address, size, stream});
  }

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
  bool left_over_fits_best(Bytes block, Stream stream, const allocator::FreeBlocks& free);
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
