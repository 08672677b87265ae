#pragma once
// Files of requests one by one, as those who recorded them published them.

#include "plimsoll/method/issue.hpp"

#include <string>
#include <string_view>

namespace plimsoll::io {

struct RequestTrace {
  std::string text; ///< a value of the input "trace"; "" with errors
  Issues issues;
};

/// Lines of three numbers (milliseconds, tokens of the prompt, tokens of the answer), CSV whose first line names its columns, or a JSON object in each line. The
/// first request arrives at 0; lines without an answer, as failed requests are, are left out. Never throws.
RequestTrace read_request_trace(std::string_view text);

} // namespace plimsoll::io
