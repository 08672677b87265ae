// Sizes of blocks: PyTorch, c10/cuda/CUDACachingAllocator.cpp, round_size, get_allocation_size and should_split.
#include "evidence/operators/timeline.hpp"

#include <array>

namespace plimsoll {

namespace {

constexpr Count kBlock{512};
constexpr Count kSegmentStep{2'097'152};      // segments of 10 MiB and more are multiples of this
constexpr Bytes kOwnSegment{10'485'760};
constexpr Bytes kLeastRemainder{1'048'576};   // a block of the large pool keeps a remainder up to this instead of splitting

Bytes rounded_up(Bytes bytes, Count step) noexcept { return ceil_div(Count{bytes.value}, step) * Bytes{step.value}; }

/// A large tensor comes in a segment of its own, whose small remainder then belongs to it.
Bytes large_block(Bytes bytes) noexcept {
  const Bytes block = allocated_block(bytes);
  if (block < kOwnSegment) return block;
  const Bytes segment = rounded_up(block, kSegmentStep);
  return segment - block > kLeastRemainder ? block : segment;
}

} // namespace

Bytes allocated_block(Bytes bytes) noexcept { return rounded_up(bytes, kBlock); }

void Timeline::hold(std::string_view name, Count elements, std::int64_t element_bytes, int first, int last) {
  if (elements > Count{0}) tensors_.push_back({name, large_block(elements * Bytes{element_bytes}), first, last});
}

void Timeline::leaf(std::string_view name, Count elements, std::int64_t element_bytes) {
  if (elements == Count{0}) return;
  tensors_.push_back({name, large_block(elements * Bytes{element_bytes}), kForward, kEnd});
  if (shape_.old_gradients && shape_.mode != OperatorMode::forward) resident("gradient of the step before", elements, element_bytes);
}

void Timeline::workspaces(std::int64_t threads) {
  tensors_.push_back({"cuBLAS workspaces", Count{threads} * shape_.workspace, kForward, kEnd});
}

OperatorMemory Timeline::result() && {
  OperatorMemory memory;
  const int first = shape_.mode == OperatorMode::backward ? kBackward : kForward;
  const int last = shape_.mode == OperatorMode::forward ? kForwardEnd : kEnd;
  for (int moment = first; moment <= last; ++moment) {
    Bytes alive;
    for (const Lifetime& tensor : tensors_)
      if (tensor.first <= moment && moment <= tensor.last) alive += tensor.bytes;
    if (alive > memory.peak) memory.peak = alive, memory.peak_moment = moment;
  }
  memory.tensors = std::move(tensors_);
  return memory;
}

} // namespace plimsoll
