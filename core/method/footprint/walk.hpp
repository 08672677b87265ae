#pragma once
// The moments of a step, one after the other, in the allocator. At every moment exactly its blocks are alive, so that what is
// requested there is what estimate() says; on the way from one to the next, what goes is freed before what comes is made.

#include "method/footprint/pieces.hpp"
#include "plimsoll/method/allocator.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace plimsoll::footprint_detail {

class Walk {
public:
  /// `capacity` is what the driver gives to the allocator; without one, whatever is asked for. With one, the program ends where a request
  /// fails: that it did is all that can be learned.
  Walk(const Scenario& scenario, const Pieces& pieces, const AllocatorSettings& settings, std::optional<Bytes> capacity);

  /// One step after another, each with batches of so many eighths of the longest one.
  void run(std::span<const std::int64_t> eighths);

  bool has_several_streams() const noexcept { return (gathered_ | reduced_) != 0; }

  const AllocatorStatistics& statistics() const noexcept { return allocator_.statistics(); }

private:
  using Place = std::vector<Allocation>;

  void train(std::int64_t eighths);
  void serve();
  void run_micro_batch(moments::Lifetimes lifetimes);
  void run_layers_backward(moments::LifetimeSet alive);
  /// Frees what is not of the set, then makes what of it is not there.
  void become(moments::LifetimeSet alive);
  void make(moments::Lifetime block);
  void make(moments::Lifetime block, std::size_t place);
  void drop(moments::Lifetime block);
  void drop(moments::Lifetime block, std::size_t place);
  moments::LifetimeSet set_at(Moment moment, moments::Lifetimes lifetimes) const;
  Stream stream_of(moments::Lifetime block) const noexcept;

  const Scenario& scenario_;
  const Pieces& pieces_;
  CachingAllocator allocator_;
  bool ends_at_failure_;
  bool ended_ = false;
  moments::Lifetimes lifetimes_;
  moments::LifetimeSet gathered_ = 0, reduced_ = 0; ///< blocks that other streams than the layers' allocate
  std::array<std::vector<Place>, moments::kLifetimes> held_;
  std::int64_t eighths_ = 8;
  bool stepped_ = false; ///< optimizer states exist
};

} // namespace plimsoll::footprint_detail
