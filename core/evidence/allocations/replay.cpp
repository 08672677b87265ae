#include "plimsoll/evidence/allocation_trace.hpp"

#include <unordered_map>

namespace plimsoll {

namespace {

struct Player {
  CachingAllocator allocator;
  std::unordered_map<TensorId, Allocation> tensors;
  Replay result;

  /// False where there was no memory.
  bool allocate(const TraceEvent& event) {
    if (tensors.contains(event.tensor)) return ignore();
    const std::optional<Allocation> allocation = allocator.allocate(event.bytes, event.stream);
    if (allocation) tensors.emplace(event.tensor, *allocation);
    return allocation.has_value();
  }

  bool free(const TraceEvent& event) {
    const auto at = tensors.find(event.tensor);
    if (at == tensors.end()) return ignore();
    allocator.free(at->second);
    tensors.erase(at);
    return true;
  }

  bool record_stream(const TraceEvent& event) {
    const auto at = tensors.find(event.tensor);
    if (at == tensors.end()) return ignore();
    allocator.record_stream(at->second);
    return true;
  }

  bool ignore() {
    result.ignored += Count{1};
    return true;
  }

  bool play(const TraceEvent& event) {
    switch (event.kind) {
      case TraceEvent::Kind::allocate: return allocate(event);
      case TraceEvent::Kind::free: return free(event);
      case TraceEvent::Kind::record_stream: return record_stream(event);
      case TraceEvent::Kind::synchronize: allocator.synchronize(); break;
      case TraceEvent::Kind::empty_cache: allocator.empty_cache(); break;
      case TraceEvent::Kind::mark:
      case TraceEvent::Kind::end_of_step: result.marks.push_back({event.name, allocator.statistics()}); break;
    }
    return true;
  }
};

} // namespace

Replay replay(const Trace& trace, const AllocatorSettings& settings, std::optional<Bytes> capacity) {
  Player player{CachingAllocator{settings, capacity}, {}, {}};
  std::optional<Bytes> step_before;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    if (!player.play(trace.events[i])) {
      player.result.failed_event = i;
      break;
    }
    if (trace.events[i].kind == TraceEvent::Kind::end_of_step) {
      const Bytes peak = player.allocator.statistics().reserved.peak;
      if (step_before == peak) break;
      step_before = peak;
    }
  }
  player.result.statistics = player.allocator.statistics();
  return std::move(player.result);
}

} // namespace plimsoll
