// DeviceCachingAllocator::malloc() and free() of c10/cuda/CUDACachingAllocator.cpp: the cache first, then the driver, then
// the driver once more after the cache was returned to it.
#include "plimsoll/method/allocator.hpp"

#include "method/allocator/rounding.hpp"
#include "method/allocator/state.hpp"

namespace plimsoll {

using namespace allocator;

CachingAllocator::CachingAllocator(AllocatorSettings settings, std::optional<Bytes> capacity)
    : state_(std::make_unique<State>()) {
  settings.max_split_size = max(settings.max_split_size, kLeastSplitLimit);
  state_->settings = settings;
  state_->capacity = capacity ? min(*capacity, kLargestReserved) : kLargestReserved;
}
CachingAllocator::CachingAllocator(const CachingAllocator& other) : state_(std::make_unique<State>(*other.state_)) { record(nullptr); }
CachingAllocator& CachingAllocator::operator=(const CachingAllocator& other) {
  if (this == &other) return *this;
  *state_ = *other.state_;
  record(nullptr);
  return *this;
}
CachingAllocator::CachingAllocator(CachingAllocator&&) noexcept = default;
CachingAllocator& CachingAllocator::operator=(CachingAllocator&&) noexcept = default;
CachingAllocator::~CachingAllocator() = default;

/// The smallest free block that is large enough, taken out of its pool; kNone where there is none.
BlockId CachingAllocator::State::best_fit(Bytes block, Stream stream) {
  FreeBlocks& free = pools[block <= kSmall ? 1 : 0].free_of(stream);
  if (left_over_fits_best(block, stream, free)) {
    const BlockId id = left_over;
    left_over = kNone;
    return id;
  }
  put_left_over();
  FreeBlocks::Place at = free.first_of(block);
  least_asked = block;
  if (!free.holds(at)) return kNone;
  if (settings.expandable_segments) {
    // A block at the growing end counts as large as it can become, so that a hole that fits is taken first.
    const auto can_become = [&](FreeBlocks::Place where) {
      const Block& one = blocks[free[where].id];
      return one.next != kNone && !blocks[one.next].mapped ? one.size + blocks[one.next].size : one.size;
    };
    for (auto next = free.next(at); free.holds(next) && can_become(next) < can_become(at); next = free.next(next)) at = next;
  }
  const Bytes size = free.size_at(at), limit = settings.max_split_size;
  if (block < limit ? size >= limit : size >= block + kUnsplitSlack) return kNone;
  const FreeBlocks::Entry taken = free[at];
  free.erase(size, taken.address);
  return taken.id;
}

/// Whether the rest of the last cut comes before all that are in the pool. Mostly it does, where one request after another is served by one
/// block, and then it need not join the pool between them. It was part of the best fit of what was asked there, so of more it is as well.
bool CachingAllocator::State::left_over_fits_best(Bytes block, Stream stream, const FreeBlocks& free) {
  if (left_over == kNone) return false;
  const Block& left = blocks[left_over];
  if (left.size < block || left.stream != stream || left.small != (block <= kSmall)) return false;
  if (block >= least_asked) return true;
  const FreeBlocks::Place at = free.first_of(block);
  if (free.holds(at) && (free.size_at(at) < left.size || (free.size_at(at) == left.size && free[at].address < left.address))) return false;
  least_asked = block;
  return true;
}

BlockId CachingAllocator::State::from_driver(Bytes block, Stream stream) {
  put_left_over();
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
  if (state.splits(state.blocks[id], size)) {
    state.put_left_over();
    state.left_over = state.cut(id, size);
    // Where segments grow, what fits best depends on what comes after it, and with a limit not every fit is taken.
    if (state.settings.expandable_segments || state.settings.max_split_size != Bytes{Bytes::kMax}) state.put_left_over();
  }
  Block& block = state.blocks[id];
  block.use = Use::live;
  block.requested = bytes;
  ++block.generation;
  state.note(AllocatorEvent::Action::alloc, block.address, bytes, block.stream);
  grow(state.statistics.requested, bytes);
  grow(state.statistics.allocated, block.size);
  grow(state.statistics.active, block.size);
  return Allocation{id, block.generation};
}

void CachingAllocator::free(Allocation allocation) {
  Block* block = state_->live(allocation);
  if (block == nullptr) return;
  shrink(state_->statistics.allocated, block->size);
  state_->note(AllocatorEvent::Action::free_requested, block->address, block->requested, block->stream);
  if (block->shared) {
    block->use = Use::waiting;
    state_->waiting.push_back(allocation.block);
  } else {
    state_->make_free(allocation.block);
  }
}

void CachingAllocator::free(std::span<const Allocation> allocations) {
  State& state = *state_;
  for (const Allocation allocation : allocations) {
    Block* block = state.live(allocation);
    if (block == nullptr) continue;
    if (block->shared) {
      free(allocation);
    } else {
      shrink(state.statistics.allocated, block->size);
      state.note(AllocatorEvent::Action::free_requested, block->address, block->requested, block->stream);
      block->use = Use::freed;
      state.freed.push_back(allocation.block);
    }
  }
  state.make_free_together(state.freed);
  state.freed.clear();
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
  state_->put_left_over();
  state_->release_cached();
}

void CachingAllocator::limit(Bytes capacity) { state_->capacity = min(capacity, kLargestReserved); }

void CachingAllocator::record(std::vector<AllocatorEvent>* events) noexcept { state_->events = events; }

const AllocatorStatistics& CachingAllocator::statistics() const noexcept { return state_->statistics; }

} // namespace plimsoll
