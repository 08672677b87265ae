#pragma once
// The time of one call: the median over several batches, because a machine that does other work makes some batches slow
// and none too fast.

#include "allocations.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

namespace plimsoll::bench {

struct Effort {
  int batches = 21;
  std::chrono::nanoseconds batch_time = std::chrono::milliseconds{20};    // far above the clock's step, in browsers too
};

/// Enough to see that it runs and what it allocates, too little to say how long it takes.
inline constexpr Effort kSmokeTest{.batches = 1, .batch_time = std::chrono::nanoseconds{0}};

struct Measurement {
  double median_ns = 0;
  double fastest_ns = 0;
  std::uint64_t calls_per_batch = 0;
  double allocations_per_call = 0;
};

template <class Call> std::chrono::nanoseconds time_of(std::uint64_t calls, Call&& call) {
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t i = 0; i < calls; ++i) call();
  return std::chrono::steady_clock::now() - start;
}

template <class Call> Measurement measure(const Effort& effort, Call&& call) {
  call();    // what is built on first use is not what we ask for
  Measurement result;
  result.calls_per_batch = 1;
  while (time_of(result.calls_per_batch, call) < effort.batch_time) result.calls_per_batch *= 2;

  const auto calls = static_cast<double>(result.calls_per_batch);
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(effort.batches));
  const std::uint64_t before = test::allocations();
  for (int i = 0; i < effort.batches; ++i)
    times.push_back(static_cast<double>(time_of(result.calls_per_batch, call).count()) / calls);
  result.allocations_per_call = static_cast<double>(test::allocations() - before) / (calls * effort.batches);

  std::ranges::sort(times);
  result.median_ns = times[times.size() / 2];
  result.fastest_ns = times.front();
  return result;
}

} // namespace plimsoll::bench
