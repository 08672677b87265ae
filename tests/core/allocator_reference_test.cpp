// The allocator keeps what is free in rows by size, joins what is freed together at once, and lets the rest of a cut serve the next request before it
// joins its pool. Here are the same rules without any of that: every block in a list, every choice by looking at all of them.
#include "plimsoll/method/allocator.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <list>
#include <optional>
#include <random>
#include <vector>

using namespace plimsoll;

namespace {

class Reference {
public:
  struct Block {
    Bytes size{}, requested{};
    bool live = false;
  };
  struct Segment {
    Stream stream = 0;
    bool small = false;
    std::list<Block> blocks;
  };
  struct Held {
    std::list<Segment>::iterator segment;
    std::list<Block>::iterator block;
  };

  explicit Reference(Bytes capacity) : capacity_(capacity) {}

  std::optional<Held> allocate(Bytes bytes, Stream stream) {
    const Bytes size = block_size({}, bytes);
    std::optional<Held> best = fit(size, stream);
    if (!best) best = from_driver(size, stream);
    if (!best) {
      std::erase_if(segments_, [&](const Segment& one) {
        const bool whole = one.blocks.size() == 1 && !one.blocks.front().live;
        if (whole) reserved.now = reserved.now - one.blocks.front().size;
        return whole;
      });
      best = from_driver(size, stream);
    }
    if (!best) return std::nullopt;
    Block& block = *best->block;
    const Bytes rest = block.size - size;
    if (best->segment->small ? rest >= Bytes{512} : rest > Bytes{1 << 20}) {
      best->segment->blocks.insert(std::next(best->block), {rest, Bytes{0}, false});
      block.size = size;
    }
    block.live = true;
    block.requested = bytes;
    grow(requested, bytes);
    grow(allocated, block.size);
    return best;
  }

  void free(const Held& held) {
    held.block->live = false;
    requested.now = requested.now - held.block->requested;
    allocated.now = allocated.now - held.block->size;
    std::list<Block>& blocks = held.segment->blocks;
    auto first = held.block;
    if (first != blocks.begin() && !std::prev(first)->live) --first;
    for (auto next = std::next(first); next != blocks.end() && !next->live; next = blocks.erase(next)) first->size += next->size;
  }

  Watermark requested, allocated, reserved;

private:
  static void grow(Watermark& mark, Bytes by) {
    mark.now += by;
    mark.peak = max(mark.peak, mark.now);
  }

  /// Segments stand in the order in which they came, which is that of their addresses.
  std::optional<Held> fit(Bytes size, Stream stream) {
    std::optional<Held> best;
    for (auto segment = segments_.begin(); segment != segments_.end(); ++segment) {
      if (segment->stream != stream || segment->small != (size <= Bytes{1 << 20})) continue;
      for (auto block = segment->blocks.begin(); block != segment->blocks.end(); ++block)
        if (!block->live && block->size >= size && (!best || block->size < best->block->size)) best = Held{segment, block};
    }
    return best;
  }

  std::optional<Held> from_driver(Bytes size, Stream stream) {
    const Bytes whole = segment_size({}, size);
    if (reserved.now + whole > capacity_) return std::nullopt;
    grow(reserved, whole);
    segments_.push_back({stream, size <= Bytes{1 << 20}, {{whole, Bytes{0}, false}}});
    return Held{std::prev(segments_.end()), segments_.back().blocks.begin()};
  }

  Bytes capacity_;
  std::list<Segment> segments_;
};

bool alike(const Watermark& a, const Watermark& b) { return a.now == b.now && a.peak == b.peak; }

} // namespace

TEST_CASE("the allocator does what its rules say, request by request") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random{seed};
    const auto below = [&](std::int64_t end) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end)); };
    // Few sizes, as a step has, so that equal blocks compete; some runs with little memory, so that the cache goes back.
    std::vector<Bytes> sizes;
    for (int i = 0; i < 9; ++i) sizes.push_back(Bytes{1 + below(i % 3 == 0 ? 700'000 : i % 3 == 1 ? 9'000'000 : 60'000'000)});
    const Bytes capacity = seed % 3 == 0 ? Bytes{900'000'000} : CachingAllocator::kLargestReserved;
    CachingAllocator allocator{{}, capacity};
    Reference reference{capacity};
    struct Pair {
      Allocation ours;
      Reference::Held theirs;
    };
    std::vector<Pair> held;
    for (int turn = 0; turn < 120; ++turn) {
      const Stream stream = static_cast<Stream>(below(seed % 2 == 0 ? 1 : 3));
      for (std::int64_t n = below(12); n > 0; --n) {
        const Bytes bytes = sizes[static_cast<std::size_t>(below(9))];
        const auto ours = allocator.allocate(bytes, stream);
        const auto theirs = reference.allocate(bytes, stream);
        REQUIRE(ours.has_value() == theirs.has_value());
        if (ours) held.push_back({*ours, *theirs});
      }
      std::ranges::shuffle(held, random);
      std::vector<Allocation> together;
      for (std::int64_t n = below(static_cast<std::int64_t>(held.size()) + 1); n > 0; --n) {
        reference.free(held.back().theirs);
        if (turn % 2 == 0) together.push_back(held.back().ours), together.push_back(held.back().ours); // the second time it is freed already
        else allocator.free(held.back().ours);
        held.pop_back();
      }
      allocator.free(together);
      if (turn % 10 == 0) allocator = CachingAllocator{allocator}; // a copy goes on
      INFO("seed " << seed << ", turn " << turn);
      REQUIRE(alike(allocator.statistics().requested, reference.requested));
      REQUIRE(alike(allocator.statistics().allocated, reference.allocated));
      REQUIRE(alike(allocator.statistics().reserved, reference.reserved));
    }
  }
}
