// DeviceCachingAllocator::malloc() and free() of c10/cuda/CUDACachingAllocator.cpp: the cache first, then the driver, then
// the driver once more after the cache was returned to it.
#include "plimsoll/method/allocator.hpp"

#include "method/allocator/rounding.hpp"
#include "method/allocator/state.hpp"

#include <iterator>

namespace plimsoll {

using namespace allocator;

CachingAllocator::CachingAllocator(AllocatorSettings settings, std::optional<Bytes> capacity)
    : state_(std::make_unique<State>()) {
  settings.max_split_size = max(settings.max_split_size, kLeastSplitLimit);
  state_->settings = settings;
  state_->capacity = capacity ? min(*capacity, kLargestReserved) : kLargestReserved;
}
CachingAllocator::CachingAllocator(CachingAllocator&&) noexcept = default;
CachingAllocator& CachingAllocator::operator=(CachingAllocator&&) noexcept = default;
CachingAllocator::~CachingAllocator() = default;

/// The smallest free block that is large enough, taken out of its pool; kNone where there is none.
BlockId CachingAllocator::State::best_fit(Bytes block, Stream stream) {
  auto& free = pools[block <= kSmall ? 1 : 0].free;
  auto at = free.lower_bound({stream, block, Address{0}, kNone});
  const auto usable = [&](auto where) { return where != free.end() && std::get<Stream>(*where) == stream; };
  if (!usable(at)) return kNone;
  if (settings.expandable_segments) {
    // A block at the growing end counts as large as it can become, so that a hole that fits is taken first.
    const auto can_become = [&](auto where) {
      const Block& one = blocks[std::get<BlockId>(*where)];
      return one.next != kNone && !blocks[one.next].mapped ? one.size + blocks[one.next].size : one.size;
    };
    for (auto next = std::next(at); usable(next) && can_become(next) < can_become(at); ++next) at = next;
  }
  const Bytes size = std::get<Bytes>(*at), limit = settings.max_split_size;
  if (block < limit ? size >= limit : size >= block + kUnsplitSlack) return kNone;
  const BlockId id = std::get<BlockId>(*at);
  free.erase(at);
  return id;
}

BlockId CachingAllocator::State::from_driver(Bytes block, Stream stream) {
  return settings.expandable_segments ? expand(block, stream) : new_segment(block, stream);
}

bool CachingAllocator::State::splits(const Block& block, Bytes size) const {
  const Bytes rest = block.size - size;
  if (block.small || settings.expandable_segments) return rest >= kMinBlock;
  return size < settings.max_split_size && rest > kSmall;
}

std::optional<Allocation> CachingAllocator::allocate(Bytes bytes, Stream stream) {
  if (bytes <= Bytes{0}) return Allocation{};
  State& state = *state_;
  const Bytes size = bytes < kLargestReserved ? block_size(state.settings, bytes) : kLargestReserved;
  BlockId id = size < kLargestReserved ? state.best_fit(size, stream) : kNone;
  if (id == kNone && size < kLargestReserved) {
    id = state.from_driver(size, stream);
    if (id == kNone && state.release_oversize(size, stream)) id = state.from_driver(size, stream);
    if (id == kNone) {
      empty_cache();
      state.statistics.retries += Count{1};
      id = state.from_driver(size, stream);
    }
  }
  if (id == kNone) {
    state.statistics.out_of_memory += Count{1};
    return std::nullopt;
  }
  if (state.splits(state.blocks[id], size)) state.insert(state.cut(id, size));
  Block& block = state.blocks[id];
  block.use = Use::live;
  block.requested = bytes;
  ++block.generation;
  grow(state.statistics.requested, bytes);
  grow(state.statistics.allocated, block.size);
  grow(state.statistics.active, block.size);
  return Allocation{id, block.generation};
}

void CachingAllocator::free(Allocation allocation) {
  Block* block = state_->live(allocation);
  if (block == nullptr) return;
  shrink(state_->statistics.allocated, block->size);
  if (block->shared) {
    block->use = Use::waiting;
    state_->waiting.push_back(allocation.block);
  } else {
    state_->make_free(allocation.block);
  }
}

void CachingAllocator::record_stream(Allocation allocation) {
  if (Block* block = state_->live(allocation)) block->shared = true;
}

void CachingAllocator::synchronize() {
  for (const BlockId id : state_->waiting) state_->make_free(id);
  state_->waiting.clear();
}

void CachingAllocator::empty_cache() {
  synchronize();
  state_->release_cached();
}

const AllocatorStatistics& CachingAllocator::statistics() const noexcept { return state_->statistics; }

} // namespace plimsoll
