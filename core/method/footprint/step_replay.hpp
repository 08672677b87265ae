#pragma once
// The moments of a step, one after the other, in the allocator. At every moment exactly its blocks are alive, so that what is
// requested there is what estimate() says; on the way from one to the next, what goes is freed before what comes is made.

#include "method/footprint/tensor_sizes.hpp"
#include "plimsoll/method/allocator.hpp"
#include "plimsoll/method/timeline.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace plimsoll::footprint_detail {

/// A copy of one goes on from where it stands.
class StepReplay {
public:
  StepReplay(const Scenario& scenario, const TensorSizes& sizes, const AllocatorSettings& settings);

  /// From here on, `capacity` is what the driver gives to the allocator, what it gave included; before, it gives whatever is asked for. The walk then ends
  /// where a request fails: that it did is all that can be learned.
  void limit(Bytes capacity);

  /// From here on, calls and phases are written down there, and what each call was for: `sizes` must have names.
  void record(MemoryTimeline& timeline);

  /// One step after another, each with batches of so many eighths of the longest one: a pass of them, or some layers of one. False once they are done.
  bool advance(std::span<const std::int64_t> eighths);

  /// It stands between two passes, not within one.
  bool is_between_passes() const noexcept { return backward_at_ == 0; }
  /// Steps that are done.
  std::size_t steps() const noexcept { return step_; }
  bool has_several_streams() const noexcept { return (gathered_ | reduced_) != 0; }
  const AllocatorStatistics& statistics() const noexcept { return allocator_.statistics(); }

private:
  /// The tensors of one lifetime that are alive, in the order of its sizes.
  struct Held {
    std::vector<Allocation> tensors;
    std::vector<char> places; ///< true where any are; bits take more code
    std::size_t count = 0; ///< of such places
  };
  enum class PartOfStep : unsigned char { before, first_forward, first_backward, later_forward, later_backward, end };

  void train(PartOfStep part);
  void serve();
  /// What follows belongs to that phase.
  void begin(Moment moment);
  void enter_moment(Moment moment, moments::Lifetimes lifetimes);
  void run_forward(moments::Lifetimes lifetimes);
  void run_backward(moments::Lifetimes lifetimes);
  void run_layers_backward(moments::LifetimeSet alive);
  /// Frees what is not of the set, then allocates what of it is missing.
  void enter(moments::LifetimeSet alive);
  void allocate(moments::Lifetime block);
  void allocate(moments::Lifetime block, std::size_t place);
  /// To be freed with all that goes at the same time.
  void free_later(moments::Lifetime block);
  void free_later(moments::Lifetime block, std::size_t place);
  void free_now();
  moments::LifetimeSet set_at(Moment moment, moments::Lifetimes lifetimes) const;
  Stream stream_of(moments::Lifetime block) const noexcept;

  const Scenario* scenario_;
  const TensorSizes* sizes_;
  CachingAllocator allocator_;
  MemoryTimeline* timeline_ = nullptr;
  bool ends_at_failure_ = false;
  bool ended_ = false;
  moments::Lifetimes lifetimes_, first_lifetimes_;
  moments::LifetimeSet gathered_ = 0, reduced_ = 0; ///< blocks that other streams than the layers' allocate
  std::array<Held, moments::kLifetimes> held_;
  std::vector<Allocation> to_free_;
  std::int64_t length_eighths_ = 8;
  std::size_t step_ = 0;
  PartOfStep part_ = PartOfStep::before;
  std::size_t backward_at_ = 0; ///< the layer whose backward comes next; 0 where none is under way
  bool stepped_ = false; ///< optimizer states exist
};

} // namespace plimsoll::footprint_detail
