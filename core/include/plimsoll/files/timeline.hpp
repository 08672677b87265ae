#pragma once
// Memory over time, written for programs that draw it: Chrome's and Perfetto's trace viewers, and PyTorch's memory visualiser, where a
// measured snapshot can be laid beside it.

#include "plimsoll/files/command_line.hpp"

#include <string_view>
#include <vector>

namespace plimsoll::io {

/// "trace", "snapshot".
std::vector<std::string_view> exportable_timelines();

/// Two steps of the pipeline rank that needs the most. A snapshot is a binary file (pickle). `answer` must be ok.
ExportedCommand export_timeline(const Answer& answer, std::string_view to);

} // namespace plimsoll::io
