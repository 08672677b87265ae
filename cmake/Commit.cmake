# Writes the commit that is built as a source of the command line: cmake -DSOURCE=… -DFILE=… -P Commit.cmake. PLIMSOLL_COMMIT of the environment says it where an
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
file(CONFIGURE OUTPUT "${FILE}" CONTENT "#include \"version.hpp\"
std::string_view plimsoll::cli::commit_text() noexcept { return \"${commit}\"; }
")
