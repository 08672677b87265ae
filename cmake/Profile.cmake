# What the first part of the page's module can do without (SplitModule.cmake) is told by function. Branches that none of its questions takes become functions
# of their own, so that they, too, come later. Which they are stands in web/first.proftext: scripts/profile writes it, anew when the part has grown. A function
# that has changed since stays whole until then, which costs some bytes and nothing else.

option(PLIMSOLL_PROFILE "Count what runs in a WebAssembly module, for scripts/profile" OFF)

# What leads to nothing but an issue stands apart, too: core/include/plimsoll/method/issue.hpp. By itself LLVM does so where at most four values are handed over.
add_compile_options("SHELL:-mllvm -hot-cold-split=true -mllvm -hotcoldsplit-max-params=20")
add_link_options(-Wl,-mllvm,-hot-cold-split=true,-mllvm,-hotcoldsplit-max-params=20)

if(PLIMSOLL_PROFILE)
  add_library(plimsoll_counters STATIC "${CMAKE_CURRENT_LIST_DIR}/profile/counters.c")
  link_libraries(plimsoll_counters)
  add_compile_options(-fprofile-instr-generate)
  return()
endif()

execute_process(COMMAND "${EMSCRIPTEN_ROOT}/em-config" LLVM_ROOT OUTPUT_VARIABLE llvm OUTPUT_STRIP_TRAILING_WHITESPACE)
find_program(PLIMSOLL_PROFDATA NAMES llvm-profdata-19 llvm-profdata HINTS "${llvm}" NO_CMAKE_FIND_ROOT_PATH)
mark_as_advanced(PLIMSOLL_PROFDATA)
if(NOT PLIMSOLL_PROFDATA)
  message(STATUS "No llvm-profdata: the first part of the page's module is some kilobytes larger than it could be")
  return()
endif()
set(written "${PROJECT_SOURCE_DIR}/web/first.proftext")
file(MD5 "${written}" version) # in its name, so that another profile compiles everything anew
set(profile "${PROJECT_BINARY_DIR}/first-${version}.profdata")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${written}")
execute_process(COMMAND "${PLIMSOLL_PROFDATA}" merge "${written}" -o "${profile}" COMMAND_ERROR_IS_FATAL ANY)
# Counts are in thousands, and one is added to each: up to a hundred is never.
add_compile_options($<$<CONFIG:Release>:-fprofile-instr-use=${profile}> -Wno-profile-instr-unprofiled -Wno-profile-instr-out-of-date
  "SHELL:-mllvm -profile-summary-cold-count=100")
add_link_options(-Wl,-mllvm,-profile-summary-cold-count=100)
