# Writes the commit that is built into a header: cmake -DSOURCE=… -DHEADER=… -P Commit.cmake. PLIMSOLL_COMMIT of the environment says it where an
# archive has no history.

set(commit "$ENV{PLIMSOLL_COMMIT}")
if(commit STREQUAL "")
  execute_process(COMMAND git -C "${SOURCE}" rev-parse --short=12 HEAD OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND git -C "${SOURCE}" rev-parse --show-toplevel OUTPUT_VARIABLE top ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  file(REAL_PATH "${SOURCE}" here)
  if(NOT top STREQUAL here)
    set(commit "") # somebody else's checkout, in which this one lies
  endif()
endif()
file(CONFIGURE OUTPUT "${HEADER}" CONTENT "#pragma once\n#include <string_view>\ninline constexpr std::string_view kCommit = \"${commit}\";\n")
