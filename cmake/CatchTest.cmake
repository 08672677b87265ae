# plimsoll_add_catch_test(target [LABELS label...]): makes the executable a Catch2 test, native or under node.
#
#   add_executable(test_core quantity_test.cpp sharding_test.cpp)
#   target_link_libraries(test_core PRIVATE plimsoll::core)
#   plimsoll_add_catch_test(test_core)
#
# Natively each TEST_CASE is an entry of ctest. Under node the whole executable is one entry, because starting node
# costs more than most cases do.

function(plimsoll_add_catch_test target)
  cmake_parse_arguments(PARSE_ARGV 1 argument "" "" "LABELS")
  plimsoll_provide_catch2()
  target_link_libraries(${target} PRIVATE plimsoll_options Catch2::Catch2WithMain)
  # Of the test's own code: it runs once, and what it tests is compiled as it is shipped.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  if(EMSCRIPTEN)
    # NODERAWFS: tests read their data files from disk, as they do natively.
    target_link_options(${target} PRIVATE
      -sENVIRONMENT=node -sNODERAWFS -sEXIT_RUNTIME -sALLOW_MEMORY_GROWTH -sSTACK_SIZE=1MB
      -O1) # of linking alone: rewriting every program as a whole takes half a minute each, and saves less when it runs
    # .cjs: plain .js would be read as an ES module under our package.json
    set_target_properties(${target} PROPERTIES SUFFIX .cjs)
    add_test(NAME ${target} COMMAND ${target})
    if(argument_LABELS)
      set_tests_properties(${target} PROPERTIES LABELS "${argument_LABELS}")
    endif()
  else()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_link_options(${target} PRIVATE $<$<CONFIG:Release>:-fno-lto>)   # the code as compiled: see core/CMakeLists.txt
    endif()
    get_property(helpers GLOBAL PROPERTY PLIMSOLL_CATCH2_HELPERS)
    include("${helpers}/Catch.cmake")
    set(properties "")
    if(argument_LABELS)
      set(properties PROPERTIES LABELS "${argument_LABELS}")
    endif()
    catch_discover_tests(${target} TEST_PREFIX "${target}: " DISCOVERY_MODE PRE_TEST ${properties})
  endif()
endfunction()
