#pragma once
// PyTorch's caching allocator on paper: who asks for 1 byte gets a block of 512, cut from a segment of 2 MiB that the driver
// gave, and freed blocks wait in the process for the next one who asks. Between what tensors need and what nvidia-smi shows
// for them stand these rules (c10/cuda/CUDACachingAllocator.cpp); the simulator follows them call by call.
//
// It does not: collect garbage (garbage_collection_threshold, off by default), keep private pools (CUDA graphs), run threads.

#include "plimsoll/method/quantity.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace plimsoll {

/// What PYTORCH_CUDA_ALLOC_CONF sets; the defaults are PyTorch's.
struct AllocatorSettings {
  /// Segments grow in place, granule by granule, so that freed memory of any size can be used again.
  bool expandable_segments = false;
  /// Blocks from this size on are neither split nor given to smaller requests; kMax: no limit. Less than 20 MiB, which PyTorch
  /// refuses, counts as 20 MiB.
  Bytes max_split_size{Bytes::kMax};
  /// Requests are rounded up to one of this many equal steps between two powers of two; 0 and 1: to 512 bytes only. PyTorch
  /// also accepts one number per power of two; this is the form with a single one.
  std::int64_t roundup_power2_divisions = 0;
  /// What the driver is asked for when a request between 1 MiB and 10 MiB finds no block. Less than the request: the request.
  Bytes large_segment_size{20'971'520};
};

/// The block that holds a request: 512 bytes at least, and a multiple of them. `request` >= 0.
Bytes block_size(const AllocatorSettings& settings, Bytes request) noexcept;

/// What the driver is asked for when no block is free: 2 MiB for a block up to 1 MiB, settings.large_segment_size below 10
/// MiB, else the block rounded up to 2 MiB. With expandable segments it is the granule that a segment grows by.
Bytes segment_size(const AllocatorSettings& settings, Bytes block) noexcept;

/// A queue of work of the GPU. What is freed on one stream is not given to another.
using Stream = std::int32_t;

/// What was allocated. The default one holds nothing, as a tensor without elements does.
struct Allocation {
  std::uint32_t block = 0;
  std::uint32_t generation = 0; ///< tells the uses of a block apart: an allocation that was freed stays freed
};

/// An amount now, and the most it ever was.
struct Watermark {
  Bytes now;
  Bytes peak;
};

/// The counters of torch.cuda.memory_stats(). At every point: reserved >= active >= allocated, and active >= requested.
struct AllocatorStatistics {
  Watermark requested; ///< bytes of the active blocks' tensors
  Watermark allocated; ///< blocks of live tensors: memory_allocated()
  Watermark active;    ///< and blocks that were freed while another stream still used them
  Watermark reserved;  ///< obtained from the driver: memory_reserved()
  Count segments;      ///< alive now; an expandable segment counts once, however far it has grown
  Count retries;       ///< times that cached blocks were returned to the driver to serve a request: num_alloc_retries
  Count out_of_memory; ///< requests that could not be served: num_ooms
};

/// One entry of what torch.cuda.memory._record_memory_history() writes down: c10/cuda/CUDACachingAllocator.h, TraceEntry.
struct AllocatorEvent {
  enum class Action : unsigned char { alloc, free_requested, free_completed, segment_alloc, segment_free, segment_map, segment_unmap };
  Action action = Action::alloc;
  std::uint64_t address = 0; ///< of the block, or of the segment
  Bytes size;                ///< of a block: what was requested
  Stream stream = 0;
};

class CachingAllocator {
public:
  /// `capacity` is what the driver can give; without one it gives whatever is asked, up to kLargestReserved.
  explicit CachingAllocator(AllocatorSettings settings = {}, std::optional<Bytes> capacity = std::nullopt);
  CachingAllocator(const CachingAllocator& other);
  CachingAllocator& operator=(const CachingAllocator& other);
  CachingAllocator(CachingAllocator&&) noexcept;
  CachingAllocator& operator=(CachingAllocator&&) noexcept;
  ~CachingAllocator();

  static constexpr Bytes kLargestReserved{std::int64_t{1} << 53};

  /// The best-fitting free block, or a new one. Empty: out of memory, also after returning the cache to the driver; the
  /// allocator stays usable. No bytes (0 or fewer) take no block.
  std::optional<Allocation> allocate(Bytes bytes, Stream stream = 0);

  /// Back to the cache, joined with free neighbours. What holds nothing or was freed before is left alone.
  void free(Allocation allocation);
  /// Each of them: the same, sooner.
  void free(std::span<const Allocation> allocations);

  /// Another stream uses it: once freed it stays active until synchronize(). FSDP1 and NCCL do this to their buffers.
  void record_stream(Allocation allocation);

  /// All streams are done: freed blocks that waited for them return to the cache.
  void synchronize();

  /// synchronize(), then whole free segments (whole free granules, where expandable) return to the driver.
  void empty_cache();

  /// From now on the driver has no more than that to give, what it gave included.
  void limit(Bytes capacity);

  /// From now on every call is written down there; null ends it. Copies of this allocator write nothing down.
  void record(std::vector<AllocatorEvent>* events) noexcept;

  const AllocatorStatistics& statistics() const noexcept;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace plimsoll
