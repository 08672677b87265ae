# plimsoll_add_display_test(name COMMAND target argument... [LABELS label...])
#
# A test that opens a window. It gets a screen of its own that nobody sees, and draws in software, so that it gives
# the same result with and without a graphics card. Needs the packages that scripts/setup desktop installs.

function(plimsoll_add_display_test name)
  cmake_parse_arguments(PARSE_ARGV 1 argument "" "" "COMMAND;LABELS")
  find_program(PLIMSOLL_XVFB_RUN xvfb-run)
  mark_as_advanced(PLIMSOLL_XVFB_RUN)
  if(NOT PLIMSOLL_XVFB_RUN)
    message(FATAL_ERROR "${name} needs xvfb-run: run scripts/setup desktop, or turn PLIMSOLL_APP off")
  endif()
  list(POP_FRONT argument_COMMAND program)
  add_test(NAME ${name} COMMAND "${PLIMSOLL_XVFB_RUN}" --auto-servernum --server-args=-screen\ 0\ 1280x800x24
    "$<TARGET_FILE:${program}>" ${argument_COMMAND})
  set_tests_properties(${name} PROPERTIES
    LABELS "${argument_LABELS}"
    TIMEOUT 120
    # Mesa's drivers leave a little memory behind when they are unloaded; that is not ours to find.
    ENVIRONMENT "LIBGL_ALWAYS_SOFTWARE=1;ASAN_OPTIONS=detect_leaks=0")
endfunction()
