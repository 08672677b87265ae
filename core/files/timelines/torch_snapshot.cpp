// What torch.cuda.memory._dump_snapshot() writes, and torch/cuda/_memory_viz.py and pytorch.org/memory_viz read: segments with the blocks
// that they hold in the end, and every call that led there. torch/cuda/_memory_viz.py, Snapshot, Segment, Block, TraceEntry, Frame.
#include "files/timelines/pickle.hpp"
#include "files/timelines/timelines.hpp"

#include <map>

namespace plimsoll::io::timelines {

namespace {

using Action = AllocatorEvent::Action;

std::string_view word_of(Action action) {
  switch (action) {
    case Action::alloc: return "alloc";
    case Action::free_requested: return "free_requested";
    case Action::free_completed: return "free_completed";
    case Action::segment_alloc: return "segment_alloc";
    case Action::segment_free: return "segment_free";
    case Action::segment_map: return "segment_map";
    case Action::segment_unmap: break;
  }
  return "segment_unmap";
}

struct Block {
  Bytes requested;
  std::uint16_t purpose = 0;
};

/// Memory that the driver gave, from its address on; pieces that lie side by side in an expandable segment are one.
struct Segment {
  Bytes size;
  Stream stream = 0;
  bool grows = false;
};

/// What is there after all calls.
struct State {
  std::map<std::uint64_t, Segment> segments;
  std::map<std::uint64_t, Block> blocks;

  explicit State(const MemoryTimeline& timeline) {
    for (std::size_t i = 0; i < timeline.calls.size(); ++i) follow(timeline.calls[i], timeline.purposes[i]);
  }

private:
  void follow(const AllocatorEvent& call, std::uint16_t purpose) {
    switch (call.action) {
      case Action::alloc: blocks[call.address] = {call.size, purpose}; break;
      case Action::free_completed: blocks.erase(call.address); break;
      case Action::free_requested: break;
      case Action::segment_alloc: segments[call.address] = {call.size, call.stream, false}; break;
      case Action::segment_free: segments.erase(call.address); break;
      case Action::segment_map: grow(call); break;
      case Action::segment_unmap: shrink(call); break;
    }
  }

  static std::uint64_t end_of(std::uint64_t address, Bytes size) { return address + static_cast<std::uint64_t>(size.value); }

  void grow(const AllocatorEvent& call) {
    const auto after = segments.find(end_of(call.address, call.size));
    Bytes size = call.size;
    if (after != segments.end() && after->second.grows) {
      size += after->second.size;
      segments.erase(after);
    }
    auto before = segments.upper_bound(call.address);
    if (before != segments.begin() && (--before)->second.grows && end_of(before->first, before->second.size) == call.address) before->second.size += size;
    else segments[call.address] = {size, call.stream, true};
  }

  void shrink(const AllocatorEvent& call) {
    auto holds = segments.upper_bound(call.address);
    if (holds == segments.begin()) return;
    --holds;
    const std::uint64_t first = holds->first, last = end_of(first, holds->second.size), until = end_of(call.address, call.size);
    const Stream stream = holds->second.stream;
    segments.erase(holds);
    if (first < call.address) segments[first] = {Bytes{static_cast<std::int64_t>(call.address - first)}, stream, true};
    if (until < last) segments[until] = {Bytes{static_cast<std::int64_t>(last - until)}, stream, true};
  }
};

class Writer {
public:
  explicit Writer(const MemoryTimeline& timeline) : timeline_(timeline) {}

  std::string write() && {
    const State state{timeline_};
    out_.begin_dictionary();
    out_.text("segments");
    out_.begin_list();
    for (const auto& [address, segment] : state.segments) write(address, segment, state);
    out_.end_list();
    out_.text("device_traces");
    out_.begin_list();
    out_.begin_list();
    for (std::size_t i = 0; i < timeline_.calls.size(); ++i) write(i);
    out_.end_list();
    out_.end_list();
    out_.end_dictionary();
    return std::move(out_).finish();
  }

private:
  void frames(std::uint16_t purpose) {
    out_.text("frames");
    out_.begin_list();
    out_.begin_dictionary();
    out_.entry("name", timeline_.names.empty() ? std::string_view{} : timeline_.names[purpose]);
    out_.entry("filename", "plimsoll");
    out_.entry("line", 0);
    out_.end_dictionary();
    out_.end_list();
  }

  /// Blocks of a segment stand side by side: what lies between those in use is free.
  void write(std::uint64_t address, const Segment& segment, const State& state) {
    const std::uint64_t end = address + static_cast<std::uint64_t>(segment.size.value);
    const auto first = state.blocks.lower_bound(address), last = state.blocks.lower_bound(end);
    Bytes requested, allocated;
    for (auto at = first; at != last; ++at) requested += at->second.requested, allocated += rounded(at->second.requested);
    out_.begin_dictionary();
    out_.entry("device", 0);
    out_.entry("address", static_cast<std::int64_t>(address));
    out_.entry("total_size", segment.size.value);
    out_.entry("allocated_size", allocated.value);
    out_.entry("active_size", allocated.value);
    out_.entry("requested_size", requested.value);
    out_.entry("stream", segment.stream);
    out_.entry("segment_type", segment.size <= segment_size({}, Bytes{1}) ? "small" : "large");
    out_.text("is_expandable");
    out_.truth(segment.grows);
    out_.text("blocks");
    out_.begin_list();
    std::uint64_t place = address;
    for (auto at = first; at != last; ++at) {
      free_block(place, at->first);
      block(at->first, rounded(at->second.requested), at->second.requested, "active_allocated", at->second.purpose);
      place = at->first + static_cast<std::uint64_t>(rounded(at->second.requested).value);
    }
    free_block(place, end);
    out_.end_list();
    out_.end_dictionary();
  }

  static Bytes rounded(Bytes requested) { return block_size({}, requested); }

  void free_block(std::uint64_t from, std::uint64_t to) {
    if (from < to) block(from, Bytes{static_cast<std::int64_t>(to - from)}, Bytes{0}, "inactive", 0);
  }

  void block(std::uint64_t address, Bytes size, Bytes requested, std::string_view state, std::uint16_t purpose) {
    out_.begin_dictionary();
    out_.entry("address", static_cast<std::int64_t>(address));
    out_.entry("size", size.value);
    out_.entry("requested_size", requested.value);
    out_.entry("state", state);
    if (requested > Bytes{0}) frames(purpose);
    out_.end_dictionary();
  }

  void write(std::size_t i) {
    const AllocatorEvent& call = timeline_.calls[i];
    out_.begin_dictionary();
    out_.entry("action", word_of(call.action));
    out_.entry("addr", static_cast<std::int64_t>(call.address));
    out_.entry("size", call.size.value);
    out_.entry("stream", call.stream);
    out_.entry("time_us", static_cast<std::int64_t>(i));
    frames(timeline_.purposes[i]);
    out_.end_dictionary();
  }

  const MemoryTimeline& timeline_;
  Pickle out_;
};

} // namespace

std::string torch_snapshot(const MemoryTimeline& timeline) { return Writer{timeline}.write(); }

} // namespace plimsoll::io::timelines
