#pragma once

#include "plimsoll/method/timeline.hpp"

#include <string>

namespace plimsoll::io::timelines {

std::string chrome_trace(const MemoryTimeline& timeline, const std::string& query);
std::string torch_snapshot(const MemoryTimeline& timeline);

} // namespace plimsoll::io::timelines
