// The Trace Event Format that chrome://tracing and ui.perfetto.dev read: counters ("C") of what is alive, and slices ("X") for the phases
// of a step. Google, Trace Event Format (docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU).
#include "files/timelines/timelines.hpp"

#include "text/json.hpp"

#include <cstdint>
#include <map>
#include <utility>

namespace plimsoll::io::timelines {

namespace {

using Action = AllocatorEvent::Action;

/// Microseconds of the format are the calls here: one after the other.
std::int64_t time_of(std::size_t call) { return static_cast<std::int64_t>(call); }

Json named(const char* what, std::int64_t thread, const std::string& name) {
  return {{"ph", "M"}, {"pid", 0}, {"tid", thread}, {"name", what}, {"args", {{"name", name}}}};
}

Json slice(std::int64_t thread, std::string name, std::size_t first, std::size_t last) {
  return {{"ph", "X"}, {"pid", 0}, {"tid", thread}, {"name", std::move(name)}, {"ts", time_of(first)}, {"dur", time_of(last) - time_of(first)}};
}

Json counter(std::string name, std::size_t call, Json values) {
  return {{"ph", "C"}, {"pid", 0}, {"name", std::move(name)}, {"ts", time_of(call)}, {"args", std::move(values)}};
}

/// "Weights" of "Weights: MLP".
std::string category_of(const std::string& name) { return name.substr(0, name.find(':')); }

class Counters {
public:
  explicit Counters(const MemoryTimeline& timeline) : timeline_(timeline), alive_(timeline.names.size()) {}

  Json events() && {
    Json events = Json::array();
    for (std::size_t i = 0; i < timeline_.calls.size(); ++i) add(i, events);
    return events;
  }

private:
  void add(std::size_t i, Json& events) {
    const AllocatorEvent& call = timeline_.calls[i];
    const bool taken = call.action == Action::segment_alloc || call.action == Action::segment_map;
    if (taken || call.action == Action::segment_free || call.action == Action::segment_unmap) {
      reserved_ = taken ? reserved_ + call.size : reserved_ - call.size;
      return events.push_back(counter("reserved", i, {{"bytes", reserved_.value}})), void();
    }
    if (call.action == Action::free_requested) return; // and completed: nothing waits for another stream here
    const bool made = call.action == Action::alloc;
    const std::string& name = timeline_.names[timeline_.purposes[i]];
    Bytes& alive = alive_[timeline_.purposes[i]];
    Bytes& of_category = categories_[category_of(name)];
    alive = made ? alive + call.size : alive - call.size;
    of_category = made ? of_category + call.size : of_category - call.size;
    events.push_back(counter(name, i, {{"bytes", alive.value}}));
    Json values = Json::object();
    for (const auto& [category, bytes] : categories_) values[category] = bytes.value;
    events.push_back(counter("requested", i, std::move(values)));
  }

  const MemoryTimeline& timeline_;
  std::vector<Bytes> alive_; ///< by purpose
  std::map<std::string, Bytes> categories_;
  Bytes reserved_;
};

} // namespace

std::string chrome_trace(const MemoryTimeline& timeline, const std::string& query) {
  Json events = Counters{timeline}.events();
  events.push_back(named("process_name", 0, "one GPU"));
  events.push_back(named("thread_name", 1, "steps"));
  events.push_back(named("thread_name", 2, "moments"));
  for (std::size_t i = 0; i + 1 < timeline.steps.size(); ++i)
    events.push_back(slice(1, i == 0 ? "first step" : "second step", timeline.steps[i], timeline.steps[i + 1]));
  for (std::size_t i = 0; i < timeline.phases.size(); ++i) {
    const bool last = i + 1 == timeline.phases.size();
    events.push_back(slice(2, std::string{text_of(timeline.phases[i].moment).label}, timeline.phases[i].first, last ? timeline.calls.size() : timeline.phases[i + 1].first));
  }
  return dump({{"traceEvents", std::move(events)},
               {"displayTimeUnit", "ms"},
               {"otherData",
                {{"query", query},
                 {"ts", "the order of the allocator's calls, one microsecond each; not the time between them"},
                 {"bytes_outside_the_allocator", timeline.outside.value}}}}) +
         "\n";
}

} // namespace plimsoll::io::timelines
