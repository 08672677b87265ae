#pragma once
// Four numbers that are all called memory: what tensors ask for, the blocks that hold them, the segments that the allocator
// took from the driver, and the whole process. Each is larger than the one before, and only the last is compared with what a
// device has. The allocator keeps freed blocks as long as there is room, and gives them back before it runs out: where the device
// has no room for the cache, the segments are those that are left then. They come from running the terms of estimate() through the caching allocator, so this is no hot path: it
// allocates, and makes thousands of requests.

#include "plimsoll/method/allocator.hpp"
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/scenario.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

/// low <= expected <= high.
struct MemoryRange {
  Bytes expected;
  Bytes low;
  Bytes high;
};

/// One reason why a number may come out lower or higher than expected.
struct Uncertainty {
  std::string id{};    ///< stable: that of a formula, or "uncertainty.…"
  std::string label{};
  Bytes less{};        ///< by which it may be lower; >= 0
  Bytes more{};        ///< by which it may be higher; >= 0
  std::string citation{}; ///< id in core/catalog/data/citations.json; "" where it is assumed and nothing is cited
  Basis basis = Basis::assumed;
};

struct Footprint {
  std::int64_t rank = 0;   ///< the pipeline rank it is about
  MemoryRange requested;   ///< bytes of tensors
  MemoryRange allocated;   ///< of their blocks: memory_allocated()
  MemoryRange reserved;    ///< of the allocator's segments: memory_reserved()
  MemoryRange process;     ///< and driver context and communicators: what nvidia-smi shows
  std::vector<Uncertainty> uncertainties; ///< of the process, the widest first, none without width; the range is their sum
  Bytes movable;           ///< of the process, what the driver moves to the host where the device is full (paged optimizers)
  Bytes usable;            ///< what a process can take on the device
  Bytes headroom;          ///< usable - process.expected
  bool fits = false;       ///< the expected process does, without what can move
  bool returns_cache = false; ///< the device has no room for all that the allocator would keep: reserved is what it cannot give back
  bool tight = false;      ///< usable lies between process.low and process.high, less what can move
  bool complete = true;    ///< false: it holds more than the simulated allocator counts (8 PiB), and says too little
};

/// One of the four numbers, as people read it.
struct MemoryNumber {
  std::string_view id;    ///< as in JSON, e.g. "reserved"
  std::string_view label; ///< e.g. "Reserved"
  std::string_view about; ///< one sentence: what is counted, and who shows it
  MemoryRange Footprint::*range = nullptr;
};

/// All four, from what tensors ask for to the whole process.
std::span<const MemoryNumber, 4> memory_numbers() noexcept;

/// How often the allocator is led through its steps: with all the device's memory, with less, with batches of several lengths.
enum class Replays : unsigned char {
  shared, ///< what they have in common once
  apart,  ///< each from its beginning: the same numbers, later
};

/// The peaks of one pipeline rank (0 <= rank < pipeline_parallel), the cache grown as far as equal steps make it. `scenario` must
/// come from inputs without validate() errors. The allocator runs as the profile's framework sets it up, or as `settings` say.
Footprint footprint(const Scenario& scenario, std::int64_t rank);
Footprint footprint(const Scenario& scenario, std::int64_t rank, const AllocatorSettings& settings, Replays replays = Replays::shared);

/// The same in steps, for who has to answer between them: a model of hundreds of billions of parameters on one GPU takes a third of a second.
class FootprintSession {
public:
  FootprintSession(const Scenario& scenario, std::int64_t rank);
  FootprintSession(const Scenario& scenario, std::int64_t rank, const AllocatorSettings& settings, Replays replays = Replays::shared);
  ~FootprintSession();
  FootprintSession(FootprintSession&&) noexcept;
  FootprintSession& operator=(FootprintSession&&) noexcept;

  /// A pass of a step more, or some layers of one: a millisecond or some. False once all is done.
  bool advance();
  /// Whole once all is done.
  const Footprint& footprint() const noexcept;
  const Scenario& scenario() const noexcept;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace plimsoll
