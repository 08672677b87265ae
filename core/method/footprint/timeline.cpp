#include "plimsoll/method/timeline.hpp"

#include "method/footprint/step_replay.hpp"

#include <array>
#include <unordered_map>

namespace plimsoll {

namespace {

using namespace footprint_detail;
using Action = AllocatorEvent::Action;

/// What is freed was for what it was allocated for.
void name_frees(MemoryTimeline& timeline) {
  timeline.purposes.resize(timeline.calls.size());
  std::unordered_map<std::uint64_t, std::uint16_t> purposes;
  for (std::size_t i = 0; i < timeline.calls.size(); ++i) {
    const AllocatorEvent& call = timeline.calls[i];
    if (call.action == Action::alloc) purposes[call.address] = timeline.purposes[i];
    else if (call.action == Action::free_requested || call.action == Action::free_completed) timeline.purposes[i] = purposes[call.address];
  }
}

} // namespace

MemoryTimeline memory_timeline(const Scenario& scenario, std::int64_t rank) {
  constexpr std::array<std::int64_t, 2> kSteps{8, 8}; // eighths of the longest batch
  const Stage stage{scenario.model, scenario.strategy, scenario.workload, rank};
  const TensorSizes sizes = tensor_sizes_of(scenario, stage, true);
  MemoryTimeline timeline{.names = sizes.names, .calls = {}, .purposes = {}, .phases = {}, .steps = {0}, .outside = sizes.process};
  StepReplay walk{scenario, sizes, {.expandable_segments = scenario.profile.runtime.expandable_segments}};
  walk.record(timeline);
  while (walk.advance(kSteps))
    if (walk.steps() == timeline.steps.size()) timeline.steps.push_back(timeline.calls.size());
  name_frees(timeline);
  return timeline;
}

} // namespace plimsoll
