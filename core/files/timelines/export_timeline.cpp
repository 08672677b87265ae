#include "plimsoll/files/timeline.hpp"

#include "files/timelines/timelines.hpp"
#include "plimsoll/method/timeline.hpp"

namespace plimsoll::io {

std::vector<std::string_view> exportable_timelines() { return {"trace", "snapshot"}; }

ExportedCommand export_timeline(const Answer& answer, std::string_view to) {
  ExportedCommand exported;
  exported.issues = answer.issues;
  if (!answer.ok) return exported;
  const MemoryTimeline timeline = memory_timeline(answer.scenario, answer.estimate.rank);
  exported.ok = true;
  exported.binary = to == "snapshot";
  exported.text = exported.binary ? timelines::torch_snapshot(timeline) : timelines::chrome_trace(timeline, to_query(answer.request));
  return exported;
}

} // namespace plimsoll::io
