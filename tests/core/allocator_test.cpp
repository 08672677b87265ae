#include "plimsoll/method/allocator.hpp"

#include <catch2/catch_test_macros.hpp>

#include <random>
#include <vector>

using namespace plimsoll;

namespace {

constexpr Bytes kMiB{1 << 20};
constexpr AllocatorSettings kDefault{};

Bytes mib(std::int64_t n) { return Count{n} * kMiB; }

AllocatorSettings expandable() {
  AllocatorSettings settings;
  settings.expandable_segments = true;
  return settings;
}

/// What one allocation alone makes of a request: {block, segment}.
std::pair<Bytes, Bytes> alone(std::int64_t bytes) {
  CachingAllocator allocator;
  REQUIRE(allocator.allocate(Bytes{bytes}));
  return {allocator.statistics().allocated.now, allocator.statistics().reserved.now};
}

} // namespace

TEST_CASE("a block is a multiple of 512 bytes, its segment 2 MiB, 20 MiB, or its own size in 2 MiB") {
  CHECK(alone(1) == std::pair{Bytes{512}, Bytes{2'097'152}});
  CHECK(alone(513) == std::pair{Bytes{1024}, Bytes{2'097'152}});
  CHECK(alone(1'048'576) == std::pair{Bytes{1'048'576}, Bytes{2'097'152}});
  CHECK(alone(1'048'577) == std::pair{Bytes{1'049'088}, Bytes{20'971'520}});
  CHECK(alone(10'485'759) == std::pair{Bytes{10'485'760}, Bytes{10'485'760}});
  CHECK(alone(10'485'760) == std::pair{Bytes{10'485'760}, Bytes{10'485'760}});
  CHECK(alone(10'485'761) == std::pair{Bytes{10'486'272}, Bytes{12'582'912}});
  CHECK(alone(4'202'692'608) == std::pair{Bytes{4'202'692'608}, Bytes{4'202'692'608}}); // fp32 logits of 8192 x 128256
}

TEST_CASE("requests are rounded to a division of a power of two where the settings ask for it") {
  AllocatorSettings settings;
  settings.roundup_power2_divisions = 4;
  CHECK(block_size(settings, Bytes{1200}) == Bytes{1536}); // up to 512 times the divisions nothing changes
  CHECK(block_size(settings, mib(5)) == mib(5));           // 4, 5, 6, 7 and 8 MiB
  CHECK(block_size(settings, mib(5) + Bytes{1}) == mib(6));
  CHECK(block_size(settings, mib(8)) == mib(8));
  CHECK(block_size(settings, mib(8) + Bytes{1}) == mib(10));
  settings.roundup_power2_divisions = 1;
  CHECK(block_size(settings, mib(5) + Bytes{1}) == mib(5) + Bytes{512});
}

TEST_CASE("segments between 1 and 10 MiB have the size that the settings name") {
  AllocatorSettings settings;
  settings.large_segment_size = mib(12);
  CHECK(segment_size(settings, mib(3)) == mib(12));
  CHECK(segment_size(settings, mib(11)) == mib(12));
  CHECK(segment_size(settings, mib(1)) == mib(2));
  settings.large_segment_size = Bytes{-1};
  CHECK(segment_size(settings, mib(3)) == mib(4));
}

TEST_CASE("a segment is split among requests until it is full") {
  CachingAllocator allocator;
  for (int i = 0; i < 4096; ++i) REQUIRE(allocator.allocate(Bytes{512})); // 2 MiB
  CHECK(allocator.statistics().segments == Count{1});
  REQUIRE(allocator.allocate(Bytes{1}));
  CHECK(allocator.statistics().segments == Count{2});
}

TEST_CASE("a large block is split only where more than 1 MiB is left") {
  CachingAllocator allocator;
  const auto whole = allocator.allocate(mib(12));
  allocator.free(*whole);
  const auto most = allocator.allocate(mib(11));
  CHECK(allocator.statistics().allocated.now == mib(12)); // exactly 1 MiB is left: not split
  CHECK(allocator.statistics().requested.now == mib(11));
  allocator.free(*most);
  REQUIRE(allocator.allocate(mib(11) - Bytes{512}));
  CHECK(allocator.statistics().allocated.now == mib(11) - Bytes{512});
  CHECK(allocator.statistics().segments == Count{1});
}

TEST_CASE("freed neighbours become one block again") {
  CachingAllocator allocator;
  std::vector<Allocation> parts;
  for (int i = 0; i < 5; ++i) parts.push_back(*allocator.allocate(mib(4))); // one segment of 20 MiB
  REQUIRE(allocator.statistics().reserved.now == mib(20));
  for (const int i : {1, 3, 2}) allocator.free(parts[i]);
  REQUIRE(allocator.allocate(mib(12)));
  CHECK(allocator.statistics().reserved.now == mib(20));
}

TEST_CASE("what is alive in between keeps neighbours apart: fragments") {
  CachingAllocator allocator;
  std::vector<Allocation> parts;
  for (int i = 0; i < 5; ++i) parts.push_back(*allocator.allocate(mib(4)));
  for (const int i : {0, 2, 4}) allocator.free(parts[i]);
  REQUIRE(allocator.allocate(mib(8)));
  CHECK(allocator.statistics().reserved.now == mib(40));
}

TEST_CASE("the smallest block that fits is taken") {
  CachingAllocator allocator;
  const auto large = allocator.allocate(mib(64)), small = allocator.allocate(mib(30));
  allocator.free(*large);
  allocator.free(*small);
  REQUIRE(allocator.allocate(mib(28)));
  REQUIRE(allocator.allocate(mib(64))); // still whole
  CHECK(allocator.statistics().reserved.now == mib(94));
}

TEST_CASE("small and large requests, and streams, do not share segments") {
  CachingAllocator allocator;
  allocator.free(*allocator.allocate(mib(20), 0));
  REQUIRE(allocator.allocate(Bytes{512}, 0));
  CHECK(allocator.statistics().reserved.now == mib(22));
  REQUIRE(allocator.allocate(mib(20), 7));
  CHECK(allocator.statistics().reserved.now == mib(42));
  REQUIRE(allocator.allocate(mib(20), 0));
  CHECK(allocator.statistics().reserved.now == mib(42));
}

TEST_CASE("what another stream uses stays active after it was freed") {
  CachingAllocator allocator;
  const auto shared = allocator.allocate(mib(20));
  allocator.record_stream(*shared);
  allocator.free(*shared);
  CHECK(allocator.statistics().allocated.now == Bytes{0});
  CHECK(allocator.statistics().active.now == mib(20));
  const auto other = allocator.allocate(mib(20));
  CHECK(allocator.statistics().reserved.now == mib(40));
  allocator.synchronize();
  CHECK(allocator.statistics().active.now == mib(20));
  allocator.free(*other);
  allocator.empty_cache();
  CHECK(allocator.statistics().reserved.now == Bytes{0});
}

TEST_CASE("blocks above max_split_size are neither split nor lent to small requests") {
  AllocatorSettings settings;
  settings.max_split_size = mib(32);
  CachingAllocator allocator{settings};
  allocator.free(*allocator.allocate(mib(64)));
  REQUIRE(allocator.allocate(mib(16)));
  CHECK(allocator.statistics().reserved.now == mib(80)); // 64 stay cached
  const auto near = allocator.allocate(mib(50));         // less than 20 MiB smaller: the whole block
  CHECK(allocator.statistics().allocated.now == mib(80));
  CHECK(allocator.statistics().reserved.now == mib(80));
  allocator.free(*near);
  REQUIRE(allocator.allocate(mib(44))); // 20 MiB smaller: a new one
  CHECK(allocator.statistics().reserved.now == mib(124));
}

TEST_CASE("with max_split_size an oversize block is returned before the whole cache is") {
  AllocatorSettings settings;
  settings.max_split_size = mib(32);
  CachingAllocator allocator{settings, mib(100)};
  allocator.free(*allocator.allocate(mib(64)));
  allocator.free(*allocator.allocate(mib(24)));
  REQUIRE(allocator.allocate(mib(40)));
  CHECK(allocator.statistics().reserved.now == mib(64)); // 40 and the cached 24
  CHECK(allocator.statistics().retries == Count{0});
}

TEST_CASE("the rest of a segment is not returned while its first part is alive") {
  AllocatorSettings settings;
  settings.max_split_size = mib(20);
  settings.large_segment_size = mib(100);
  CachingAllocator allocator{settings, mib(100)};
  REQUIRE(allocator.allocate(mib(5)));
  CHECK(!allocator.allocate(mib(60)));
  CHECK(allocator.statistics().reserved.now == mib(100));
}

TEST_CASE("where the driver has no more, the cache is returned and the request tried again") {
  CachingAllocator allocator{kDefault, mib(100)};
  allocator.free(*allocator.allocate(mib(60)));
  REQUIRE(allocator.allocate(mib(80)));
  CHECK(allocator.statistics().retries == Count{1});
  CHECK(allocator.statistics().reserved.now == mib(80));
  CHECK(allocator.statistics().reserved.peak == mib(80));
  CHECK(allocator.statistics().out_of_memory == Count{0});
}

TEST_CASE("out of memory is an answer, and the allocator goes on") {
  CachingAllocator allocator{kDefault, mib(100)};
  const auto held = allocator.allocate(mib(60));
  CHECK(!allocator.allocate(mib(50)));
  CHECK(allocator.statistics().out_of_memory == Count{1});
  CHECK(allocator.statistics().retries == Count{1});
  CHECK(allocator.statistics().allocated.now == mib(60));
  CHECK(allocator.allocate(mib(40)));
  allocator.free(*held);
  CHECK(allocator.allocate(mib(60)));
}

TEST_CASE("fragments that cannot be returned decide, not the sum of free memory") {
  CachingAllocator allocator{kDefault, mib(40)};
  std::vector<Allocation> parts;
  for (int i = 0; i < 10; ++i) parts.push_back(*allocator.allocate(mib(4)));
  for (const int i : {0, 2, 4, 5, 7, 9}) allocator.free(parts[i]); // 24 of 40 MiB, no 12 in a row
  CHECK(!allocator.allocate(mib(12)));
  CachingAllocator growing{expandable(), mib(40)};
  parts.clear();
  for (int i = 0; i < 10; ++i) parts.push_back(*growing.allocate(mib(4)));
  for (const int i : {5, 6, 7, 8, 9}) growing.free(parts[i]);
  CHECK(growing.allocate(mib(20)));
}

TEST_CASE("expandable segments reserve the peak of one tensor and at most a granule more") {
  CachingAllocator growing{expandable()}, fixed;
  // Sequences of growing length: none fits into what the one before left.
  for (CachingAllocator* allocator : {&growing, &fixed})
    for (std::int64_t length = 11; length <= 91; length += 8) allocator->free(*allocator->allocate(mib(length)));
  CHECK(growing.statistics().allocated.peak == mib(91));
  CHECK(growing.statistics().reserved.peak == mib(100)); // 5 granules of 20 MiB
  CHECK(growing.statistics().segments == Count{1});
  CHECK(fixed.statistics().reserved.peak > mib(500));
}

TEST_CASE("an expandable segment gives back the granules that are free as a whole") {
  CachingAllocator allocator{expandable()};
  const auto first = allocator.allocate(mib(30)), second = allocator.allocate(mib(30)), third = allocator.allocate(mib(30));
  REQUIRE(allocator.statistics().reserved.now == mib(100));
  allocator.free(*second); // 30..60: the granules 40..60
  allocator.empty_cache();
  CHECK(allocator.statistics().reserved.now == mib(100) - mib(20));
  REQUIRE(allocator.allocate(mib(30))); // the hole is filled again
  CHECK(allocator.statistics().reserved.now == mib(100));
  allocator.free(*first);
  allocator.free(*third);
}

TEST_CASE("no bytes take no block, and freeing nothing or twice does nothing") {
  CachingAllocator allocator;
  const auto nothing = allocator.allocate(Bytes{0}), less = allocator.allocate(Bytes{-5});
  REQUIRE(nothing);
  REQUIRE(less);
  allocator.free(*nothing);
  CHECK(allocator.statistics().reserved.now == Bytes{0});
  const auto one = allocator.allocate(Bytes{1});
  allocator.free(*one);
  const auto again = allocator.allocate(Bytes{1});
  allocator.free(*one);
  allocator.free({12345, 1});
  CHECK(allocator.statistics().allocated.now == Bytes{512});
  allocator.free(*again);
  CHECK(allocator.statistics().allocated.now == Bytes{0});
}

TEST_CASE("absurd requests and settings are answered") {
  for (AllocatorSettings settings : {kDefault, expandable()}) {
    settings.roundup_power2_divisions = Count::kMax;
    settings.large_segment_size = Bytes{Bytes::kMax};
    CachingAllocator allocator{settings, mib(100)};
    CHECK(!allocator.allocate(Bytes{Bytes::kMax}));
    CHECK(!allocator.allocate(mib(2)));
    CHECK(allocator.allocate(Bytes{1}));
    CachingAllocator nothing{settings, Bytes{-1}};
    CHECK(!nothing.allocate(Bytes{1}));
  }
}

namespace {

/// 10,000 allocations and frees at random, always the same ones, with the laws checked after each.
void shuffle(const AllocatorSettings& settings, std::optional<Bytes> capacity) {
  CachingAllocator allocator{settings, capacity};
  std::mt19937 random{20240607}; // the engine is the same everywhere; distributions are not, hence the remainders
  std::vector<Allocation> live;
  std::vector<Bytes> requests;
  Bytes requested{0}, allocated{0};
  for (int i = 0; i < 10'000; ++i) {
    if (live.size() < 200 && (live.empty() || random() % 5 < 3)) {
      const auto most = std::uint32_t{1} << (4 + random() % 23); // first, whatever the compiler
      const Bytes bytes{1 + static_cast<std::int64_t>(random() % most)};
      if (const auto got = allocator.allocate(bytes, static_cast<Stream>(random() % 3))) {
        live.push_back(*got);
        requests.push_back(bytes);
        requested += bytes;
        allocated += block_size(settings, bytes);
      }
    } else {
      const std::size_t at = random() % live.size();
      allocator.free(live[at]);
      requested = requested - requests[at];
      allocated = allocated - block_size(settings, requests[at]);
      live[at] = live.back(), live.pop_back();
      requests[at] = requests.back(), requests.pop_back();
    }
    if (random() % 1000 == 0) allocator.empty_cache();
    const AllocatorStatistics& now = allocator.statistics();
    if (now.requested.now != requested || now.allocated.now < allocated || now.active.now != now.allocated.now ||
        now.reserved.now < now.active.now || now.reserved.peak < now.reserved.now || now.allocated.peak < now.allocated.now ||
        (capacity && now.reserved.now > *capacity)) {
      FAIL("after operation " << i);
    }
  }
  CHECK(allocator.statistics().reserved.peak > mib(50));
  for (const Allocation& one : live) allocator.free(one);
  allocator.empty_cache();
  CHECK(allocator.statistics().requested.now == Bytes{0});
  CHECK(allocator.statistics().allocated.now == Bytes{0});
  CHECK(allocator.statistics().active.now == Bytes{0});
  CHECK(allocator.statistics().reserved.now == Bytes{0});
  CHECK(allocator.statistics().segments == Count{0});
}

} // namespace

TEST_CASE("requested <= allocated <= reserved at every point, and everything returns") {
  AllocatorSettings splitting;
  splitting.max_split_size = mib(24);
  splitting.roundup_power2_divisions = 8;
  AllocatorSettings small_granules = expandable();
  small_granules.large_segment_size = mib(12);
  for (const AllocatorSettings& settings : {kDefault, expandable(), splitting, small_granules}) {
    shuffle(settings, std::nullopt);
    shuffle(settings, mib(300));
  }
}

TEST_CASE("the same calls have the same result") {
  const auto run = [] {
    CachingAllocator allocator;
    std::vector<Allocation> live;
    for (int i = 1; i <= 300; ++i) {
      live.push_back(*allocator.allocate(Bytes{i * 70'001}));
      if (i % 3 == 0) allocator.free(live[static_cast<std::size_t>(i / 2)]);
    }
    return allocator.statistics().reserved.peak;
  };
  CHECK(run() == run());
}
