# plimsoll_sources(target [TOGETHER] file...): files of the target, from whichever folder's CMakeLists.txt. TOGETHER: those of a folder are compiled
# as one. Headers are read once instead of once for each file, and functions of a folder are inlined into each other without optimising
# whole programs.
#
# The others are files that give one name to different things, which is theirs to do. PLIMSOLL_UNITY=OFF compiles everything one by one.

option(PLIMSOLL_UNITY "Compile the files of a folder as one" ON)

function(plimsoll_sources target)
  cmake_parse_arguments(PARSE_ARGV 1 given "TOGETHER" "" "")
  list(TRANSFORM given_UNPARSED_ARGUMENTS PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" OUTPUT_VARIABLE sources)
  target_sources(${target} PRIVATE ${sources})
  if(NOT PLIMSOLL_UNITY OR NOT given_TOGETHER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    string(MAKE_C_IDENTIFIER "${folder}" group)
    set_property(SOURCE "${source}" TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP "${group}")
  endforeach()
endfunction()
